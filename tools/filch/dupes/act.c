/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The actions. Each name goes through the same steps, and the plan through all steps but the last: so the plan shows
 * what will happen. There is no other action if one is impossible.
 */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *filchi_dupes_action_word(enum filchi_dupes_action action)
{
	static const char *const words[] = {"none", "link", "symlink", "reflink", "delete"};

	return words[action];
}

const char *filchi_dupes_done_word(enum filchi_dupes_action action)
{
	static const char *const words[] = {"", "linked", "symlinked", "reflinked", "deleted"};

	return words[action];
}

const char *filchi_dupes_fate_word(const struct filchi_dupes_run *run, const struct filchi_dupes_file *f)
{
	switch ((enum filchi_dupes_fate)f->fate) {
	case FILCHI_DUPES_KEPT:
		return "keep";
	case FILCHI_DUPES_PLANNED:
		return filchi_dupes_action_word(run->set->action);
	case FILCHI_DUPES_DONE:
		return filchi_dupes_done_word(run->set->action);
	case FILCHI_DUPES_SHARED:
		return "shared";
	case FILCHI_DUPES_LEFT:
		return "left";
	case FILCHI_DUPES_NO_FATE:
		break;
	}
	return "";
}

/* ---- symbolic links ---- */

/* The length of the directories that both paths have in common, with the last slash. */
static size_t common(const char *a, const char *b)
{
	size_t length = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			length = i + 1;
	return length;
}

/* The absolute path of a name, from the DIR as it is now. NULL and errno: there is none. */
static char *absolute(const struct filchi_dupes_run *run, const struct filchi_dupes_file *f)
{
	char *root = realpath(run->set->dirs[f->dir->root], NULL);
	size_t length = root ? strlen(root) : 0, below = filchi_dupes_path_below(f->dir, f->name, NULL);
	char *path = root ? malloc(length + below + 2) : NULL;

	if (path) {
		memcpy(path, root, length);
		if (!length || path[length - 1] != '/') /* the DIR may be "/" */
			path[length++] = '/';
		filchi_dupes_path_below(f->dir, f->name, path + length);
	}
	free(root);
	return path;
}

/* The target of a symbolic link at `from` that leads to `to`, both absolute. */
static char *relative(const char *from, const char *to)
{
	size_t same = common(from, to), ups = 0;
	char *target, *end;

	for (const char *p = from + same; *p; p++)
		ups += *p == '/';
	end = target = malloc(3 * ups + strlen(to + same) + 1);
	for (; target && ups; ups--)
		end = stpcpy(end, "../");
	if (target)
		strcpy(end, to + same);
	return target;
}

static int make_symlink(struct filchi_dupes_run *run, struct filchi_dupes_aside *a,
			const struct filchi_dupes_file *kept, const struct filchi_dupes_file *name)
{
	char *from = absolute(run, name), *to = from ? absolute(run, kept) : NULL;
	char *target = to ? relative(from, to) : NULL;
	int err = target && !symlinkat(target, a->fd, FILCHI_DUPES_FILE) ? 0 : errno;

	free(from);
	free(to);
	free(target);
	return err;
}

/* ---- one name ---- */

/* The open file gets another name, however its own name has changed meanwhile. */
static int make_link(const struct filchi_dupes_aside *a, int fd)
{
	char path[64];

	if (!linkat(fd, "", a->fd, FILCHI_DUPES_FILE, AT_EMPTY_PATH))
		return 0;
	if (errno != ENOENT && errno != EPERM && errno != EINVAL) /* this needs a capability */
		return errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_FOLLOW) ? errno : 0;
}

static struct filchi_dupes_id id_of(const struct statx *s)
{
	return (struct filchi_dupes_id){s->stx_ino, s->stx_dev_major, s->stx_dev_minor};
}

static int change(struct filchi_dupes_run *run, const struct filchi_dupes_pair *p, const struct filchi_dupes_file *kept,
		  const struct filchi_dupes_file *name, struct filchi_dupes_aside *a)
{
	enum filchi_dupes_action action = run->set->action;
	int reason;

	if (action == FILCHI_DUPES_REFLINK)
		return filchi_dupes_reflink(p);
	reason = filchi_dupes_aside_make(a, p->dir_fd);
	if (reason)
		return reason;
	if (action == FILCHI_DUPES_DELETE) {
		reason = filchi_dupes_take(a, name->name, id_of(&p->file));
		if (!reason)
			reason = filchi_dupes_pair_keeps(p, kept) ? filchi_dupes_drop(a, name->name)
								  : filchi_dupes_give_back(a, name->name);
	} else {
		reason = action == FILCHI_DUPES_LINK ? make_link(a, p->kept_fd) : make_symlink(run, a, kept, name);
		if (!reason)
			reason = filchi_dupes_replace(a, name->name, id_of(&p->file), id_of(&p->kept));
	}
	filchi_dupes_aside_end(a);
	return reason;
}

/* A file must not come under the control of another user, nor become readable for others. */
static bool same_owner(const struct filchi_dupes_settings *set, const struct filchi_dupes_pair *p)
{
	bool same = p->file.stx_uid == p->kept.stx_uid && p->file.stx_gid == p->kept.stx_gid;

	if (set->any_owner || set->action == FILCHI_DUPES_REFLINK)
		return true;
	return same && (set->action == FILCHI_DUPES_DELETE || p->file.stx_mode == p->kept.stx_mode);
}

/* Acts, with a line in the log before and after. An error of the log ends the run. */
static int change_and_log(struct filchi_dupes_run *run, const struct filchi_dupes_pair *p,
			  const struct filchi_dupes_file *kept, const struct filchi_dupes_file *name, int *reason)
{
	struct filchi_dupes_aside a;
	int err;

	filchi_dupes_aside_name(&a);
	err = filchi_dupes_log_begin(run, p, kept, name, a.name);
	if (err)
		return err;
	*reason = change(run, p, kept, name, &a);
	return filchi_dupes_log_end(run, !*reason);
}

static int act_on_name(struct filchi_dupes_run *run, struct filchi_dupes_file *kept, struct filchi_dupes_file *file,
		       struct filchi_dupes_file *name)
{
	enum filchi_dupes_fate fate = run->set->yes ? FILCHI_DUPES_DONE : FILCHI_DUPES_PLANNED;
	bool reflink = run->set->action == FILCHI_DUPES_REFLINK;
	struct filchi_dupes_pair p;
	int err = 0, reason = filchi_dupes_pair_open(&p, kept, file, name);

	if (!reason && !same_owner(run->set, &p))
		reason = FILCHI_DUPES_OWNER;
	if (!reason && !reflink && faccessat(p.dir_fd, ".", W_OK | X_OK, AT_EACCESS)) /* so that the plan shows it */
		reason = errno;
	if (!reason && reflink && filchi_dupes_shared(&p))
		fate = FILCHI_DUPES_SHARED;
	if (!reason && fate == FILCHI_DUPES_DONE) {
		if (!reflink) /* the kernel does it for reflinks */
			reason = filchi_dupes_pair_compare(&p);
		if (!reason)
			err = change_and_log(run, &p, kept, name, &reason);
		/* The action itself changes this time. */
		kept->ctime = filchi_dupes_changed_at(p.kept_fd);
		file->ctime = filchi_dupes_changed_at(p.fd);
	}
	filchi_dupes_pair_close(&p);
	if (reason)
		filchi_dupes_problem(run, name->dir, name->name,
				     reason == FILCHI_DUPES_CHANGED ? FILCHI_DUPES_CHANGED_SINCE : reason);
	name->fate = (uint8_t)(reason ? FILCHI_DUPES_LEFT : fate);
	return err;
}

/* Names of one file: each is replaced or deleted, but its blocks are shared once. */
static int act_on_file(struct filchi_dupes_run *run, struct filchi_dupes_file *kept, struct filchi_dupes_file *file)
{
	bool once = run->set->action == FILCHI_DUPES_REFLINK;
	int err = 0;

	for (struct filchi_dupes_file *name = file; name && !err && !filchi_dupes_interrupted(run); name = name->link) {
		if (name != file && once)
			name->fate = file->fate;
		else
			err = act_on_name(run, kept, file, name);
	}
	return err;
}

static int act_on_group(struct filchi_dupes_run *run, struct filchi_dupes_group *g)
{
	struct filchi_dupes_file *kept = NULL;
	int err = filchi_dupes_keep(run, g);

	for (size_t i = 0; i < g->count && !err; i++) {
		bool other_device = kept && kept->dev != g->files[i]->dev && run->set->action != FILCHI_DUPES_DELETE &&
				    run->set->action != FILCHI_DUPES_SYMLINK;

		if (!kept || other_device)
			kept = g->files[i];
		else if (g->files[i]->fate == FILCHI_DUPES_PLANNED)
			err = act_on_file(run, kept, g->files[i]);
	}
	return err;
}

/* On a terminal, some times a second. */
static void show_progress(const struct filchi_dupes_run *run, size_t group, struct timespec *last)
{
	struct timespec now;

	if (!isatty(STDERR_FILENO))
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (group == run->found.count && last->tv_nsec) {
		fputs("\r\033[K", stderr);
	} else if (now.tv_sec != last->tv_sec) {
		if (last->tv_nsec)
			fprintf(stderr, "\r\033[K%zu of %zu groups %s", group, run->found.count,
				run->set->yes ? filchi_dupes_done_word(run->set->action) : "checked");
		*last = now;
		last->tv_nsec |= 1; /* not 0: the first second is over */
	}
}

int filchi_dupes_act_all(struct filchi_dupes_run *run)
{
	int err = run->set->log ? filchi_dupes_log_open(run) : 0, closed;
	struct timespec shown = {0};

	run->stop = false; /* a limit of time was for the search */
	sigaction(SIGIO, &(struct sigaction){.sa_handler = SIG_IGN},
		  NULL); /* another process waits for a lease to end */
	for (size_t i = 0; i < run->found.count && !err; i++) {
		show_progress(run, i, &shown);
		err = act_on_group(run, &run->found.groups[i]);
	}
	show_progress(run, run->found.count, &shown);
	closed = filchi_dupes_log_close(run);
	return err ? err : closed;
}
