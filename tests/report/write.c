/* SPDX-License-Identifier: Apache-2.0 */
/* write sample|awkward FOLDER: writes that report to FOLDER, for browser.sh. */
#include "reports.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char where[4096];
	bool pictures;
	int err;

	if (argc != 3 || (strcmp(argv[1], "sample") && strcmp(argv[1], "awkward")))
		return 2;
	err = filchi_page_write(*argv[1] == 's' ? sample_report() : awkward_report(), argv[2], &pictures, where);
	if (err) {
		fprintf(stderr, "%s: %s\n", where, strerror(-err));
		return 1;
	}
	printf("pictures: %s\n", pictures ? "yes" : "no");
	return 0;
}
