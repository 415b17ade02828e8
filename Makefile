# SPDX-License-Identifier: Apache-2.0
#
# The usual commands. CMake does the work; CMakePresets.json has the other ways to build.

JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
BUILD := build/release
# The list of installed files, for make uninstall. Each place has its own list.
MANIFEST = $(BUILD)/installed/$(subst /,-,$(DESTDIR)$(PREFIX))

# CMake runs another make, which must not inherit the options of this one.
CMAKE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake
CTEST := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL ctest
# As the preset release, for CMake before 3.25.
CONFIGURE := $(CMAKE) -S . -B $(BUILD) -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Release -DFILCH_TESTS=ON \
	-D "FILCH_VARIANTS=asan;tsan" -DCMAKE_RULE_MESSAGES=OFF -DCMAKE_TARGET_MESSAGES=OFF
BUILD_ALL := echo "building everything, also for the checker and with sanitizers, into $(BUILD): a minute or two ..."; \
	$(CMAKE) --build $(BUILD) -j $(JOBS)
TEST := cd $(BUILD) && $(CTEST) --output-on-failure -j $(JOBS)

.NOTPARALLEL:
.PHONY: build demo check check-deep install package uninstall format clean help setup setup-build

build: ## build the library and the programs into build/release (the default)
	@echo "building the library and the programs into $(BUILD): about a minute ..."
	@$(CONFIGURE) -DFILCH_DEEP=OFF >/dev/null
	@$(CMAKE) --build $(BUILD) -j $(JOBS) --target filch_shipped

demo: setup-build build ## install missing packages, build, measure for about four minutes, and write a report
	@$(BUILD)/bin/filch figures --quick --out build/report
	@sh scripts/demo_solve $(BUILD)/bin/filch build/demo

check: setup ## install missing packages, build everything, run all tests
	@$(CONFIGURE) -DFILCH_DEEP=OFF >/dev/null
	@$(BUILD_ALL)
	@$(TEST)

check-deep: setup ## run all tests with larger bounds and longer runs: takes hours
	@$(CONFIGURE) -DFILCH_DEEP=ON >/dev/null
	@$(BUILD_ALL)
	@$(TEST)

install: build ## install into PREFIX (default /usr/local), below DESTDIR if it is set
	@$(CMAKE) --install $(BUILD) --prefix "$(PREFIX)" >$(BUILD)/install.log
	@mkdir -p $(BUILD)/installed
	@cat $(BUILD)/install_manifest.txt >>"$(MANIFEST)"
	@echo >>"$(MANIFEST)"
	@echo "installed below $(DESTDIR)$(PREFIX); README.md says how to compile and link a program"

package: build ## make packages for Debian and archives, in build/release/packages
	@cd $(BUILD) && env -u MAKEFLAGS cpack -D CPACK_CMAKE_GENERATOR=Ninja -B packages >package.log
	@ls $(BUILD)/packages/*.deb $(BUILD)/packages/*.tar.gz

uninstall: ## remove the files that make install put into PREFIX
	@$(CMAKE) -DMANIFEST="$(MANIFEST)" -P cmake/FilchUninstall.cmake

format: ## format all C files as the lint requires
	@sh tests/lint/format.sh . -i

clean: ## remove the build folder
	@rm -rf build

setup:
	@sh scripts/setup

setup-build:
	@sh scripts/setup build

help: ## print this list
	@echo 'for WebAssembly: apt-get install emscripten nodejs, then docs/ports.md'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
