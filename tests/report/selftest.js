/* browser.sh adds this to the end of a page. It uses the page as a reader would, and reports to the page around it. */
"use strict";
addEventListener("load", async () => {
	const found = [];
	const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
	const check = (name, ok, seen) => found.push((ok ? "ok" : "FAILED") + ": " + name + (ok ? "" : ": " + seen));
	const visible = (element) => element.getClientRects().length > 0;
	const guarded = async (name, act) => {
		try {
			await act();
		} catch (error) {
			check(name, false, error);
		}
	};

	function layout() {
		const width = document.documentElement.scrollWidth;
		const ids = all("[id]").map((element) => element.id);
		const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
		const lost = all("a[href^='#']").filter((a) => !document.getElementById(a.getAttribute("href").slice(1)));
		const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);

		check("nothing is wider than the window", width <= innerWidth, width + " > " + innerWidth);
		check("identifiers are unique", !twice.length, twice);
		check("links lead somewhere", !lost.length, lost);
		check("nothing else is loaded", !loaded.length, loaded);
		check("there are articles", all("article").length > 0, 0);
		check("markup of names is text", !all("main b").length, all("main b").length);
	}

	/* A shade shows that a table is wider than its box: one layer stays, one moves. */
	function shades() {
		const wide = all(".scroller").filter((scroller) => visible(scroller) && scroller.scrollWidth > scroller.clientWidth + 1);
		const says = all(".scroller.more");

		check("some table is wider than a phone", innerWidth > 720 || wide.length > 0, "none");
		check("those that are too wide say so, no others", says.length === wide.length && wide.every((scroller) => says.includes(scroller)),
			says.length + " of " + wide.length);
		for (const scroller of wide) {
			const style = getComputedStyle(scroller);
			const layers = style.backgroundAttachment.split(", ").slice(0, 6).join(" ");
			const gradients = style.backgroundImage.split("linear-gradient").length - 1;
			const shade = style.getPropertyValue("--shade"), paper = style.getPropertyValue("--card");

			check("its edges are shaded", gradients === 6 && layers === "local local local scroll scroll scroll", layers);
			check("the shade is seen", shade && shade !== paper && /[1-9a-f]$/i.test(shade), shade);
		}
	}

	/* On a phone the result comes before the list of figures, which is folded. */
	function contents() {
		const list = document.querySelector("nav details"), result = document.querySelector(".result");
		const place = (element) => element.getBoundingClientRect();
		const links = all("a", list).filter((a) => a.checkVisibility()).length;

		check("the list is folded where it is in the way", list.open === innerWidth > 1080, list.open);
		check("its links are seen or not", links === (innerWidth > 1080 ? all("article").length : 0), links);
		if (innerWidth > 1080) {
			check("it is beside the result", place(list).right <= place(result).left, place(list).right);
		} else {
			check("the result is before it", place(result).bottom <= place(list).top, place(list).top);
		}
		check("the result is before the figures", place(result).bottom <= place(document.querySelector("article")).top,
			place(result).bottom);
	}

	/* Each row is one line of text, unless it has sentences; its beginning stays when the rest moves. */
	function rows() {
		for (const table of all("table").filter(visible)) {
			const scroller = table.closest(".scroller");

			for (const cell of all("tbody td:not(.long)", table)) {
				const range = document.createRange();

				range.selectNodeContents(cell);
				const tops = new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top)));
				check("a cell is one line", tops.size <= 1, cell.textContent.slice(0, 60));
			}
			if (scroller.scrollWidth > scroller.clientWidth + 1) {
				const first = table.tBodies[0].rows[0].cells[0], before = first.getBoundingClientRect().left;

				scroller.scrollLeft = 50;
				scroller.dispatchEvent(new Event("scroll"));
				check("what a row begins with stays", Math.abs(first.getBoundingClientRect().left - before) < 1.5,
					first.getBoundingClientRect().left - before);
				scroller.scrollLeft = 0;
				scroller.dispatchEvent(new Event("scroll"));
			}
		}
	}

	/* In the drawing of each panel for this width, each text is inside the drawing and covers no other text. */
	function drawings() {
		const shown = all("svg.plot").filter(visible);
		const kind = innerWidth <= 720 ? "narrow" : "wide";

		check("half of the drawings are shown", shown.length > 0 && 2 * shown.length === all("svg.plot").length, shown.length);
		check("they are the " + kind + " ones", shown.every((svg) => svg.classList.contains(kind)), "others");
		for (const svg of shown) {
			const name = svg.querySelector("title").textContent.slice(0, 30);
			const box = svg.getBoundingClientRect();
			const texts = all("text", svg).filter((text) => text.textContent).map((text) => ({
				text: text.textContent,
				sloped: text.hasAttribute("transform"),
				at: text.getBoundingClientRect(),
			}));
			const out = texts.filter(({ at }) => at.left < box.left - 1 || at.right > box.right + 1 ||
				at.top < box.top - 1 || at.bottom > box.bottom + 1).map(({ text }) => text);
			const over = [];

			/* A line of text is higher than its letters. */
			const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
				a.top + a.height / 4 < b.bottom - b.height / 4 && b.top + b.height / 4 < a.bottom - a.height / 4;
			texts.filter(({ sloped }) => !sloped).forEach((a, i, level) => level.slice(i + 1).forEach((b) => {
				if (meet(a.at, b.at)) {
					over.push(a.text + " / " + b.text);
				}
			}));
			check("texts are inside: " + name, !out.length, out.join(", "));
			check("texts are apart: " + name, !over.length, over.join(", "));
			check("drawing has a size: " + name, box.width > 100 && box.height > 100, box.width + " x " + box.height);
		}
	}

	function sorting() {
		const units = { k: 1e3, M: 1e6 };
		const numberOf = (text) => parseFloat(text.replace(/,(?=\d{3})/g, "")) * (units[text.slice(-1)] || 1);

		for (const table of all("table")) {
			Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
				const button = head.querySelector("button");
				const cells = () => Array.from(table.tBodies[0].rows, (row) => row.cells[column].textContent);
				const before = cells().sort().join("|");

				button.focus();
				check("heading takes the focus", document.activeElement === button, document.activeElement.tagName);
				for (const [order, sign] of [["ascending", 1], ["descending", -1]]) {
					button.click();
					check("aria-sort " + order, head.getAttribute("aria-sort") === order &&
						all("[aria-sort]", table).length === 1, head.getAttribute("aria-sort"));
					if (head.classList.contains("num")) {
						const numbers = cells().map(numberOf);
						const last = numbers.filter((n) => !isNaN(n)).length;

						check("numbers are " + order, numbers.every((n, i) => i >= last ? isNaN(n) :
							!i || sign * (n - numbers[i - 1]) >= 0), numbers);
					}
				}
				check("no cell is lost", cells().sort().join("|") === before, cells());
			});
		}
	}

	function theme() {
		const button = document.getElementById("_theme");
		const paper = () => getComputedStyle(document.body).backgroundColor;
		const plot = document.querySelector(".plot .s0");
		const seen = {}, lines = {};

		check("theme can be chosen", visible(button), "hidden");
		for (let i = 0; i < 3; i++) {
			button.click();
			seen[button.textContent] = paper();
			lines[button.textContent] = plot && getComputedStyle(plot).color;
		}
		check("three themes", Object.keys(seen).length === 3, Object.keys(seen));
		check("dark is dark", seen["Theme: dark"] === "rgb(1, 4, 9)", seen["Theme: dark"]);
		check("light is light", seen["Theme: light"] === "rgb(246, 248, 250)", seen["Theme: light"]);
		check("plots change, too", !plot || lines["Theme: dark"] !== lines["Theme: light"], lines["Theme: dark"]);
	}

	async function downloads() {
		const create = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
		let blob, name;

		URL.createObjectURL = (given) => { blob = given; return "#"; };
		HTMLAnchorElement.prototype.click = function () { name = this.download; };
		for (const figure of all("article")) {
			for (const button of all("button.json", figure)) {
				const text = document.getElementById(button.dataset.of).textContent.trim();

				check("JSON can be downloaded", visible(button), "hidden");
				button.click();
				check("its name", name === figure.id + ".json", name);
				if (text) {
					const data = JSON.parse(await blob.text());

					check("it is whole", figure.id !== "bulk-6" || data.note === "<" + "/script><" + "!-- & -->", data.note);
				}
			}
			for (const button of all("button.csv", figure)) {
				const rows = all("tr", figure).length, tables = all("table", figure).length;

				check("CSV can be downloaded", visible(button), "hidden");
				button.click();
				const csv = await blob.text();
				const lines = csv.replace(/"([^"]|"")*"/g, "q").split("\r\n").length - 1;

				check("its name", name === figure.id + ".csv", name);
				check("it has all lines", lines === rows + tables + tables - 1, lines + " of " + rows);
				check("its numbers are plain", figure.id !== "bulk-6" || csv.includes("\r\n1024,2.63"), csv);
				check("it quotes", figure.id !== "thesis-5.4" || csv.includes('"a ""quoted"", <b>",0.5'), csv);
			}
		}
		URL.createObjectURL = create;
		HTMLAnchorElement.prototype.click = click;
	}

	async function copying() {
		for (const button of all("button.copy")) {
			button.click();
			/* Uses many short waits, because the clock of the test does not wait for the clipboard of another process. */
			for (let i = 0; i < 5000 && button.textContent === "Copy"; i++) {
				await new Promise((resolve) => setTimeout(resolve, 1));
			}
			check("copying says so", /^(Copied|Selected)$/.test(button.textContent), button.textContent);
		}
	}

	await guarded("layout", layout);
	await guarded("shades", shades);
	await guarded("contents", contents);
	await guarded("rows", rows);
	await guarded("drawings", drawings);
	await guarded("sorting", sorting);
	await guarded("theme", theme);
	await guarded("downloads", downloads);
	await guarded("copying", copying);
	parent.postMessage({ width: innerWidth, page: document.title, found: found }, "*");
});
