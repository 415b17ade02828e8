/* SPDX-License-Identifier: Apache-2.0 */
/* oneTBB: an arena without a place for the submitting thread, so that the workers run all jobs, as with filch. */
#include "submit.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <memory>
#include <thread>

namespace
{
std::unique_ptr<oneapi::tbb::global_control> control;
std::unique_ptr<oneapi::tbb::task_arena> arena;
std::atomic<size_t> left;

int start(unsigned workers)
{
	control = std::make_unique<oneapi::tbb::global_control>(oneapi::tbb::global_control::max_allowed_parallelism,
								workers + 1);
	arena = std::make_unique<oneapi::tbb::task_arena>(static_cast<int>(workers), 0);
	arena->initialize();
	return 0;
}

void stop()
{
	arena.reset();
	control.reset();
}

void wait()
{
	for (int looks = 0; left.load(std::memory_order_acquire); looks++)
		if (looks > 100)
			std::this_thread::yield();
}

void jobs(size_t count)
{
	left = count;
	for (size_t i = 0; i < count; i++)
		arena->enqueue([] { left.fetch_sub(1, std::memory_order_release); });
	wait();
}

void single()
{
	jobs(1);
}

void stamp(uint64_t *started)
{
	left = 1;
	arena->enqueue([started] {
		*started = submit_clock();
		left.store(0, std::memory_order_release);
	});
}
} /* namespace */

extern "C" const submit_runtime submit_tbb = {"tbb", start, stop, jobs, nullptr, single, stamp, wait};
