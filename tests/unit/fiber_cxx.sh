#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fiber_cxx.sh ROOT LIBRARY...: C++ on the stack of a fiber: exceptions that are thrown and caught there, around waits, and
# destructors.
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
	return destroyed != 100;
}
END
c++ -std=c++11 -O2 -Wall -Wextra -Wpedantic -Werror -I "$root/include" "$scratch/fiber.cpp" "$@" -pthread -ldl -o "$scratch/fiber"
"$scratch/fiber"
