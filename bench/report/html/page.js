/* The controls of the page. All contents can be read without this script. */
"use strict";
(function () {
	/* Light, dark, or the theme of the system: sets the medium of the style for dark paper. */
	const themes = { auto: "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
	const names = Object.keys(themes);
	let theme = "auto";

	function remembered() {
		try {
			return localStorage.getItem("filch-theme");
		} catch {
			return null; /* some browsers allow no storage for files */
		}
	}

	function setTheme(name) {
		theme = name in themes ? name : "auto";
		document.getElementById("_dark").media = themes[theme];
		try {
			localStorage.setItem("filch-theme", theme);
		} catch {
			/* then the choice is not kept */
		}
	}

	setTheme(remembered() || "auto");

	function say(text) {
		document.getElementById("_said").textContent = text;
	}

	function themeButton() {
		const button = document.getElementById("_theme");
		const show = () => { button.textContent = "Theme: " + theme; };

		button.addEventListener("click", () => {
			setTheme(names[(names.indexOf(theme) + 1) % names.length]);
			show();
		});
		show();
		button.hidden = false;
	}

	/* Compares numbers at the beginning of cells, without separators of thousands. NaN: a cell without a value. */
	function numberOf(text) {
		const plain = text.replace(/^[<>~≈\s]+/, "").replace(/,(?=\d{3})/g, "");
		const unit = /^[-+.\de]*([kMGT])(?!\w)/.exec(plain);

		return parseFloat(plain) * (unit ? { k: 1e3, M: 1e6, G: 1e9, T: 1e12 }[unit[1]] : 1);
	}

	function compare(a, b, numbers, sign) {
		if (numbers) {
			a = numberOf(a);
			b = numberOf(b);
			if (isNaN(a) || isNaN(b)) {
				return isNaN(a) - isNaN(b); /* last in both orders */
			}
			return sign * (a - b);
		}
		return sign * a.localeCompare(b, "en", { numeric: true });
	}

	function sortBy(head, column) {
		const body = head.closest("table").tBodies[0];
		const down = head.getAttribute("aria-sort") === "ascending";
		const numbers = head.classList.contains("num");
		const rows = Array.from(body.rows);

		rows.sort((a, b) => compare(a.cells[column].textContent, b.cells[column].textContent, numbers, down ? -1 : 1));
		for (const other of head.parentNode.cells) {
			other.removeAttribute("aria-sort");
		}
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		body.append(...rows);
		say("Sorted by " + head.textContent + (down ? ", descending" : ", ascending"));
	}

	function makeSortable(table) {
		Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
			const button = document.createElement("button");

			button.type = "button";
			button.textContent = head.textContent;
			button.addEventListener("click", () => sortBy(head, column));
			head.replaceChildren(button);
		});
	}

	/* Marks a table while a part is hidden to the right. Once the table is moved, its first column stays. */
	function showMore(scroller) {
		const show = () => {
			scroller.classList.toggle("more", scroller.scrollLeft + scroller.clientWidth + 1 < scroller.scrollWidth);
			scroller.classList.toggle("moved", scroller.scrollLeft > 0);
		};

		scroller.addEventListener("scroll", show, { passive: true });
		addEventListener("resize", show);
		show();
	}

	/* The list of figures is beside the figures, or else folded. */
	function foldContents() {
		const narrow = matchMedia("(max-width: 1080px)");
		const fold = () => { document.querySelector("nav details").open = !narrow.matches; };

		narrow.addEventListener("change", fold);
		fold();
	}

	function download(name, type, text) {
		const link = document.createElement("a");

		link.href = URL.createObjectURL(new Blob([text], { type: type }));
		link.download = name;
		document.body.append(link);
		link.click();
		link.remove();
		setTimeout(() => URL.revokeObjectURL(link.href), 10000);
	}

	function csvLine(cells) {
		return Array.from(cells, (cell) => {
			const number = cell.classList.contains("num");
			const text = number ? cell.textContent.replace(/,(?=\d{3})/g, "") : cell.textContent;

			return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
		}).join(",");
	}

	/* All tables of a figure: the caption on a line, then the rows, and an empty line between tables. */
	function csvOf(figure) {
		return Array.from(figure.querySelectorAll("table"), (table) =>
			[[table.caption], ...Array.from(table.rows, (row) => row.cells)].map(csvLine).join("\r\n") + "\r\n"
		).join("\r\n");
	}

	async function copy(code) {
		try {
			await navigator.clipboard.writeText(code.textContent);
		} catch {
			getSelection().selectAllChildren(code);
			if (!document.execCommand("copy")) {
				return false;
			}
		}
		return true;
	}

	/* The action of a button of a figure. The button is shown only if the script runs. */
	function onEach(figure, selector, act) {
		for (const button of figure.querySelectorAll(selector)) {
			button.addEventListener("click", () => act(button));
			button.hidden = false;
		}
	}

	function makeButtons(figure) {
		onEach(figure, "button.json", (button) => download(figure.id + ".json", "application/json",
			document.getElementById(button.dataset.of).textContent.trim() + "\n"));
		onEach(figure, "button.csv", () => download(figure.id + ".csv", "text/csv", csvOf(figure)));
		onEach(figure, "button.copy", async (button) => {
			const copied = await copy(button.parentNode.querySelector("code"));

			button.textContent = copied ? "Copied" : "Selected";
			say(copied ? "Copied" : "Selected, not copied");
			setTimeout(() => { button.textContent = "Copy"; }, 1500);
		});
	}

	document.addEventListener("DOMContentLoaded", () => {
		themeButton();
		foldContents();
		document.querySelectorAll("table").forEach(makeSortable);
		document.querySelectorAll("article").forEach(makeButtons);
		document.querySelectorAll(".scroller").forEach(showMore);
	});
})();
