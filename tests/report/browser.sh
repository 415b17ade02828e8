#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# browser.sh WRITE ARTEFACTS: tests the pages that the program WRITE makes in a headless Chromium, in a wide and in a
# narrow
# window: an empty console, no overflow, no overlapping text, working controls (selftest.js). Pictures of the sample,
# light
# and dark, stay in the folder ARTEFACTS.
set -eu
write=$1
artefacts=$2
here=$(cd "$(dirname "$0")" && pwd)

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
	echo "skipped: no chromium"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$artefacts" "$work/sample" "$work/awkward"

# browse ARGUMENT...: the output is in $work/out, the console in $work/console. Each run has a new profile, because the
# page
# remembers its theme.
browse() {
	rm -rf "$work/profile"
	code=0
	HOME=$work timeout 1000 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
		--no-first-run --disable-background-networking --disable-extensions --disable-sync \
		--user-data-dir="$work/profile" --enable-logging=stderr --v=0 "$@" \
		>"$work/out" 2>"$work/err" </dev/null || code=$?
	grep CONSOLE "$work/err" >"$work/console" || true
	if [ "$code" != 0 ]; then
		echo "FAILED: $browser: exit code $code"
		tail -n 5 "$work/err"
		exit 1
	fi
}

# page_with NAME HTML: makes a copy of each page, NAME.html, with the HTML at its end.
page_with() {
	for kind in sample awkward; do
		sed '/^<\/body>$/,$d' "$work/$kind/index.html" >"$work/$kind/$1.html"
		printf '%s\n</body>\n</html>\n' "$2" >>"$work/$kind/$1.html"
	done
}

# PNG files are left out, because no page shows them.
PATH=$work "$write" sample "$work/sample"
PATH=$work "$write" awkward "$work/awkward"
page_with self "<script>
$(cat "$here/selftest.js")
</script>"
page_with dark "<script>addEventListener('load', () => {
	const button = document.getElementById('_theme');
	while (button.textContent !== 'Theme: dark') button.click();
});</script>"

# Shows the pages in frames of both widths, and prints the results, one line each, when all have reported.
cat >"$work/all.html" <<'END'
<!DOCTYPE html>
<meta charset="utf-8">
<pre id="found"></pre>
<script>
const pages = [["sample", 1360], ["sample", 390], ["awkward", 1360], ["awkward", 390]];
let left = pages.length;
console.error("injected");
addEventListener("message", ({ data }) => {
	for (const line of data.found)
		found.textContent += "[" + data.width + "] " + line.replace(/\s+/g, " ") + "\n";
	if (!--left)
		found.textContent += "all said\n";
});
for (const [page, width] of pages) {
	const frame = document.createElement("iframe");

	frame.src = page + "/self.html";
	frame.style = "border: 0; width: " + width + "px; height: 900px";
	document.body.append(frame);
}
</script>
END
# The budget is of a virtual clock that runs only while the page is idle.
browse --window-size=1400,1000 --virtual-time-budget=60000 --dump-dom "file://$work/all.html"
failed=0
if ! grep -q '^all said' "$work/out"; then
	echo "FAILED: not all pages came to their end"
	failed=1
fi
# The line that all.html writes itself proves that the console is captured.
if [ "$(grep -c injected "$work/console")" != 1 ] || grep -v injected "$work/console"; then
	echo "FAILED: these lines are on the console, or the one that should be is not"
	failed=1
fi
if grep '\] FAILED: ' "$work/out"; then
	failed=1
fi
echo "$(grep -c '\] ok: ' "$work/out") checks ok"

# A wide window, and a narrow one in light and dark.
cat >"$work/shot.html" <<'END'
<!DOCTYPE html>
<style>body { margin: 0; display: flex } iframe { border: 0; height: 5900px; width: 390px } .desk { width: 1360px }</style>
<iframe class="desk" src="sample/index.html"></iframe>
<iframe src="sample/index.html"></iframe><iframe src="sample/dark.html"></iframe>
END
browse --window-size=2140,5900 --screenshot="$artefacts/page.png" "file://$work/shot.html"
if ! [ -s "$artefacts/page.png" ]; then
	echo "FAILED: no picture"
	failed=1
fi
echo "to look at: $artefacts/page.png"
exit $failed
