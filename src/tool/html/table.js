// Elements. Text is always set as text, so that no name can become markup.

const byId = (id) => document.getElementById(id);

// el("td", {class: "name"}, "text", node...)
function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith("on"))
            element.addEventListener(name.slice(2), value);
        else if (name === "style")
            element.style.cssText = value ?? ""; // the attribute itself is against the page's policy
        else if (value !== undefined && value !== false)
            element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

// A list of [name, value]; pairs without a value are left out.
function factList(facts) {
    const list = el("dl", { class: "facts" });
    for (const [name, value] of facts)
        if (value !== null && value !== undefined && value !== "")
            list.append(el("dt", {}, name), el("dd", {}, value));
    return list;
}

const tooltip = byId("tooltip");

function showTooltip(x, y, title, lines) {
    tooltip.replaceChildren(el("b", {}, title), ...lines.flatMap((line, i) => (i ? [el("br"), line] : [line])));
    tooltip.hidden = false;
    const box = tooltip.getBoundingClientRect();
    const left = x + 14 + box.width > innerWidth ? x - box.width - 10 : x + 14;
    const top = y + 16 + box.height > innerHeight ? y - box.height - 8 : y + 16;
    tooltip.style.left = `${Math.max(4, left)}px`;
    tooltip.style.top = `${Math.max(4, top)}px`;
}

function hideTooltip() {
    tooltip.hidden = true;
}

function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// Tables that sort by their headings and can be searched.
//
// A column: {title, kind, value(row)}, kind one of "name", "text", "count", "time", "bytes", "rate", "share", "number". A
// column of times has one unit, in its heading, unless they are of very different lengths. `hint` explains the title,
// `share(row)` draws a bar behind the cell, `mark(row)` stands behind its text.

const FIRST_ROWS = 50;
const MOST_UNITS = 1e4; // four digits before the point are read at a glance
const LONGEST_SPAN = 1e6; // of a column's values; if they lie further apart, each has a unit of its own

const OWN_UNIT = { time: formatTime, bytes: formatBytes, rate: formatRate };
const NUMERIC = new Set(["count", "time", "bytes", "rate", "share", "number"]);

function columnUnit(column, rows) {
    const units = { time: TIME_UNITS, bytes: BYTE_UNITS, rate: BYTE_UNITS }[column.kind];
    if (!units)
        return null;
    const values = rows.map((row) => column.value(row)).filter((value) => value > 0);
    const greatest = values.reduce((a, b) => Math.max(a, b), 0), least = values.reduce((a, b) => Math.min(a, b), greatest);
    if (greatest / least >= LONGEST_SPAN)
        return null;
    let at = units.indexOf(unitFor(units, greatest));
    while (at > 0 && least < units[at][1] / 10 && greatest / units[at - 1][1] < MOST_UNITS)
        at--;
    return units[at];
}

// Three decimals, and three more if the value would otherwise show almost no digits.
function cellText(column, unit, value) {
    if (value === null || value === undefined || Number.isNaN(value))
        return "";
    if (unit) {
        const scaled = value / unit[1];
        if (unit[1] === 1)
            return formatCount(value);
        return grouped(scaled.toFixed(value && scaled < 0.01 ? 6 : 3));
    }
    if (OWN_UNIT[column.kind])
        return OWN_UNIT[column.kind](value);
    if (column.kind === "count")
        return formatCount(value);
    if (column.kind === "share")
        return percent(value);
    if (column.kind === "number")
        return Number.isInteger(value) && Math.abs(value) < 1e15 ? grouped(String(value)) : String(Number(value.toPrecision(6)));
    return value;
}

function unitLabel(column, unit) {
    if (column.kind === "share")
        return "%";
    return unit ? unit[0] + (column.kind === "rate" ? "/s" : "") : "";
}

function compareBy(column, down) {
    const sign = down ? -1 : 1;
    return (a, b) => {
        const x = column.value(a), y = column.value(b);
        if (typeof x === "string" || typeof y === "string")
            return sign * String(x).localeCompare(String(y));
        return sign * ((x ?? -Infinity) - (y ?? -Infinity) || 0);
    };
}

const sheets = new Map(); // by section

class Sheet {
    // options: {label, columns, rows, sort: position of a column, text(row): what is searched, detail(row): a node or null,
    // within(row): for a tree, the rows in it, first: how many rows there are at first}
    constructor(options) {
        Object.assign(this, options);
        this.every = this.within ? this.rows.flatMap((row) => this.treeOf(row)) : this.rows;
        this.opened = new Set();
        this.units = this.columns.map((column) => columnUnit(column, this.every));
        this.sorted = this.sort ?? -1;
        this.down = true;
        this.all = false;
        this.query = "";
        this.search = el("input", { type: "search", autocomplete: "off", spellcheck: "false", oninput: () => this.find(this.search.value) });
        this.found = el("output", { class: "muted" });
        this.head = el("thead", {}, el("tr", {}, ...this.columns.map((column, i) => this.heading(column, i))));
        this.body = el("tbody");
        this.more = el("button", { type: "button", class: "more", onclick: () => { this.all = true; this.draw(); } });
        this.left = el("p", { class: "printed" });
        const table = el("table", { class: "sheet" }, this.head, this.body);
        table.setAttribute("aria-label", this.label);
        this.node = el("div", {},
            el("div", { class: "tools", ...(this.every.length > 5 ? {} : { hidden: true }) },
                el("label", { class: "field" }, "Search ", this.search), this.found),
            el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `${this.label}, scrolls sideways` }, table),
            this.more, this.left);
        this.draw();
    }

    heading(column, i) {
        const unit = unitLabel(column, this.units[i]);
        return el("th", { scope: "col", class: NUMERIC.has(column.kind) ? undefined : "text", title: column.hint },
            el("button", { type: "button", onclick: () => this.sortBy(i) },
                el("span", { class: "order", "aria-hidden": "true" }),
                column.title, unit && " ", unit && el("span", { class: "unit" }, unit)));
    }

    sortBy(i) {
        this.down = this.sorted === i ? !this.down : NUMERIC.has(this.columns[i].kind);
        this.sorted = i;
        this.draw();
    }

    find(query) {
        this.query = query.trim().toLowerCase();
        this.draw();
    }

    treeOf(row) {
        return [row, ...this.within(row).flatMap((each) => this.treeOf(each))];
    }

    matching() {
        if (!this.query)
            return this.rows;
        return this.every.filter((row) => this.text(row).toLowerCase().includes(this.query));
    }

    // In the order of the table, below each row that is open those within it.
    ordered(rows) {
        const sorted = this.sorted < 0 ? rows : [...rows].sort(compareBy(this.columns[this.sorted], this.down));
        return this.opened.size ? sorted.flatMap((row) => (this.opened.has(row) ? [row, ...this.ordered(this.within(row))] : [row])) : sorted;
    }

    cell(row, column, i) {
        const text = cellText(column, this.units[i], column.value(row)) + (column.mark ? column.mark(row) : "");
        const share = column.share ? Math.max(0, Math.min(1, column.share(row) || 0)) : null;
        if (column.kind === "name")
            return el("th", { scope: "row", class: "name" }, ...this.nameOf(row, column, text));
        return el("td", {
            class: [NUMERIC.has(column.kind) ? "" : "text", share === null ? "" : "bar"].join(" ").trim() || undefined,
            style: share === null ? undefined : `--share:${share.toFixed(4)}`,
        }, text);
    }

    nameOf(row, column, own) {
        const text = this.query && this.within ? this.text(row) : own; // says what it is within
        const title = text.length > 80 ? text : undefined; // more than two lines are hidden
        const style = row.depth && !this.query ? `margin-left:${row.depth * 14}px` : undefined;
        if (!this.detail && !this.within?.(row).length)
            return [el("span", { title, style }, text)];
        const button = el("button", { type: "button", class: "link", title, style, "aria-expanded": String(this.opened.has(row)) }, text);
        button.addEventListener("click", () => (this.within ? this.openWithin(row) : this.toggle(row, button)));
        return [button];
    }

    openWithin(row) {
        if (!this.opened.delete(row))
            this.opened.add(row);
        this.draw();
        this.body.rows[this.shown.indexOf(row)].querySelector("button").focus({ preventScroll: true });
    }

    toggle(row, button) {
        const line = button.closest("tr");
        if (button.getAttribute("aria-expanded") === "true") {
            line.nextElementSibling.remove();
            button.setAttribute("aria-expanded", "false");
            return;
        }
        line.after(el("tr", { class: "open" }, el("td", { colspan: this.columns.length }, this.detail(row))));
        button.setAttribute("aria-expanded", "true");
    }

    // Brings the row into view, open and focused.
    reveal(row) {
        this.search.value = "";
        this.find("");
        if (!this.shown.includes(row)) {
            this.all = true;
            this.draw();
        }
        const line = this.body.rows[this.shown.indexOf(row)], button = line.querySelector("button");
        if (button)
            this.toggle(row, button);
        line.scrollIntoView({ block: "center" });
        (button || line.closest(".scroll")).focus({ preventScroll: true });
    }

    draw() {
        const rows = this.matching();
        const ordered = this.ordered(rows);
        const shown = this.shown = this.all ? ordered : ordered.slice(0, this.first ?? FIRST_ROWS);
        this.body.replaceChildren(...shown.map((row) =>
            el("tr", {}, ...this.columns.map((column, i) => this.cell(row, column, i)))));
        [...this.head.rows[0].cells].forEach((cell, i) => {
            const order = i === this.sorted ? (this.down ? "descending" : "ascending") : "none";
            cell.setAttribute("aria-sort", order);
            cell.querySelector(".order").textContent = { none: "", ascending: "▴", descending: "▾" }[order];
        });
        this.found.textContent = this.query ? `${formatCount(rows.length)} of ${formatCount(this.every.length)}` : "";
        this.more.hidden = shown.length === ordered.length;
        this.more.textContent = `Show all ${formatCount(ordered.length)} rows`;
        this.left.textContent = this.more.hidden ? "" : plural(ordered.length - shown.length, "more row", "more rows");
    }
}

// A section with a heading and a sheet, in the page's order.
function addSheet(id, title, note, options) {
    if (!options.rows.length)
        return;
    const sheet = new Sheet({ label: title, text: (row) => row.name, ...options });
    sheets.set(id, sheet);
    byId("tables").append(el("section", { id, "aria-labelledby": `${id}-heading` },
        el("h2", { id: `${id}-heading` }, title),
        note ? el("p", { class: "muted small", style: "margin-bottom:8px" }, note) : null,
        sheet.node));
}
