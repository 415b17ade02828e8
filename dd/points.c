/* SPDX-License-Identifier: Apache-2.0 */
#include "points.h"

#define BLOCK 256u /* points */
#define FIRST_POINTS 4u
#define FIRST_BLOCKS 4u

static struct filchi_dd_block *block_at(struct filchi_dd_points *p, uint32_t b)
{
	return p->blocks ? &p->blocks[b] : &p->one;
}

static uint32_t block_count(const struct filchi_dd_points *p)
{
	return p->blocks ? p->count : 1;
}

/* The last block whose first point has at least this coordinate; else the first block. */
static uint32_t find_block(struct filchi_dd_points *p, int64_t coordinate)
{
	uint32_t low = 1, high = block_count(p);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (p->blocks[middle].points[0].coordinate >= coordinate)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* The number of points of the block with at least this coordinate: they come first. */
static uint32_t find_point(const struct filchi_dd_block *block, int64_t coordinate)
{
	uint32_t low = 0, high = block->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (block->points[middle].coordinate >= coordinate)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Removes the points from number first on whose value is at most this one. True: none is left after them. */
static bool remove_points(struct filchi_dd_block *block, uint32_t first, int64_t value)
{
	uint32_t end = first;

	while (end < block->count && block->points[end].value <= value)
		end++;
	if (end > first)
		memmove(block->points + first, block->points + end, (block->count - end) * sizeof(*block->points));
	block->count -= end - first;
	return first == block->count;
}

/* Removes points from the blocks after b. */
static void remove_after(struct filchi_dd_front *f, struct filchi_dd_points *p, uint32_t b, int64_t value)
{
	uint32_t end = b + 1;

	while (end < block_count(p) && remove_points(block_at(p, end), 0, value)) {
		filchi_dd_front_give(f, p->blocks[end].points, p->blocks[end].room * sizeof(struct filchi_dd_point));
		end++;
	}
	if (end > b + 1) {
		memmove(p->blocks + b + 1, p->blocks + end, (p->count - end) * sizeof(*p->blocks));
		p->count -= end - (b + 1);
	}
}

/* False: there is no memory. */
static bool grow_block(struct filchi_dd_front *f, struct filchi_dd_block *block)
{
	uint32_t room = block->room ? 2 * block->room : FIRST_POINTS;
	struct filchi_dd_point *points = filchi_dd_front_take(f, room * sizeof(*points));

	if (!points)
		return false;
	if (block->count)
		memcpy(points, block->points, block->count * sizeof(*points));
	filchi_dd_front_give(f, block->points, block->room * sizeof(*points));
	block->points = points;
	block->room = room;
	return true;
}

/* Room for one more block. */
static bool grow_blocks(struct filchi_dd_front *f, struct filchi_dd_points *p)
{
	uint32_t room = p->room ? 2 * p->room : FIRST_BLOCKS;
	struct filchi_dd_block *blocks;

	if (p->count < p->room)
		return true;
	blocks = filchi_dd_front_take(f, room * sizeof(*blocks));
	if (!blocks)
		return false;
	if (p->blocks) {
		memcpy(blocks, p->blocks, p->count * sizeof(*blocks));
	} else {
		blocks[0] = p->one;
		p->count = 1;
	}
	filchi_dd_front_give(f, p->blocks, p->room * sizeof(*blocks));
	p->blocks = blocks;
	p->room = room;
	return true;
}

/* The second half of a full block becomes a block of its own. */
static bool split(struct filchi_dd_front *f, struct filchi_dd_points *p, uint32_t b)
{
	struct filchi_dd_block half = {.count = BLOCK / 2, .room = BLOCK};

	half.points = filchi_dd_front_take(f, BLOCK * sizeof(*half.points));
	if (!half.points)
		return false;
	if (!grow_blocks(f, p)) {
		filchi_dd_front_give(f, half.points, BLOCK * sizeof(*half.points));
		return false;
	}
	memcpy(half.points, p->blocks[b].points + BLOCK / 2, BLOCK / 2 * sizeof(*half.points));
	p->blocks[b].count = BLOCK / 2;
	memmove(p->blocks + b + 2, p->blocks + b + 1, (p->count - b - 1) * sizeof(*p->blocks));
	p->blocks[b + 1] = half;
	p->count++;
	return true;
}

static void insert(struct filchi_dd_front *f, struct filchi_dd_points *p, uint32_t b, uint32_t at,
		   struct filchi_dd_point point)
{
	struct filchi_dd_block *block = block_at(p, b);

	if (block->count == block->room) {
		if (block->room < BLOCK ? !grow_block(f, block) : !split(f, p, b))
			return;
		block = block_at(p, b);
		if (at > block->count) {
			at -= block->count;
			block = block_at(p, b + 1);
		}
	}
	memmove(block->points + at + 1, block->points + at, (block->count - at) * sizeof(*block->points));
	block->points[at] = point;
	block->count++;
}

bool filchi_dd_points_dominate(struct filchi_dd_front *f, struct filchi_dd_points *p, struct filchi_dd_point point,
			       int64_t *theta)
{
	uint32_t b = find_block(p, point.coordinate);
	struct filchi_dd_block *block = block_at(p, b);
	uint32_t at = find_point(block, point.coordinate);

	if (at) {
		struct filchi_dd_point last = block->points[at - 1];
		bool larger = last.coordinate > point.coordinate;

		if (last.value > point.value || (last.value == point.value && larger)) {
			*theta = larger ? last.value : last.value - 1;
			return true;
		}
		if (!larger && last.value == point.value)
			return false; /* it is known */
		if (!larger)
			at--; /* the same coordinate with a larger value */
	}
	if (remove_points(block, at, point.value))
		remove_after(f, p, b, point.value);
	insert(f, p, b, at, point);
	return false;
}

void filchi_dd_points_free(struct filchi_dd_front *f, struct filchi_dd_points *p)
{
	for (uint32_t b = 0; b < block_count(p); b++)
		filchi_dd_front_give(f, block_at(p, b)->points,
				     block_at(p, b)->room * sizeof(struct filchi_dd_point));
	filchi_dd_front_give(f, p->blocks, p->room * sizeof(*p->blocks));
}
