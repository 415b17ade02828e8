#include <filch.h>
#include <stdio.h>

static void add(void *value, const void *right, void *arg)
{
	(void)arg;
	*(int *)value += *(const int *)right;
}

static void square(const void *in, void *out, void *arg)
{
	(void)arg;
	*(int *)out = *(const int *)in * *(const int *)in;
}

static void negate(void *arg)
{
	*(int *)arg = -*(int *)arg;
}

int main(void)
{
	int x[5] = {1, 2, 3, 4, 5}, sums[5], squares[5];
	struct filch_scan_options running = {.struct_size = sizeof running,
					     .value_size = sizeof(int),
					     .combine = add};
	struct filch_invocation calls[2] = {{negate, &x[0]}, {negate, &x[1]}};

	if (filch_start(NULL))
		return 1;
	if (filch_scan(NULL, x, sums, 5, &running) ||
	    filch_map(NULL, x, squares, 5, sizeof(int), sizeof(int), square, NULL) ||
	    filch_invoke(NULL, calls, 2)) {
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	filch_stop();
	printf("%d %d %d\n", sums[4], squares[4], x[1]);
	return sums[4] != 15 || squares[4] != 25 || x[1] != -2;
}
