/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the actions. Reasons are errno values, or of enum filchi_dupes_reason; 0: it was done. */
#ifndef FILCHI_DUPES_ACT_H
#define FILCHI_DUPES_ACT_H

#include "dupes.h"

#include <sys/stat.h>

/* keep.c: puts the file to keep first, or the first of each device, and sets the fate of all files. 0 or -ENOMEM. */
int filchi_dupes_keep(struct filchi_dupes_run *run, struct filchi_dupes_group *group);

/* act.c: acts on all groups, or only checks that it could without --yes. 0, or -errno if it cannot go on. */
int filchi_dupes_act_all(struct filchi_dupes_run *run);
const char *filchi_dupes_fate_word(const struct filchi_dupes_run *run, const struct filchi_dupes_file *file);

/* check.c: two files that were compared, open. Leases keep writers away until they are closed, where possible. */
struct filchi_dupes_pair {
	int kept_fd, fd, dir_fd; /* dir_fd: the directory of the name that goes */
	bool kept_leased, leased;
	struct statx kept, file;
};
/* file has the status to expect, and name is that file or another name of it. */
int filchi_dupes_pair_open(struct filchi_dupes_pair *pair, const struct filchi_dupes_file *kept,
			   const struct filchi_dupes_file *file, const struct filchi_dupes_file *name);
/* Compares the bytes. Afterwards both files still have the status from before, and no writer waits for them. */
int filchi_dupes_pair_compare(const struct filchi_dupes_pair *pair);
/* Whether the name of the kept file still leads to it. */
bool filchi_dupes_pair_keeps(const struct filchi_dupes_pair *pair, const struct filchi_dupes_file *kept);
void filchi_dupes_pair_close(struct filchi_dupes_pair *pair);
int64_t filchi_dupes_changed_at(int fd); /* ctime in nanoseconds; -1: unknown */

/* aside.c: a folder beside a name, which only this user can enter, with one file in it: FILCHI_DUPES_FILE. */
#define FILCHI_DUPES_FILE "file"
struct filchi_dupes_aside {
	int dir, fd; /* dir: the directory that has the folder */
	char name[32];
	bool precious; /* its file stays if it cannot get the name */
};
/* An inode. The device as in the log. */
struct filchi_dupes_id {
	uint64_t ino;
	uint32_t major, minor;
};
void filchi_dupes_aside_name(struct filchi_dupes_aside *aside); /* chooses a name that nobody can guess */
bool filchi_dupes_aside_is_name(const char *name);
int filchi_dupes_aside_make(struct filchi_dupes_aside *aside, int dir);
/* Opens the folder that an earlier process has left. ENOENT: there is none. */
int filchi_dupes_aside_open(struct filchi_dupes_aside *aside, int dir, const char *name);
void filchi_dupes_aside_end(struct filchi_dupes_aside *aside);
/*
 * Gives the name to the file that was made aside. The name must be of the inode `old`, and then lead to the inode
 * `new`: otherwise all is put back. The old name is gone afterwards. No other inode is ever deleted.
 */
int filchi_dupes_replace(struct filchi_dupes_aside *aside, const char *name, struct filchi_dupes_id old,
			 struct filchi_dupes_id new);
/* Moves a file of the inode `old` into the folder. Then it is deleted, or goes back to its name. */
int filchi_dupes_take(struct filchi_dupes_aside *aside, const char *name, struct filchi_dupes_id old);
int filchi_dupes_drop(struct filchi_dupes_aside *aside, const char *name);
int filchi_dupes_give_back(struct filchi_dupes_aside *aside, const char *name);
/* The inode of a name; flags: 0 follows a symbolic link, AT_SYMLINK_NOFOLLOW does not. false: there is none. */
bool filchi_dupes_identify(int dir, const char *name, int flags, struct filchi_dupes_id *id);
bool filchi_dupes_same_id(struct filchi_dupes_id a, struct filchi_dupes_id b);

/* reflink.c: shares the blocks of both files. The kernel compares them first. */
int filchi_dupes_reflink(const struct filchi_dupes_pair *pair);
bool filchi_dupes_shared(const struct filchi_dupes_pair *pair);

/* log.c: one line before each action, and one after it. */
struct filchi_dupes_entry {
	char *action;
	char *root, *below;			      /* the DIR, absolute, and the path of the name below it */
	char *kept_root, *kept_below;		      /* of the kept file */
	char *aside;				      /* the folder beside the name */
	struct filchi_dupes_id root_id, kept_root_id; /* of the DIRs */
	struct filchi_dupes_id kept, old;	      /* of the kept file, and of the file that the name had */
	uint64_t size;
	int64_t kept_mtime, mtime; /* nanoseconds */
	unsigned mode, uid, gid;
};
int filchi_dupes_log_open(struct filchi_dupes_run *run);
int filchi_dupes_log_close(struct filchi_dupes_run *run);
int filchi_dupes_log_begin(struct filchi_dupes_run *run, const struct filchi_dupes_pair *pair,
			   const struct filchi_dupes_file *kept, const struct filchi_dupes_file *name,
			   const char *aside);
int filchi_dupes_log_end(struct filchi_dupes_run *run, bool done);
/* Reads an entry from a line, in place. false: it is none. */
bool filchi_dupes_log_read(char *line, struct filchi_dupes_entry *entry);
#define FILCHI_DUPES_LOG_FIRST "filch dupes log 1"

/*
 * restore.c: takes one action back, or only checks that it could without --yes. finished: the log has its end.
 * Otherwise the name may still be as it was before.
 */
#define FILCHI_DUPES_NEVER_DONE (-100) /* a reason: the process ended before the action changed anything */
int filchi_dupes_restore(struct filchi_dupes_entry *entry, bool finished, const struct filchi_dupes_settings *set);
/* undo.c: takes the actions of a log back, the last one first. Returns the exit code. */
int filchi_dupes_undo(const char *command, const struct filchi_dupes_settings *set);

const char *filchi_dupes_action_word(enum filchi_dupes_action action); /* link */
const char *filchi_dupes_done_word(enum filchi_dupes_action action);   /* linked */

#endif
