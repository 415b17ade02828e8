# SPDX-License-Identifier: Apache-2.0
#
# The usual commands. CMake does the work; CMakePresets.json has the other ways to build.

JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
BUILD := build/release
# The files that were installed, for make uninstall. There is one list for each place.
MANIFEST = $(BUILD)/installed/$(subst /,-,$(DESTDIR)$(PREFIX))

# CMake runs its own make, which must not inherit the flags of this one.
CMAKE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
CTEST := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL ctest
CONFIGURE := $(CMAKE) --preset release -DCMAKE_RULE_MESSAGES=OFF -DCMAKE_TARGET_MESSAGES=OFF
BUILD_ALL := echo "building everything, also for the checker and with sanitizers, into $(BUILD): a minute or two ..."; \
	$(CMAKE) --build $(BUILD) -j $(JOBS)
TEST := $(CTEST) --test-dir $(BUILD) --output-on-failure -j $(JOBS)

.NOTPARALLEL:
.PHONY: build demo check check-deep install uninstall format clean help setup setup-build

build: ## build the library and the programs into build/release (the default)
	@echo "building the library and the programs into $(BUILD): about a minute ..."
	@$(CONFIGURE) -DFILCH_DEEP=OFF >/dev/null
	@$(CMAKE) --build $(BUILD) -j $(JOBS) --target filch_shipped

demo: setup-build build ## install what is missing, build, measure for two or three minutes, and make a report of it
	@$(BUILD)/bin/filch figures --quick --out build/report

check: setup ## install what is missing, build everything, run all tests
	@$(CONFIGURE) -DFILCH_DEEP=OFF >/dev/null
	@$(BUILD_ALL)
	@$(TEST)

check-deep: setup ## the same with larger bounds and longer runs: hours, not minutes
	@$(CONFIGURE) -DFILCH_DEEP=ON >/dev/null
	@$(BUILD_ALL)
	@$(TEST)

install: build ## install into PREFIX (/usr/local); DESTDIR is honoured
	@$(CMAKE) --install $(BUILD) --prefix "$(PREFIX)"
	@mkdir -p $(BUILD)/installed
	@cat $(BUILD)/install_manifest.txt >>"$(MANIFEST)"
	@echo >>"$(MANIFEST)"

uninstall: ## remove the files that make install put into PREFIX
	@$(CMAKE) -DMANIFEST="$(MANIFEST)" -P cmake/FilchUninstall.cmake

format: ## put all C files into the shape the lint wants
	@sh tests/lint/format.sh . -i

clean: ## remove all that was built
	@rm -rf build

setup:
	@sh scripts/setup

setup-build:
	@sh scripts/setup build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
