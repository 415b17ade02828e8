#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh SOURCE: tests scripts/setup on a fake machine: its PATH is one folder, in which commands exist or not, and
# apt-get
# adds the requested ones.
set -eu
setup=$1/scripts/setup
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for command in sh mktemp rm cut sort tr sed grep tail cat env touch chmod; do
	ln -s "$(command -v $command)" "$work/$command"
done

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$work/said"
	failed=1
}

command_of() { # NAME SCRIPT
	printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
	chmod +x "$work/$1"
}

# A machine with a compiler, make and cmake. A header exists if a file of its name exists.
new_machine() {
	rm -rf "$work/headers" "$work/asked" "$work/offline"
	for name in c++ clang rsvg-convert; do rm -f "$work/$name"; done
	mkdir "$work/headers"
	command_of id 'echo 0'
	command_of make true
	command_of cmake 'echo cmake version 3.25.1'
	command_of cc "read -r line; header=\${line#*<}; test -e $work/headers/\$(echo \"\${header%%>*}\" | tr / _)"
	command_of apt-get "echo \"\$*\" >>$work/asked
if [ -e $work/offline ]; then echo 'E: no network'; exit 100; fi
case \$* in *install*) ;; *) exit 0;; esac
for package in \$*; do
	case \$package in
	libtbb-dev) touch $work/headers/oneapi_tbb_version.h;;
	libssl-dev) touch $work/headers/openssl_sha.h;;
	libxxhash-dev) touch $work/headers/xxhash.h;;
	libomp-dev) touch $work/headers/omp.h;;
	librsvg2-bin) touch $work/rsvg-convert && chmod +x $work/rsvg-convert;;
	g++) touch $work/c++ && chmod +x $work/c++;;
	esac
done"
}

# run CODE ARGUMENT...: the messages are in $work/said, the requested packages in $work/asked.
run() {
	expected=$1
	shift
	code=0
	env PATH="$work" sh "$setup" "$@" >"$work/said" 2>&1 || code=$?
	if [ $code != $expected ]; then fail "setup $*: exit code $code, not $expected"; fi
}
says() {
	grep -qF -e "$1" "$work/said" || fail "does not say: $1"
}
installs() { # PACKAGE...: these and no others
	if ! grep -qE " install $*\$" "$work/asked" || [ "$(wc -l <"$work/asked")" != 1 ]; then
		fail "does not install $*, but: $(cat "$work/asked")"
	fi
}

# For make demo: the runtimes that filch is compared with, and the converter of pictures.
new_machine
run 0 build
says "setup: installing: g++ librsvg2-bin libssl-dev libtbb-dev libxxhash-dev"
installs --no-install-recommends g[+][+] librsvg2-bin libssl-dev libtbb-dev libxxhash-dev
if grep -q missing "$work/said"; then fail "speaks of something that is missing"; fi

# A second run finds everything, does nothing and prints nothing.
rm "$work/asked"
run 0 build
if [ -s "$work/said" ] || [ -e "$work/asked" ]; then fail "not silent"; fi

# The OpenMP of clang is installed only if clang is.
new_machine
ln -s cc "$work/clang"
run 0 build
says "setup: installing: g++ libomp-dev librsvg2-bin libssl-dev libtbb-dev"

# If it cannot install a package, it continues and names the missing parts.
new_machine
touch "$work/offline"
run 0 build
says "E: no network"
says "setup: missing: <oneapi/tbb/version.h> (libtbb-dev): programs with oneTBB, for filch bench; filch bench has no runtime tbb"
says "setup: missing: rsvg-convert (librsvg2-bin): pictures of the report of filch figures as PNG; the report has SVG only"
new_machine
export FILCH_NO_INSTALL=1
run 0 build
says "setup: nothing is installed because FILCH_NO_INSTALL is set"
says "setup: missing: rsvg-convert"
if [ -e "$work/asked" ]; then fail "installs nevertheless"; fi
unset FILCH_NO_INSTALL

# It fails without a compiler.
new_machine
touch "$work/offline"
rm "$work/cc"
run 1 build
says "setup: MISSING and needed: cc (gcc libc6-dev): compiles filch"

# Tests need more packages.
new_machine
run 0
says " clang clang-format coinor-cbc g++ "
says "setup: missing: chromium (chromium): tests of that report in a browser; the test report_browser is skipped"
exit $failed
