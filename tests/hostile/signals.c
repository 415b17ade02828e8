/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that arrive at any moment: no wait ends early, no wake-up is lost, and all masks are the masks of the
 * program.
 */
#include "../fixtures/hostile.h"

#include <spawn.h>
#include <sys/time.h>

extern char **environ;

static atomic_int handled;
static atomic_int over;

static void handler(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
}

static void handle(int signal, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	HOSTILE_CHECK(!sigaction(signal, &action, NULL));
}

/* Sends a signal to the thread each 50 us, until the main thread sets `over`. */
static void *pester(void *thread)
{
	while (!atomic_load(&over)) {
		pthread_kill(*(pthread_t *)thread, SIGUSR1);
		hostile_sleep(50);
	}
	return NULL;
}

static pthread_t self, pesterer;

static void begin(int flags)
{
	handle(SIGUSR1, flags);
	hostile_start(2);
	self = pthread_self();
	pesterer = hostile_thread(pester, &self);
}

static void end(void)
{
	hostile_await(&handled, 1); /* the thread may be slow to begin */
	atomic_store(&over, 1);
	pthread_join(pesterer, NULL);
}

static int timed_sleep(void *arg, void **result)
{
	hostile_sleep(5000);
	return hostile_count(arg, result);
}

/* ---- waits of the main thread ---- */

static void wait_for_sleeps(void)
{
	atomic_int count = 0;

	for (int i = 0; i < 6; i++)
		HOSTILE_CHECK(hostile_job(NULL, timed_sleep, &count) == 0 && atomic_load(&count) == i + 1);
}

static void wait_interrupted(void)
{
	begin(0);
	wait_for_sleeps();
	end();
	hostile_use_and_stop();
}

static void wait_restarted(void)
{
	begin(SA_RESTART);
	wait_for_sleeps();
	end();
	hostile_use_and_stop();
}

static int hold(void *gate, void **result)
{
	(void)result;
	hostile_await(gate, 1);
	return 0;
}

/* The wait returns when the time is over. It returns no earlier, and signals do not prolong it without end. */
static void time_limit_interrupted(void)
{
	atomic_int gate = 0;
	struct filch_future *f;
	uint64_t start;

	begin(0);
	HOSTILE_CHECK(filch_pool_submit(NULL, hold, &gate, &f) == 0);
	start = hostile_ns();
	HOSTILE_CHECK(filch_future_wait_for(f, 30000000, NULL) == -ETIMEDOUT);
	HOSTILE_CHECK(hostile_ns() - start >= 30000000);
	atomic_store(&gate, 1);
	HOSTILE_CHECK(filch_future_wait(f, NULL) == 0);
	filch_future_destroy(f);
	end();
	hostile_use_and_stop();
}

static void group_interrupted(void)
{
	struct filch_group *g;
	atomic_int count = 0;

	begin(0);
	HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
	for (int i = 0; i < 8; i++)
		HOSTILE_CHECK(filch_group_submit(g, timed_sleep, &count) == 0);
	HOSTILE_CHECK(filch_group_wait(g) == 0 && atomic_load(&count) == 8);
	HOSTILE_CHECK(filch_group_destroy(g) == 0);
	end();
	hostile_use_and_stop();
}

static void stop_interrupted(void)
{
	atomic_int count = 0;

	begin(0);
	for (int i = 0; i < 8; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, timed_sleep, &count, NULL) == 0);
	HOSTILE_CHECK(filch_stop() == 0 && atomic_load(&count) == 8);
	end();
}

static void compute_interrupted(void)
{
	begin(0);
	for (int i = 0; i < 30; i++)
		hostile_use(NULL);
	end();
	hostile_use_and_stop();
}

/* ---- workers ---- */

static pthread_t workers[8];
static atomic_int begun;

static void note_worker(int worker, void *context)
{
	(void)context;
	workers[worker] = pthread_self();
	atomic_fetch_add(&begun, 1);
}

static void *pester_workers(void *unused)
{
	while (!atomic_load(&over))
		for (int i = 0; i < 2; i++) {
			pthread_kill(workers[i], SIGUSR1);
			hostile_sleep(50);
		}
	return unused;
}

/* Workers may be running jobs, or asleep. */
static void workers_interrupted(void)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 2, .stack = 1 << 20, .worker_begin = note_worker};

	handle(SIGUSR1, 0);
	HOSTILE_CHECK(filch_start(&options) == 0);
	hostile_await(&begun, 2);
	pesterer = hostile_thread(pester_workers, NULL);
	for (int i = 0; i < 20; i++) {
		hostile_use(NULL);
		hostile_sleep(500);
	}
	end();
	hostile_use_and_stop();
}

static int raise_here(void *unused, void **result)
{
	(void)unused;
	(void)result;
	for (int i = 1; i <= 10; i++) {
		HOSTILE_CHECK(!pthread_kill(pthread_self(), SIGUSR1));
		HOSTILE_CHECK(atomic_load(&handled) == i);
	}
	return 0;
}

/* A handler runs in a job as it does in any thread. */
static void raised_in_job(void)
{
	handle(SIGUSR1, 0);
	hostile_start(2);
	HOSTILE_CHECK(hostile_job(NULL, raise_here, NULL) == 0);
	hostile_use_and_stop();
}

static void timers(void)
{
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

	handle(SIGALRM, 0);
	handle(SIGPROF, SA_RESTART);
	hostile_start(2);
	HOSTILE_CHECK(!setitimer(ITIMER_REAL, &often, NULL) && !setitimer(ITIMER_PROF, &often, NULL));
	for (int i = 0; i < 30; i++)
		hostile_use(NULL);
	wait_for_sleeps();
	HOSTILE_CHECK(filch_stop() == 0);
	hostile_start(2);
	HOSTILE_CHECK(!setitimer(ITIMER_REAL, &never, NULL) && !setitimer(ITIMER_PROF, &never, NULL));
	HOSTILE_CHECK(atomic_load(&handled) > 0);
	hostile_use_and_stop();
}

static void stop_and_continue(void *parent)
{
	for (int i = 0; i < 20; i++) {
		kill(*(pid_t *)parent, SIGSTOP);
		hostile_sleep(500);
		kill(*(pid_t *)parent, SIGCONT);
		hostile_sleep(500);
	}
}

/* The whole process stops now and then. */
static void stopped_process(void)
{
	pid_t here = getpid(), child = fork();

	HOSTILE_CHECK(child >= 0);
	if (!child) {
		stop_and_continue(&here);
		_exit(0);
	}
	hostile_start(2);
	do
		hostile_use(NULL);
	while (waitpid(child, NULL, WNOHANG) == 0);
	hostile_use_and_stop();
}

/* ---- masks ---- */

static int has_mask(void *unused, void **result)
{
	sigset_t mask;

	(void)unused;
	(void)result;
	HOSTILE_CHECK(!pthread_sigmask(SIG_BLOCK, NULL, &mask));
	HOSTILE_CHECK(sigismember(&mask, SIGUSR2) == 1);
	HOSTILE_CHECK(!sigismember(&mask, SIGTERM) && !sigismember(&mask, SIGINT) && !sigismember(&mask, SIGUSR1));
	HOSTILE_CHECK(!sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGBUS) && !sigismember(&mask, SIGCHLD));
	return 0;
}

static void *has_mask_main(void *unused)
{
	has_mask(NULL, NULL);
	return unused;
}

static int start_thread(void *unused, void **result)
{
	(void)unused;
	(void)result;
	pthread_join(hostile_thread(has_mask_main, NULL), NULL);
	return 0;
}

static void block(int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	HOSTILE_CHECK(!pthread_sigmask(SIG_BLOCK, &set, NULL));
}

/* Workers have the mask of the creator, and so have threads that a job starts. The mask of the creator stays. */
static void masks(void)
{
	block(SIGUSR2);
	hostile_start(2);
	has_mask(NULL, NULL);
	for (int i = 0; i < 10; i++)
		HOSTILE_CHECK(hostile_job(NULL, has_mask, NULL) == 0);
	HOSTILE_CHECK(hostile_job(NULL, start_thread, NULL) == 0);
	hostile_use_and_stop();
	has_mask(NULL, NULL);
}

/* A spare replaces the worker while the worker has all signals blocked. */
static int block_all(void *unused, void **result)
{
	struct filch_future *f;
	sigset_t all, before;

	(void)unused;
	(void)result;
	sigfillset(&all);
	HOSTILE_CHECK(!pthread_sigmask(SIG_SETMASK, &all, &before));
	HOSTILE_CHECK(filch_pool_submit(NULL, has_mask, NULL, &f) == 0);
	filch_blocking_begin();
	while (filch_future_try_wait(f, NULL) == -EAGAIN)
		hostile_sleep(100);
	filch_blocking_end();
	HOSTILE_CHECK(!pthread_sigmask(SIG_SETMASK, &before, NULL));
	filch_future_destroy(f);
	return 0;
}

static void mask_of_spare(void)
{
	block(SIGUSR2);
	hostile_start(1);
	HOSTILE_CHECK(hostile_job(NULL, block_all, NULL) == 0);
	hostile_use_and_stop();
}

static int start_programs(void *unused, void **result)
{
	char *argv[] = {"sh", "-c", "kill -TERM $$; exit 0", NULL};
	int status = 0;
	pid_t pid;

	(void)unused;
	(void)result;
	status = system("kill -INT $$; exit 0");
	HOSTILE_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	HOSTILE_CHECK(!posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ));
	HOSTILE_CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	return 0;
}

static void mask_of_programs(void)
{
	hostile_start(2);
	HOSTILE_CHECK(hostile_job(NULL, start_programs, NULL) == 0);
	hostile_use_and_stop();
}

static int send_to_process(void *unused, void **result)
{
	(void)unused;
	(void)result;
	return kill(getpid(), SIGUSR2);
}

/* A program that takes its signals with sigwait() gets them, whichever thread sends them. */
static void sigwait_program(void)
{
	sigset_t set;
	int signal = 0;

	block(SIGUSR2);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	hostile_start(2);
	for (int i = 0; i < 20; i++) {
		HOSTILE_CHECK(filch_pool_submit(NULL, send_to_process, NULL, NULL) == 0);
		HOSTILE_CHECK(!sigwait(&set, &signal) && signal == SIGUSR2);
	}
	hostile_use_and_stop();
}

/* ---- faults ---- */

static void leave(int signal)
{
	(void)signal;
	_exit(TEST_PASS);
}

static int fault(void *unused, void **result)
{
	(void)unused;
	(void)result;
	return raise(SIGSEGV);
}

/* The library leaves handlers of the program alone. */
static void own_handler(void)
{
	struct sigaction action = {.sa_handler = leave}, now;

	HOSTILE_CHECK(!sigaction(SIGSEGV, &action, NULL));
	hostile_start(2);
	HOSTILE_CHECK(!sigaction(SIGSEGV, NULL, &now) && now.sa_handler == leave);
	hostile_use(NULL);
	(void)hostile_job(NULL, fault, NULL);
	_exit(TEST_FAIL);
}

/* A handler that the program installs while the pool runs stays when the pool ends. */
static void later_handler(void)
{
	struct sigaction action = {.sa_handler = leave}, now;

	hostile_start(2);
	HOSTILE_CHECK(!sigaction(SIGSEGV, &action, NULL));
	hostile_use_and_stop();
	HOSTILE_CHECK(!sigaction(SIGSEGV, NULL, &now) && now.sa_handler == leave);
}

static void fault_in_job(void *unused)
{
	(void)unused;
	hostile_start(2);
	(void)hostile_job(NULL, fault, NULL);
}

static void fault_ends(void)
{
	int status = hostile_child(fault_in_job, NULL);

	HOSTILE_CHECK(TEST_SANITIZED || (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV));
	HOSTILE_CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != TEST_PASS);
}

static const struct hostile_case cases[] = {
	{"wait_interrupted", wait_interrupted, false},
	{"wait_restarted", wait_restarted, false},
	{"time_limit_interrupted", time_limit_interrupted, false},
	{"group_interrupted", group_interrupted, false},
	{"stop_interrupted", stop_interrupted, false},
	{"compute_interrupted", compute_interrupted, true},
	{"workers_interrupted", workers_interrupted, true},
	{"raised_in_job", raised_in_job, false},
	{"timers", timers, false},
	{"stopped_process", stopped_process, false},
	{"masks", masks, false},
	{"mask_of_spare", mask_of_spare, false},
	{"mask_of_programs", mask_of_programs, false},
	{"sigwait_program", sigwait_program, false},
	{"own_handler", own_handler, false},
	{"later_handler", later_handler, false},
	{"fault_ends", fault_ends, false},
};

HOSTILE_MAIN(cases)
