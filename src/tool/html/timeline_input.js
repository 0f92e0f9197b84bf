// The timeline under mouse, touch and keyboard.

const laneAt = (down) => lanes.find((each) => isShown(each) && down >= each.top && down < each.top + rowCount(each) * ROW);

function placeAt(x, y) {
    if (y < AXIS || x < timeline.gutter)
        return null;
    const down = y + timeline.view.scrollTop;
    const lane = laneAt(down);
    const near = 2 / scale(), ns = nsAt(x);
    const row = lane && rowsAt(lane, ns)[Math.floor((down - lane.top) / ROW)];
    if (!row)
        return null;
    let best = null;
    for (let i = firstAfter(row, ns - near); i < row.count && row.start[i] <= ns + near; i++)
        if (!best || (row.start[i] <= ns && row.end[i] >= ns))
            best = { row, i };
    return best;
}

function same(a, b) {
    return a === b || Boolean(a && b && a.row === b.row && a.i === b.i);
}

function hover(event) {
    const place = placeAt(event.offsetX, event.offsetY);
    if (!same(place, timeline.hovered)) {
        timeline.hovered = place;
        redraw();
    }
    if (place)
        showTooltip(event.clientX, event.clientY, titleOf(place), factsOf(place).slice(0, 6).filter((fact) => fact[1]).map((fact) => `${fact[0]}: ${fact[1]}`));
    else
        hoverCurve(event);
}

function hoverCurve(event) {
    const lane = event.offsetY >= AXIS && event.offsetX >= timeline.gutter ? laneAt(event.offsetY + timeline.view.scrollTop) : null;
    const words = lane && lane.curve ? describeCurve(lane, nsAt(event.offsetX)) : null;
    if (words)
        showTooltip(event.clientX, event.clientY, ...words);
    else
        hideTooltip();
}

/* ---------------------------------------------------------------------------------------------------------- folding */

function setFolded(folds, are) {
    folds.forEach((fold) => (are ? folded.add(fold) : folded.delete(fold)));
    if (timeline.selected && !isShown(timeline.selected.row.lane))
        select(null);
    timeline.hovered = null;
    layOut();
    redraw();
}

// A click on the name of a process, or of its values. Returns whether there is one.
function foldAt(y) {
    const lane = y >= AXIS ? laneAt(y + timeline.view.scrollTop) : null;
    const fold = lane && foldOf(lane);
    if (!lane || fold === null)
        return false;
    setFolded([fold], !folded.has(fold));
    return true;
}

// Those of the selected event's process, or all.
function foldByKey(kind) {
    const all = lanes.filter((lane) => lane.kind === kind), selected = timeline.selected;
    const own = selected ? all.filter((lane) => lane.pid === selected.row.lane.pid) : all;
    setFolded(own.map(foldOf), !own.some((lane) => folded.has(foldOf(lane))));
}

/* ----------------------------------------------------------------------------------------------------------- mouse */

function listenToDragging() {
    const { canvas, view } = timeline;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
        if (event.button !== 0)
            return;
        const marks = (event.shiftKey || event.offsetY < AXIS) && event.offsetX >= timeline.gutter;
        drag = { marks, at: nsAt(event.offsetX), x: event.clientX, y: event.clientY, from: timeline.from, to: timeline.to, top: view.scrollTop, moved: false };
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
        if (!drag) {
            hover(event);
            return;
        }
        const x = event.clientX - drag.x, y = event.clientY - drag.y;
        drag.moved = drag.moved || Math.abs(x) + Math.abs(y) > 3;
        if (!drag.moved)
            return;
        hideTooltip();
        if (drag.marks) {
            markTime(drag.at, nsAt(event.offsetX));
            return;
        }
        canvas.classList.add("dragging");
        view.scrollTop = drag.top - y;
        setView(drag.from - x / scale(), drag.to - x / scale());
    });
    const finish = (event) => {
        if (drag && !drag.moved && event.type === "pointerup" && !foldAt(event.offsetY))
            select(placeAt(event.offsetX, event.offsetY));
        else if (drag && drag.marks)
            sumUp();
        drag = null;
        canvas.classList.remove("dragging");
    };
    canvas.addEventListener("pointerup", finish);
    canvas.addEventListener("pointercancel", finish);
    canvas.addEventListener("pointerleave", () => {
        timeline.hovered = null;
        hideTooltip();
        redraw();
    });
    canvas.addEventListener("dblclick", (event) => zoom(0.4, nsAt(event.offsetX)));
}

// A plain wheel scrolls the page until the timeline has been clicked.
function listenToWheel() {
    const { canvas } = timeline;
    canvas.addEventListener("wheel", (event) => {
        const meant = event.ctrlKey || event.metaKey || document.activeElement === canvas;
        if (!meant || event.shiftKey)
            return;
        event.preventDefault();
        const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
        const by = event.deltaMode ? 33 : 1;
        if (sideways)
            setView(timeline.from + event.deltaX * by / scale(), timeline.to + event.deltaX * by / scale());
        else
            zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * by * 0.0022))), nsAt(Math.max(timeline.gutter, event.offsetX)));
    }, { passive: false });
}

// On the overview: dragging over a part brings it into view; a click moves the view there.
function listenToOverview() {
    const { overview } = timeline;
    const nsOf = (event) => {
        const part = (event.offsetX - timeline.gutter) / (timeline.width - timeline.gutter);
        return spanStart + Math.max(0, Math.min(1, part)) * (spanEnd - spanStart);
    };
    let start = null, x = 0;
    overview.addEventListener("pointerdown", (event) => {
        start = nsOf(event);
        x = event.clientX;
        overview.setPointerCapture(event.pointerId);
    });
    overview.addEventListener("pointermove", (event) => {
        if (start !== null && Math.abs(event.clientX - x) > 3)
            setView(Math.min(start, nsOf(event)), Math.max(start, nsOf(event)));
    });
    overview.addEventListener("pointerup", (event) => {
        const half = (timeline.to - timeline.from) / 2;
        if (Math.abs(event.clientX - x) <= 3)
            setView(nsOf(event) - half, nsOf(event) + half);
        start = null;
    });
}

/* -------------------------------------------------------------------------------------------------------- keyboard */

function move(part) {
    const by = (timeline.to - timeline.from) * part;
    setView(timeline.from + by, timeline.to + by);
}

// The event beside the selected one on its row; at first, the first in view.
function step(by) {
    const now = timeline.selected;
    const first = now ? null : blocksInView(1).found[0];
    const next = now ? { row: now.row, i: now.i + by } : first;
    if (!next || next.i < 0 || next.i >= next.row.count)
        return;
    show(next);
}

// Selects an event, and moves the view if the event is outside of it.
function show(place) {
    const { row, i } = place;
    setFolded(foldsOf(row.lane), false);
    if (!isShown(row.lane))
        showSamples(true);
    const span = timeline.to - timeline.from;
    if (row.end[i] < timeline.from || row.start[i] > timeline.to)
        setView((row.start[i] + row.end[i] - span) / 2, (row.start[i] + row.end[i] + span) / 2);
    const { view, canvas } = timeline;
    if (row.y < view.scrollTop + AXIS || row.y + ROW > view.scrollTop + canvas.clientHeight)
        view.scrollTop = row.y - canvas.clientHeight / 2;
    select(place);
}

function zoomToSelected() {
    if (timeline.selected) {
        const { row, i } = timeline.selected;
        const span = Math.max(row.end[i] - row.start[i], SPAN_LEAST);
        setView(row.start[i] - span, row.end[i] + span);
    } else if (isMarked()) {
        setView(marked.from, marked.to);
    }
}

const KEYS = {
    w: () => zoom(0.6, (timeline.from + timeline.to) / 2),
    s: () => zoom(1 / 0.6, (timeline.from + timeline.to) / 2),
    a: () => move(-0.2),
    d: () => move(0.2),
    ArrowLeft: () => move(-0.2),
    ArrowRight: () => move(0.2),
    ArrowUp: () => { timeline.view.scrollTop -= 3 * ROW; },
    ArrowDown: () => { timeline.view.scrollTop += 3 * ROW; },
    "+": () => KEYS.w(),
    "-": () => KEYS.s(),
    0: () => setView(fitFrom, fitTo),
    "[": () => step(-1),
    "]": () => step(1),
    m: markSelected,
    p: () => foldByKey("process"),
    v: () => foldByKey("amounts"),
    f: zoomToSelected,
    Enter: zoomToSelected,
    "/": () => byId("timeline-search").select(),
    Escape: () => {
        select(null);
        unmark();
    },
};

function listenToKeys() {
    timeline.canvas.addEventListener("keydown", (event) => {
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[key])
            return;
        event.preventDefault();
        KEYS[key]();
    });
}

/* ----------------------------------------------------------------------------------------------------------- tools */

// Deep call chains would push everything else out of sight.
const SAMPLE_ROWS_MOST = 30;

function beginSamples() {
    const own = lanes.filter((lane) => lane.kind === "samples"), box = byId("timeline-samples");
    box.checked = own.reduce((sum, lane) => sum + rowCount(lane), 0) <= SAMPLE_ROWS_MOST || own.length === lanes.length;
    box.parentElement.hidden = !own.length;
    box.addEventListener("change", () => showSamples(box.checked));
}

function showSamples(are) {
    byId("timeline-samples").checked = are;
    setFolded([], true);
}

function listenToTools() {
    byId("timeline-in").addEventListener("click", KEYS.w);
    byId("timeline-out").addEventListener("click", KEYS.s);
    byId("timeline-fit").addEventListener("click", KEYS[0]);
    byId("timeline-arrows").addEventListener("change", redraw);
    byId("timeline-arrows").parentElement.hidden = !data.summary.gpu || (!data.served && !rows.some((row) => row.launch_row.some((launch) => launch >= 0)));
    byId("timeline-alternative").addEventListener("toggle", () => {
        if (byId("timeline-alternative").open)
            fillAlternative();
    });
}

/* ------------------------------------------------------------------------------------------------------------ whole */

function mergedNote() {
    const { events, blocks, grain_ns: grain, crowded, unnamed, curves_beyond: curvesBeyond, samples_shortened: shortened, samples_hidden: hidden } = data.timeline;
    const notes = [];
    if (grain)
        notes.push(`${formatCount(events)} events are drawn as ${formatCount(blocks)} blocks: events within ${formatTime(grain)} of each other may share one block, which is paler and says how many events it stands for. ${data.served ? "Zoomed in on, it opens." : "stint report FILE --serve makes a page whose blocks open."} All other numbers on this page cover all events.`);
    if (crowded)
        notes.push(`${plural(crowded, "event overlaps", "events overlap")} others on the same row, because there are too few rows.`);
    if (shortened)
        notes.push(`Of ${plural(shortened, "sample", "samples")}, functions between the outermost ones and the innermost are not drawn, because there are too few rows.`);
    if (hidden)
        notes.push(`${plural(hidden, "sample", "samples")} of threads for which there is no row ${hidden === 1 ? "is" : "are"} not drawn.`);
    if (unnamed)
        notes.push(`${plural(unnamed, "event has", "events have")} no name here, because there are too many different names.`);
    if (curvesBeyond)
        notes.push(`${plural(curvesBeyond, "number is", "numbers are")} not shown, because there are too many curves.`);
    if (data.summary.gpu_events_dropped)
        notes.push(`The trace is cut short: ${plural(data.summary.gpu_events_dropped, "event is", "events are")} missing.`);
    return notes.join(" ");
}

function beginTimeline() {
    if (!data.timeline.events && !data.timeline.curves.length)
        return;
    byId("timeline").hidden = false;
    beginSamples();
    byId("timeline-merged").textContent = mergedNote();
    readColors();
    listenToDragging();
    listenToWheel();
    listenToOverview();
    listenToKeys();
    listenToTools();
    listenToSearch();
    timeline.view.addEventListener("scroll", redraw);
    new ResizeObserver(redraw).observe(timeline.view);
    addEventListener("resize", redraw);
    drawTimeline();
}
