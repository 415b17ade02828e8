/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Golomb ruler: marks at whole numbers, the first one at 0, such that all distances between two marks differ. Minimise
 * the last mark. The file, or the text on the command line, is the number of marks.
 *
 * Solution: the positions of the marks after the first one, rising.
 */
#ifndef FILCHI_PROBLEMS_GOLOMB_H
#define FILCHI_PROBLEMS_GOLOMB_H

#include "../problem.h"

#define FILCHI_GOLOMB_MARKS_MAX 24
#define FILCHI_GOLOMB_WORDS_MAX 13 /* for 832 places: a ruler of 24 marks with 774 is known */

struct filchi_golomb {
	size_t marks;
};

FILCHI_PROBLEM_FUNCTIONS(golomb);

#endif
