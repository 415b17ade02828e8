// SPDX-License-Identifier: Apache-2.0
//
// boost.cpp MEASURE SECONDS: the loops of sample.c with boost.fiber, in one thread. Writes wall ns and CPU ns of one
// operation, and the number of operations. Stacks come from a pool, as those of filch do.
#include <boost/fiber/all.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

namespace fibers = boost::fibers;

static double end_ns;

static double now(clockid_t clock)
{
	timespec t;

	clock_gettime(clock, &t);
	return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

static bool is_over()
{
	return now(CLOCK_MONOTONIC) >= end_ns;
}

enum { YIELDERS = 16, BATCH = 1000 };

template <class F> static fibers::fiber start(F fn)
{
	static fibers::pooled_fixedsize_stack stacks(65536);

	return fibers::fiber(std::allocator_arg, stacks, fn);
}

static std::uint64_t loop_switch()
{
	std::vector<fibers::fiber> all;
	std::uint64_t count = 0;

	for (int i = 0; i < YIELDERS; i++)
		all.push_back(start([&count] {
			do {
				for (int n = 0; n < BATCH; n++)
					boost::this_fiber::yield();
				count += BATCH;
			} while (!is_over());
		}));
	for (auto &f : all)
		f.join();
	return count;
}

static std::uint64_t loop_spawn()
{
	std::uint64_t count = 0;

	do {
		for (int i = 0; i < BATCH; i++)
			start([] {}).join();
		count += BATCH;
	} while (!is_over());
	return count;
}

static std::uint64_t loop_channel()
{
	fibers::unbuffered_channel<std::uint64_t> there, back;
	std::uint64_t value = 0, answer = 0;
	fibers::fiber f = start([&there, &back] {
		std::uint64_t got;

		while (there.pop(got) == fibers::channel_op_status::success)
			back.push(got);
	});

	do {
		for (int i = 0; i < BATCH; i++) {
			there.push(++value);
			back.pop(answer);
			if (answer != value)
				std::exit(1);
		}
	} while (!is_over());
	there.close();
	f.join();
	return value;
}

int main(int argc, char **argv)
{
	std::uint64_t count = 0;
	double wall, cpu;

	if (argc != 3)
		return 2;
	wall = now(CLOCK_MONOTONIC);
	cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	end_ns = wall + std::atof(argv[2]) * 1e9;
	start([&count, argv] {
		if (!std::strcmp(argv[1], "switch"))
			count = loop_switch();
		else if (!std::strcmp(argv[1], "spawn"))
			count = loop_spawn();
		else if (!std::strcmp(argv[1], "channel"))
			count = loop_channel();
	}).join();
	if (!count)
		return 2;
	wall = now(CLOCK_MONOTONIC) - wall;
	cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	std::printf("%.3f %.3f %.0f\n", wall / static_cast<double>(count), cpu / static_cast<double>(count),
		    static_cast<double>(count));
	return 0;
}
