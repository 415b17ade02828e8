/* SPDX-License-Identifier: Apache-2.0 */
/* The instance of filch solve: reads the file, and makes its problem. */
#define _GNU_SOURCE

#include "../../dd/problems/model.h"
#include "command.h"
#include "names.h"
#include "say.h"
#include "solve.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/solve.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(const struct filchi_solve_request *r, int code, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", r->command, what, why);
	return code;
}

/* ---- the file ---- */

/*
 * Reads the file, up to the largest size that is allowed or to a byte 0, which no text has: a file of zeros must not
 * fill the memory. *cut: why the file was not read to its end, or NULL. 0 or -errno.
 */
static int read_all(int fd, char **text, size_t *size, const char **cut)
{
	size_t room = 1 << 16;
	ssize_t got = 1;

	*size = 0;
	*cut = NULL;
	*text = malloc(room + 1);
	while (*text && got > 0 && !*cut) {
		if (*size == room) {
			char *more = realloc(*text, 2 * room + 1);

			if (!more)
				return -ENOMEM;
			*text = more;
			room *= 2;
		}
		got = read(fd, *text + *size, room - *size);
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got > 0 && memchr(*text + *size, 0, (size_t)got))
			*cut = filchi_text_zero;
		else if (got > 0 && *size + (size_t)got >= FILCHI_TEXT_SIZE_MAX)
			*cut = filchi_text_large;
		*size += got > 0 ? (size_t)got : 0;
		got = got < 0 ? 1 : got;
	}
	if (!*text)
		return -ENOMEM;
	(*text)[*size] = '\0';
	return 0;
}

static int read_file(struct filchi_solve_source *s, const struct filchi_solve_request *r, size_t *size,
		     const char **cut)
{
	bool standard = !strcmp(r->file, "-");
	int fd = standard ? STDIN_FILENO : open(r->file, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : read_all(fd, &s->text, size, cut);

	if (fd >= 0 && !standard)
		close(fd);
	if (err == -ENOMEM)
		return failed(r, FILCHI_EXIT_FAILED, r->file, "no memory to read it");
	if (err)
		return failed(r, FILCHI_SOLVE_BAD_FILE, r->file, strerror(-err));
	return 0;
}

/* ---- known problems ---- */

static const char *problem_name(unsigned n)
{
	const struct filchi_problem *p = filchi_problem_at(n);

	return p ? p->name : NULL;
}

static int make_known(struct filchi_solve_source *s, const struct filchi_solve_request *r, size_t size, const char *cut)
{
	struct filchi_text t;
	int err;

	filchi_text_begin(&t, s->text, size);
	t.cut = cut;
	s->instance = s->known->read(&t);
	if (!s->instance && s->number) { /* the error has no place in a file */
		const char *why = strstr(t.error, ": ");

		fprintf(stderr, "%s: %s\n", r->command, why ? why + 2 : t.error);
		return FILCHI_SOLVE_BAD_FILE;
	}
	if (!s->instance)
		return failed(r, FILCHI_SOLVE_BAD_FILE, r->file, t.error);
	s->decimals = s->known->decimals;
	if (s->known->network) { /* it has a solver of its own */
		const struct filchi_ufp *u = s->instance;

		s->divisor = (int64_t)u->scenarios;
		s->p.variables = (int)u->arcs;
		return 0;
	}
	err = filchi_model_make(&s->p, s->known->name, s->instance);
	if (err)
		return failed(r, FILCHI_EXIT_FAILED, r->file,
			      err == -ERANGE ? "the instance is too large for the solver" : strerror(-err));
	s->made = true;
	return 0;
}

/* ---- shared objects ---- */

static int make_object(struct filchi_solve_source *s, const struct filchi_solve_request *r, size_t size)
{
	const struct filch_solve_problem *mine;
	char error[240] = "";
	int err;

	s->object = dlopen(r->problem, RTLD_NOW | RTLD_LOCAL);
	if (!s->object)
		return failed(r, FILCHI_EXIT_FAILED, "cannot load the problem", dlerror());
	mine = dlsym(s->object, "filch_solve_problem");
	if (!mine)
		return failed(r, FILCHI_EXIT_FAILED, r->problem, "it does not define the symbol filch_solve_problem");
	if (mine->struct_size != sizeof(*mine) || !mine->read || mine->decimals > 9)
		return failed(r, FILCHI_EXIT_FAILED, r->problem,
			      "filch_solve_problem has the wrong struct_size, no read, or more than 9 decimals");
	err = mine->read(&s->p, s->text, size, error, sizeof(error));
	error[sizeof(error) - 1] = '\0';
	if (err)
		return failed(r, err == -ENOMEM ? FILCHI_EXIT_FAILED : FILCHI_SOLVE_BAD_FILE, r->file,
			      *error ? error : strerror(err < 0 ? -err : err));
	s->decimals = mine->decimals;
	s->destroy = mine->destroy;
	s->made = true;
	return 0;
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

int filchi_solve_open(struct filchi_solve_source *s, const struct filchi_solve_request *r)
{
	const char *cut = NULL;
	size_t size = 0;
	int code;

	*s = (struct filchi_solve_source){.divisor = 1, .known = filchi_problem_find(r->problem)};
	if (!s->known && !strchr(r->problem, '/')) {
		filchi_names_unknown(r->command, "", "problem", r->problem, strlen(r->problem), NULL, problem_name);
		fprintf(stderr,
			"The path of a shared object has a slash, such as ./mine.so.\nTry 'filch help solve'.\n");
		return FILCHI_EXIT_USAGE;
	}
	if (s->known && !strcmp(s->known->name, "golomb") && is_number(r->file)) { /* an order instead of a file */
		s->text = strdup(r->file);
		size = strlen(r->file);
		s->number = true;
		code = s->text ? 0 : failed(r, FILCHI_EXIT_FAILED, r->file, strerror(ENOMEM));
	} else {
		code = read_file(s, r, &size, &cut);
	}
	if (!code && !s->known && cut)
		code = failed(r, FILCHI_SOLVE_BAD_FILE, r->file, cut);
	if (!code)
		code = s->known ? make_known(s, r, size, cut) : make_object(s, r, size);
	return code;
}

void filchi_solve_close(struct filchi_solve_source *s)
{
	if (s->made && s->known)
		filchi_model_destroy(&s->p, s->known->name);
	else if (s->made && s->destroy)
		s->destroy(&s->p);
	if (s->known)
		s->known->destroy(s->instance);
	if (s->object)
		dlclose(s->object);
	free(s->text);
}

int filchi_solve_verify(const struct filchi_solve_source *s, const struct filchi_solve_request *r,
			const int32_t *labels, int64_t value)
{
	struct filchi_check_error error = {"the solution was refused by the check of the problem"};
	int64_t found = value;
	int err = 0;

	if (s->known)
		err = s->known->check(s->instance, labels, (size_t)s->p.variables, &found, &error);
	else if (s->p.check)
		err = s->p.check(labels, &found, s->p.arg);
	if (!err && found != value)
		err = filchi_check_fail(&error, "its value is %lld, but the solver has found %lld", (long long)found,
					(long long)value);
	return err ? failed(r, FILCHI_EXIT_FAILED, "the solution is wrong", error.text) : 0;
}
