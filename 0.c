#include <filch.h>
#include <stdio.h>
#include <string.h>

static int by_alphabet(const void *a, const void *b, void *arg)
{
	(void)arg;
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_length(const void *a, const void *b, void *arg)
{
	size_t x = strlen(*(const char *const *)a);
	size_t y = strlen(*(const char *const *)b);

	(void)arg;
	return (x > y) - (x < y);
}

int main(void)
{
	const char *words[] = {"pear", "fig", "plum", "apple", "date"};

	if (filch_start(NULL))
		return 1;
	if (filch_sort(NULL, words, 5, sizeof *words, by_alphabet, NULL) ||
	    filch_sort_stable(NULL, words, 5, sizeof *words, by_length, NULL)) {
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	filch_stop();
	for (int i = 0; i < 5; i++)
		printf("%s\n", words[i]);
	return strcmp(words[0], "fig") || strcmp(words[1], "date");
}
