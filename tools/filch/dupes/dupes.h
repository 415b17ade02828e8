/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filch dupes: finds files with the same content. The steps, each in its file:
 *
 *   walk.c      a fiber per directory lists the files
 *   group.c     files of one size, hard links as one file. Large groups are split by hashes first
 *   compare.c   the files of a group are read together, block by block, and compared: only bytes are proof
 *   print.c     the result, in order
 *
 * Then, if the user wants to get rid of duplicates, in the main thread:
 *
 *   keep.c      which file of a group is kept
 *   act.c       the plan, and the action on each name
 *   check.c     both files are still what was compared, right before the action
 *   aside.c     a name gets another file, or goes, in a way that loses nothing
 *   log.c       the log of the actions; undo.c and restore.c take them back
 *
 * One fiber leads through the steps, others do the work. The main thread waits, shows progress and handles Ctrl-C.
 */
#ifndef FILCHI_DUPES_H
#define FILCHI_DUPES_H

#include <filch/fiber.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum filchi_dupes_format {
	FILCHI_DUPES_TEXT,
	FILCHI_DUPES_JSON,
	FILCHI_DUPES_CSV,
	FILCHI_DUPES_NULL,
	FILCHI_DUPES_SUMMARY
};

enum filchi_dupes_action {
	FILCHI_DUPES_NO_ACTION,
	FILCHI_DUPES_LINK,
	FILCHI_DUPES_SYMLINK,
	FILCHI_DUPES_REFLINK,
	FILCHI_DUPES_DELETE
};

#define FILCHI_DUPES_GLOBS 64
#define FILCHI_DUPES_RULES 16

/* Which file of a group is kept. */
struct filchi_dupes_rule {
	enum { FILCHI_DUPES_OLDEST, FILCHI_DUPES_NEWEST, FILCHI_DUPES_FIRST, FILCHI_DUPES_MATCHING } kind;
	const char *glob;
};

struct filchi_dupes_settings {
	uint64_t min_size, max_size;
	const char *include[FILCHI_DUPES_GLOBS], *exclude[FILCHI_DUPES_GLOBS];
	unsigned includes, excludes;
	unsigned depth;	  /* 0: no limit */
	unsigned workers; /* 0: as many as processors */
	bool no_hidden, one_file_system, isolate;
	double stop_after; /* seconds; 0: no limit */
	enum filchi_dupes_format format;
	enum filchi_dupes_action action;
	bool yes, any_owner;
	struct filchi_dupes_rule rules[FILCHI_DUPES_RULES]; /* the first one counts most */
	unsigned rule_count;
	const char *log, *undo, *io, *cache;
	unsigned readers; /* files that are read at a time; 0: by the disk */
	char **dirs;
	unsigned dir_count;
};

/* A directory. Its path is the path of its parent, a slash and its name. A DIR of the command line has no parent. */
struct filchi_dupes_dir {
	struct filchi_dupes_dir *parent;
	struct filchi_dupes_dir *next; /* while the parent is read; then of the directories that stay open */
	struct filchi_dupes_run *run;
	uint64_t ino;
	uint32_t dev, root; /* root: the number of the DIR above it */
	uint32_t depth;
	int fd; /* -1: closed. Of a DIR: open until the end. Others stay open for the comparison, if not too many */
	unsigned opens;	 /* directories in it that have not been opened yet */
	uint32_t length; /* of the name */
	char name[];
};

struct filchi_dupes_file {
	uint64_t size, ino, hash[2];
	int64_t mtime, ctime; /* nanoseconds */
	struct filchi_dupes_dir *dir;
	struct filchi_dupes_file *link; /* another name of this file */
	uint32_t dev;
	uint8_t fate; /* enum filchi_dupes_fate */
	char name[];
};

/* Of each name, if there is an action. */
enum filchi_dupes_fate {
	FILCHI_DUPES_NO_FATE,
	FILCHI_DUPES_KEPT,
	FILCHI_DUPES_PLANNED,
	FILCHI_DUPES_DONE,
	FILCHI_DUPES_SHARED, /* a reflink already */
	FILCHI_DUPES_LEFT    /* there was a problem: nothing was changed */
};

/* Files of one size; after the comparison, of one content. */
struct filchi_dupes_group {
	struct filchi_dupes_file **files;
	size_t count;
};
struct filchi_dupes_groups {
	struct filchi_dupes_group *groups;
	size_t count, room;
};

/* A file or directory that could not be used. why: an errno value, or one of these. */
enum filchi_dupes_reason {
	FILCHI_DUPES_CHANGED = -1,
	FILCHI_DUPES_WRITER = -2,	/* another process has it open for writing */
	FILCHI_DUPES_OWNER = -3,	/* owner, group or mode is not as of the kept file */
	FILCHI_DUPES_NO_REFLINKS = -4,	/* the file system has none */
	FILCHI_DUPES_NO_EXCHANGE = -5,	/* the file system cannot exchange two names */
	FILCHI_DUPES_ASIDE = -6,	/* another process was in the way: a file was left beside it */
	FILCHI_DUPES_CHANGED_SINCE = -7 /* it, or the kept file, has changed since the comparison */
};
struct filchi_dupes_problem {
	struct filchi_dupes_dir *dir;
	const char *name; /* NULL: the directory itself */
	int why;
};

struct filchi_dupes_totals {
	uint64_t files, directories, special; /* seen by the walk; special: neither file nor directory */
	uint64_t bytes;			      /* of the files */
	uint64_t to_compare, compared;	      /* bytes: at most, and so far */
	uint64_t opened;		      /* files, each as often as it was opened */
};

struct filchi_dupes_run {
	const struct filchi_dupes_settings *set;
	struct filch_pool *pool;
	unsigned crew; /* fibers that read files at a time */
	pthread_mutex_t lock;
	/* Under the lock: */
	bool stop;
	int error; /* -errno: the run cannot go on */
	struct filchi_dupes_totals totals;
	struct filchi_dupes_file **files;
	size_t file_count, file_room;
	struct filchi_dupes_groups found;
	struct filchi_dupes_problem *problems;
	size_t problem_count, problem_room;
	struct filchi_dupes_walk *walk;
	struct filchi_dupes_arena *arenas;
	struct filchi_dupes_log *log;	  /* NULL: none */
	struct filchi_dupes_cache *cache; /* NULL: none */
	/* Of the main thread: */
	sigset_t signals; /* that stop the run */
	int signal;	  /* that has stopped it; 0: none */
	/* Set before the walk: */
	struct filchi_dupes_dir **roots;
	void *memory; /* blocks of the arenas, to be freed at the end */
};

/* run.c: states that all steps use. */
void filchi_dupes_problem(struct filchi_dupes_run *run, struct filchi_dupes_dir *dir, const char *name, int why);
void filchi_dupes_fail(struct filchi_dupes_run *run, int err);
void filchi_dupes_stop(struct filchi_dupes_run *run);
bool filchi_dupes_stopped(struct filchi_dupes_run *run);
bool filchi_dupes_interrupted(struct filchi_dupes_run *run); /* by a signal; main thread only */
/* Adds bytes that were compared, and takes bytes away that need no comparison. Returns true if the run stops. */
bool filchi_dupes_advance(struct filchi_dupes_run *run, uint64_t compared, uint64_t needless);
bool filchi_dupes_found(struct filchi_dupes_run *run, struct filchi_dupes_file **files, size_t count);
/* Calls fn(arg, item) for all items below count in fibers, several at a time. need tells the bytes of the buffer. */
typedef void filchi_dupes_item_fn(struct filchi_dupes_run *run, void *arg, size_t item, unsigned char *buffer);
typedef uint64_t filchi_dupes_need_fn(const void *arg, size_t item);
int filchi_dupes_each(struct filchi_dupes_run *run, size_t count, filchi_dupes_item_fn *fn, filchi_dupes_need_fn *need,
		      void *arg);
bool filchi_dupes_grow(void **array, size_t *room, size_t count, size_t size);

/* Memory that lasts until the end of the run. An arena has one user at a time. NULL: no memory. */
struct filchi_dupes_arena *filchi_dupes_arena_take(struct filchi_dupes_run *run);
void filchi_dupes_arena_give(struct filchi_dupes_run *run, struct filchi_dupes_arena *arena);
void *filchi_dupes_alloc(struct filchi_dupes_arena *arena, size_t size);
void *filchi_dupes_arena_entries(struct filchi_dupes_arena *arena); /* FILCHI_DUPES_ENTRIES bytes for any use */
#define FILCHI_DUPES_ENTRIES 32768u
void filchi_dupes_free(struct filchi_dupes_run *run);

/* path.c: paths of any length. Each returns the length; out may be NULL, else it has room for length + 1 bytes. */
size_t filchi_dupes_path(const struct filchi_dupes_dir *dir, const char *name, char *out);
/* The same from the DIR on, without it. */
size_t filchi_dupes_path_below(const struct filchi_dupes_dir *dir, const char *name, char *out);
/* Opens a file for reading, or a directory, without following any symbolic link below the DIR. -errno on errors. */
int filchi_dupes_open(const struct filchi_dupes_dir *dir, const char *name, int flags);
/* The same for reading: through the open directory, if it is, wherever that is now. */
int filchi_dupes_open_near(const struct filchi_dupes_dir *dir, const char *name, int flags);
/* The same for a path of any length below an open directory. */
int filchi_dupes_open_below(int root, const char *path, int flags);

/* select.c */
bool filchi_dupes_matches(const char *glob, const struct filchi_dupes_dir *dir, const char *name);
bool filchi_dupes_wants_name(const struct filchi_dupes_settings *set, const struct filchi_dupes_dir *dir,
			     const char *name, bool directory);

/* walk.c: fills run->files. walk_end closes the directories that have stayed open. */
int filchi_dupes_walk(struct filchi_dupes_run *run);
void filchi_dupes_walk_end(struct filchi_dupes_run *run);

/* group.c: finds the groups of duplicates among run->files. */
int filchi_dupes_group(struct filchi_dupes_run *run);

/* compare.c */
#define FILCHI_DUPES_BUFFER 262144u /* bytes at most in the buffer of each fiber that reads */
#define FILCHI_DUPES_HEAD 16384u    /* bytes in the first block */
#define FILCHI_DUPES_TOGETHER 16u   /* files that are open at a time */
#define FILCHI_DUPES_MANY 256u	    /* files that are compared at a time, if they fit into the buffer */
bool filchi_dupes_fits(uint64_t size, size_t count); /* one call of filchi_dupes_compare can do it */
/* Finds the classes of equal files: their numbers go to class; 0: alone, or not readable. */
void filchi_dupes_compare(struct filchi_dupes_run *run, struct filchi_dupes_file **files, size_t count,
			  unsigned char *buffer, unsigned *class);
/* Opens, and checks that it is the file that the walk has seen. */
int filchi_dupes_file_open(struct filchi_dupes_run *run, struct filchi_dupes_file *file);
/* Reads n bytes at the offset. false: there was a problem, which is noted. */
bool filchi_dupes_file_read(struct filchi_dupes_run *run, struct filchi_dupes_file *file, int fd, void *buf, size_t n,
			    uint64_t offset);
/* Closes after the last read. false: the file has changed since the walk; noted. */
bool filchi_dupes_file_done(struct filchi_dupes_run *run, struct filchi_dupes_file *file, int fd);

/* Whether the status is that of the file that the walk has seen. */
struct statx;
bool filchi_dupes_is_same(const struct filchi_dupes_file *file, const struct statx *s);

/* cache.c: hashes of earlier runs. All functions do nothing without a cache. */
int filchi_dupes_cache_open(struct filchi_dupes_run *run);
bool filchi_dupes_cache_get(struct filchi_dupes_run *run, struct filchi_dupes_file *file, bool all);
void filchi_dupes_cache_put(struct filchi_dupes_run *run, const struct filchi_dupes_file *file, bool all);
int filchi_dupes_cache_close(struct filchi_dupes_run *run);

/* disk.c */
bool filchi_dupes_rotates(const char *dir);

/* hash.c */
bool filchi_dupes_hash_exists(void);
/* Hashes the first bytes, or all. false: there was a problem, which is noted. */
bool filchi_dupes_hash(struct filchi_dupes_run *run, struct filchi_dupes_file *file, bool all, unsigned char *buffer);

/* order.c, print.c, print_json.c: the result goes to standard output. complete: the run was not stopped. */
int filchi_dupes_sort(struct filchi_dupes_run *run);
struct filchi_dupes_sum {
	uint64_t groups, files, could_go, bytes;
	uint64_t done, left; /* files that the action has changed, or not because of a problem */
};
void filchi_dupes_sum(const struct filchi_dupes_run *run, struct filchi_dupes_sum *sum);
uint64_t filchi_dupes_could_go(const struct filchi_dupes_run *run, const struct filchi_dupes_group *group);
int filchi_dupes_print(struct filchi_dupes_run *run, bool complete);
int filchi_dupes_print_json(struct filchi_dupes_run *run, bool complete);
void filchi_dupes_print_problems(struct filchi_dupes_run *run, const char *command);
const char *filchi_dupes_why(int why);
char *filchi_dupes_path_new(const struct filchi_dupes_dir *dir, const char *name); /* for free() */

#endif
