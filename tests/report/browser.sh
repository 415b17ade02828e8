#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# browser.sh WRITE ARTEFACTS: the pages that the program WRITE makes, used in a headless Chromium, in a window as on a
# desk and as on a phone: nothing on the console, nothing too wide, no text over another, all controls do what they
# should (selftest.js). Pictures of the sample, light and dark, are left in the folder ARTEFACTS to be looked at.
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

# browse ARGUMENT...: what it prints is in $work/out, what the console has in $work/console. A new profile each time:
# the page remembers its theme.
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

# page_with NAME HTML: a copy of each page, NAME.html, with something at its end.
page_with() {
	for kind in sample awkward; do
		sed '/^<\/body>$/,$d' "$work/$kind/index.html" >"$work/$kind/$1.html"
		printf '%s\n</body>\n</html>\n' "$2" >>"$work/$kind/$1.html"
	done
}

# Without the PNG files, which no page shows.
PATH=$work "$write" sample "$work/sample"
PATH=$work "$write" awkward "$work/awkward"
page_with self "<script>
$(cat "$here/selftest.js")
</script>"
page_with dark "<script>addEventListener('load', () => {
	const button = document.getElementById('_theme');
	while (button.textContent !== 'Theme: dark') button.click();
});</script>"

# The pages in frames of both widths, and what each found, one line each, when all have said so.
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
# Budget: of a clock that runs only while the page waits for nothing else.
browse --window-size=1400,1000 --virtual-time-budget=60000 --dump-dom "file://$work/all.html"
failed=0
if ! grep -q '^all said' "$work/out"; then
	echo "FAILED: not all pages came to their end"
	failed=1
fi
# The line that all.html writes itself shows that the console is seen.
if [ "$(grep -c injected "$work/console")" != 1 ] || grep -v injected "$work/console"; then
	echo "FAILED: these lines are on the console, or the one that should be is not"
	failed=1
fi
if grep '\] FAILED: ' "$work/out"; then
	failed=1
fi
echo "$(grep -c '\] ok: ' "$work/out") checks ok"

# As on a desk, and as on a phone in the light and in the dark.
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
