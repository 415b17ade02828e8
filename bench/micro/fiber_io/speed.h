/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of fiber_io_speed. */
#ifndef FILCHI_FIBER_IO_SPEED_H
#define FILCHI_FIBER_IO_SPEED_H

#include <filch.h>
#include <filch/fiber.h>
#include <filch/io.h>

/* Ends the program if err is not 0. */
void check(int err, const char *what);
/* Processor time of the process, in ns. */
uint64_t cpu_ns(void);
uint64_t clock_ns(void);

/* Requests of 64 bytes to a server with one thread: requests per second, and processor time of the server for each. */
struct echo_result {
	double per_second, cpu_ns;
};
/* How the server works. */
enum echo_kind { ECHO_EPOLL, ECHO_FIBERS, ECHO_KINDS };
struct echo_result echo_measure(enum echo_kind kind, unsigned connections, double seconds);

#endif
