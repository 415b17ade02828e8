#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fiber_cxx.sh ROOT LIBRARY...: C++ on the stack of a fiber: exceptions that are thrown and caught there, around and across waits,
# and destructors.
set -eu
root=$1
shift
if ! command -v c++ >/dev/null; then
	echo "skipped: no C++ compiler"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/fiber.cpp" <<'END'
#include <filch.h>
#include <filch/fiber.h>

#include <cstdio>
#include <stdexcept>
#include <string>

static int destroyed;

struct guard {
	~guard() { destroyed++; }
};

static void thrower(int n)
{
	guard g;

	filch_fiber_yield();
	if (n % 2)
		throw std::runtime_error("odd " + std::to_string(n));
}

static int body(void *, void **)
{
	int caught = 0;

	for (int i = 0; i < 10; i++)
		try {
			thrower(i);
		} catch (const std::runtime_error &e) {
			caught += std::string(e.what()) == "odd " + std::to_string(i);
		}
	return caught;
}

/* Each waits inside of handlers, and while an exception is in flight; the others go on in between. */
struct waiter {
	~waiter() { filch_fiber_yield(); }
};

static int handler(void *arg, void **)
{
	const std::string name = "exception of fiber " + std::to_string(reinterpret_cast<long>(arg));
	int right = 0;

	for (int i = 0; i < 20; i++)
		try {
			try {
				waiter w;

				throw std::runtime_error(name);
			} catch (const std::runtime_error &e) {
				for (long turns = reinterpret_cast<long>(arg); turns >= 0; turns--)
					filch_fiber_yield();
				right += e.what() == name;
				try {
					throw std::logic_error(name + " inside");
				} catch (const std::logic_error &inner) {
					filch_fiber_sleep(1000);
					right += inner.what() == name + " inside";
				}
				throw;
			}
		} catch (const std::exception &e) {
			filch_fiber_yield();
			right += e.what() == name && !std::uncaught_exception();
		}
	return right;
}

/* A job that waits in a handler runs fibers meanwhile. */
static int job(void *arg, void **result)
{
	struct filch_fiber *f[4];

	try {
		throw std::runtime_error("of the job");
	} catch (const std::runtime_error &e) {
		for (auto &fiber : f)
			if (filch_fiber_start(&fiber, nullptr, handler, arg, nullptr))
				return 1;
		for (auto &fiber : f)
			if (filch_fiber_join(fiber, nullptr) != 60)
				return 2;
		return handler(arg, result) == 60 && e.what() == std::string("of the job") ? 7 : 3;
	}
}

static int handlers(int workers, int migrate)
{
	struct filch_options o = {};
	struct filch_fiber_settings s = {};
	struct filch_fiber *f[10];
	struct filch_future *future;

	o.struct_size = sizeof(o);
	o.workers = workers;
	s.struct_size = sizeof(s);
	s.migrate = migrate;
	if (filch_start(&o) || filch_fiber_setup(nullptr, &s) || filch_pool_submit(nullptr, job, nullptr, &future))
		return 1;
	for (long i = 0; i < 10; i++)
		if (filch_fiber_start(&f[i], nullptr, handler, reinterpret_cast<void *>(i), nullptr))
			return 2;
	for (auto &fiber : f)
		if (filch_fiber_join(fiber, nullptr) != 60)
			return 3;
	if (filch_future_wait(future, nullptr) != 7)
		return 4;
	filch_future_destroy(future);
	return filch_stop();
}

int main()
{
	struct filch_options o = {};
	struct filch_fiber *f[10];

	o.struct_size = sizeof(o);
	o.workers = 1; /* destroyed is no atomic */
	if (filch_start(&o))
		return 1;
	for (auto &fiber : f)
		if (filch_fiber_start(&fiber, nullptr, body, nullptr, nullptr))
			return 2;
	for (auto &fiber : f)
		if (filch_fiber_join(fiber, nullptr) != 5)
			return 3;
	filch_stop();
	std::printf("%d destructors\n", destroyed);
	if (handlers(1, FILCH_FIBER_PINNED) || handlers(3, FILCH_FIBER_FREE))
		return 4;
	return destroyed != 100;
}
END
c++ -std=c++11 -O2 -Wall -Wextra -Wpedantic -Werror -I "$root/include" "$scratch/fiber.cpp" "$@" -pthread -ldl -o "$scratch/fiber"
"$scratch/fiber"
