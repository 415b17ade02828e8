#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The lint of the errata must reject each violation of its rule.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
errata() { sh "$here/errata.sh" "$1" "$1/printed"; }
lint=errata

inject printed <<'END'
#!/bin/sh
cat <<'TRACES'
slot_race              data race, found after 2 executions; the shortest trace has 2 steps
slot_race: data race on slot[0] between T0 (printed_one.c:12) and T1 (printed_one.c:34)
   1  T0  start
   2  T0  store     bottom         <- 1       sc       [8: bottom++]
      T1  read      slot[0]        -> 1       plain
      replay: chk1:0

lost                   assertion failed, found after 0 executions; the shortest trace has 1 steps
lost: assertion failed: item 1 is lost (printed.h:176)
   1  T0  start

2 of 2 as expected
TRACES
END
chmod +x "$tree/printed"

# says: puts standard input into docs/errata.md, as a block of code.
says() {
	{
		printf 'Text: none of it counts.\n\n```\n'
		cat
		printf '```\n\n```\nbuild/something --print   # other code\n```\n'
	} | inject docs/errata.md
}

says <<'END'
slot_race: data race on slot[0] between T0 (printed_one.c:12) and T1 (...:34)
   2  T0  store   bottom   <- 1   sc   [8: bottom++]
      T1  read      slot[0]        -> 1       plain
END
accepts "a trace with a line left out and other blanks"
says <<'END'
lost: assertion failed: item 1 is lost
END
accepts "an assertion wherever it stands"

says <<'END'
slot_race: data race on slot[0] between T0 (printed_one.c:12) and T1 (...:35)
END
rejects "another first line" "errata.md:4: no printed algorithm prints"
says <<'END'
lost: item 1 is lost
END
rejects "half a first line" "errata.md:4: no printed algorithm prints"
says <<'END'
slot_race: data race on slot[0] between T0 (printed_one.c:12) and T1 (...:34)
   3  T0  store     bottom         <- 1       sc       [8: bottom++]
END
rejects "another step" "errata.md:5: this line is not in the trace"
says <<'END'
lost: assertion failed: item 1 is lost
   2  T0  store     bottom         <- 1       sc       [8: bottom++]
END
rejects "a step of another trace" "errata.md:5: this line is not in the trace"
says </dev/null
rejects "errata without a trace" "no traces found"

inject printed <<'END'
#!/bin/sh
exit 1
END
rejects "a printed algorithm that fails" "printed --print fails"
exit $failed
