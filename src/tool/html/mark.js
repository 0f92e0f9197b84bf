// A part of the time that is marked, and the sums of what happened in it.

const FIRST_SUMS = 12;

const marked = { from: 0, to: 0, sums: null };

const isMarked = () => marked.from < marked.to;

function markTime(from, to) {
    marked.from = Math.max(spanStart, Math.min(from, to));
    marked.to = Math.min(spanEnd, Math.max(from, to));
    redraw();
}

function unmark() {
    markTime(spanStart, spanStart);
    marked.sums = null;
    byId("timeline-sums").replaceChildren();
}

// The time of the selected event or, if there is none, the time in view.
function markSelected() {
    const { selected, from, to } = timeline;
    if (selected)
        markTime(selected.row.start[selected.i], selected.row.end[selected.i]);
    else
        markTime(from, to);
    sumUp();
}

function drawMark(context, height) {
    if (!isMarked())
        return;
    const left = xOf(marked.from), width = Math.max(1, xOf(marked.to) - left), { accent } = timeline.colors;
    context.fillStyle = context.strokeStyle = accent;
    context.globalAlpha = 0.13;
    context.fillRect(left, 0, width, height);
    context.globalAlpha = 1;
    context.strokeRect(left, -1, width, height + 2);
}

/* ------------------------------------------------------------------------------------------------------------ sums */

// What stands in the blocks of this page; those of several events do not say which events were in the time.
function sumsOfBlocks() {
    const sums = new Map();
    let hidden = 0;
    for (const row of rows) {
        for (let i = firstAfter(row, marked.from); i < row.count && row.start[i] < marked.to; i++) {
            if (row.events[i] > 1)
                hidden += row.events[i];
            else
                addTo(sums, whats[row.what[i]], 1, Math.min(row.end[i], marked.to) - Math.max(row.start[i], marked.from));
        }
    }
    return { rows: [...sums.values()], hidden };
}

function addTo(sums, what, count, ns, longest = ns) {
    const key = [what.kind, what.set, what.name].join();
    const sum = sums.get(key) || { name: what.name, what, kind: COLOR_NAMES[colorNameOf(what)], count: 0, total: 0, max: 0 };
    sum.count += count;
    sum.total += ns;
    sum.max = Math.max(sum.max, longest);
    sums.set(key, sum);
}

// All events, which a page that is served asks for.
async function sumsOfEvents() {
    const response = await fetch(`part?from=${Math.floor(marked.from)}&to=${Math.max(Math.floor(marked.from) + 1, Math.ceil(marked.to))}&cut=1`);
    if (!response.ok)
        throw new Error(`status ${response.status}`);
    const sums = new Map();
    for (const what of whatsOf(await response.json()))
        addTo(sums, what, what.count, what.total, what.max);
    return { rows: [...sums.values()], hidden: 0 };
}

async function sumUp() {
    const asked = marked.sums = {};
    let sums = null;
    if (!isMarked())
        return;
    if (data.served) {
        tellSums("Reading events…");
        sums = await sumsOfEvents().catch(() => null);
    }
    if (marked.sums === asked)
        tellSums("", sums || sumsOfBlocks());
}

function hiddenNote(hidden) {
    return hidden ? `${plural(hidden, "event is", "events are")} not in the table, because this file has them only as blocks of several; some may lie outside of the time. stint report FILE --serve sums up all of them.` : "";
}

function tellSums(note, sums = null) {
    const ns = marked.to - marked.from;
    const heading = el("h3", {}, `Marked: ${formatTime(ns)}, from ${formatTime(marked.from)} to ${formatTime(marked.to)}`);
    const sheet = sums && new Sheet({
        label: "Sums of the marked time",
        rows: sums.rows,
        columns: [
            nameColumn,
            { title: "Kind", kind: "text", value: (row) => row.kind },
            { title: "Time", kind: "share", value: (row) => row.total / ns, share: (row) => row.total / ns, hint: "of the marked time; those of several threads or streams add up" },
            ...timeColumns.slice(0, 3), maxColumn,
        ],
        sort: 3,
        first: FIRST_SUMS,
        text: (row) => row.name,
    });
    const words = [note, sums ? hiddenNote(sums.hidden) : "", sums && !sums.rows.length && !sums.hidden ? "Nothing happened in it." : ""].filter(Boolean).join(" ");
    byId("timeline-sums").replaceChildren(...[heading, words && el("p", { class: "muted small" }, words), sheet && sheet.rows.length ? sheet.node : null].filter(Boolean));
}
