// The timeline of a page that is served opens: a part of it that comes into view is asked for, with its own events.

const OPEN_PIXELS = 4; // a block of several events opens when it is wider than this
const WIDEST = 4; // a part that is more times as wide as the view is asked for again if blocks in it could open
const REST_MS = 120; // as long as the view moves, nothing is asked for

const detail = { from: 0, to: 0, asked: null, timer: 0, resting: "", whats: whats.length, launches: launches.length };

const laneKey = (lane) => [lane.kind, lane.pid, lane.tid, lane.device, lane.context, lane.stream, lane.key].join();

// The view, taken apart where finer rows begin and end: [from, to, "rows" or "finer"].
function segments() {
    const { from, to } = timeline, within = (ns) => Math.max(from, Math.min(ns, to));
    const left = within(detail.from), right = within(detail.to);
    return [[from, left, "rows"], [left, right, "finer"], [right, to, "rows"]].filter(([begin, end]) => begin < end);
}

const rowsAt = (lane, ns) => (ns >= detail.from && ns < detail.to ? lane.finer : lane.rows);
const rowCount = (lane) => Math.max(lane.curve ? CURVE_ROWS : 1, lane.rows.length, lane.finer.length);

// Calls visit(row, i, lane) for each block in view. What a finer row shows is not shown twice.
function visitBlocks(visit) {
    for (const lane of lanes.filter(isShown)) {
        for (const [from, to, layer] of segments()) {
            for (const row of lane[layer]) {
                for (let i = firstAfter(row, from); i < row.count && row.start[i] < to; i++) {
                    if (layer === "rows" && row.start[i] < detail.to && row.end[i] > detail.from)
                        continue;
                    if (visit(row, i, lane) === false)
                        return;
                }
            }
        }
    }
}

function couldOpen() {
    let found = false;
    visitBlocks((row, i) => {
        found = row.events[i] > 1 && (row.end[i] - row.start[i]) * scale() > OPEN_PIXELS;
        return !found;
    });
    return found || curvesCouldOpen();
}

// A point of several samples is a curve's block.
function curvesCouldOpen() {
    return lanes.some((lane) => {
        const curve = lane.curve && curveAt(lane, (timeline.from + timeline.to) / 2);
        if (!curve || curve.per === 1)
            return false;
        const first = Math.max(0, pointAt(curve, timeline.from)), last = pointAt(curve, timeline.to);
        return (last - first + 1) * OPEN_PIXELS < timeline.width - timeline.gutter;
    });
}

const covers = (part) => part && part.from <= timeline.from && part.to >= timeline.to && part.to - part.from <= WIDEST * (timeline.to - timeline.from);

// After each drawing.
function openBlocks() {
    if (!data.served || covers(detail) || covers(detail.asked) || !couldOpen())
        return;
    const view = [timeline.from, timeline.to].join();
    if (detail.resting === view)
        return; // a view that is drawn again, with something selected, has not moved
    detail.resting = view;
    clearTimeout(detail.timer);
    detail.timer = setTimeout(askForView, REST_MS);
}

function askForView() {
    detail.resting = "";
    const span = timeline.to - timeline.from;
    if (detail.asked)
        detail.asked.abort.abort();
    const asked = {
        from: Math.max(spanStart, Math.floor(timeline.from - span)),
        to: Math.min(spanEnd, Math.ceil(timeline.to + span)),
        abort: new AbortController(),
    };
    detail.asked = asked;
    byId("timeline-reading").textContent = "Reading events…";
    ask(asked);
}

async function ask(asked) {
    let note = "";
    try {
        const response = await fetch(`part?from=${asked.from}&to=${asked.to}`, { signal: asked.abort.signal });
        if (!response.ok)
            throw new Error(`status ${response.status}`);
        const answer = await response.json();
        if (detail.asked === asked)
            showDetail(asked, answer);
    } catch (error) {
        if (error.name === "AbortError")
            return;
        note = "Blocks no longer open: stint report has ended.";
    }
    if (detail.asked !== asked)
        return;
    if (!note)
        detail.asked = null;
    byId("timeline-reading").textContent = note;
}

// The rows of the part before are dropped, with what only they needed.
function showDetail(asked, answer) {
    const selected = timeline.selected && timeline.selected.row;
    whats.length = detail.whats;
    launches.length = detail.launches;
    const answered = whatsOf(answer);
    whats.push(...answered.map((what) => ({ ...what, index: what.index + detail.whats })));
    launches.push(...launchesOf(answer, answered).map((launch) => ({ ...launch, what: launch.what + detail.whats })));
    const all = readRows(answer, detail.whats);
    const numbers = new Map(answer.timeline.lanes.map((lane, i) => [laneKey(lane), i]));
    const curves = new Map(answer.timeline.curves.map((curve) => [laneKey(curveLane(curve)), curve]));
    for (const lane of lanes) {
        lane.finer = rowsOfLane(all, numbers.get(laneKey(lane)), lane);
        lane.finerCurve = curves.get(laneKey(lane)) || null;
    }
    detail.from = asked.from;
    detail.to = asked.to;
    timeline.hovered = null;
    if (selected && !selected.lane.rows.includes(selected))
        timeline.selected = samePlace(timeline.selected);
    timeline.canvas.dataset.detail = `${detail.from} ${detail.to}`;
    readColors();
    matchNames();
    selectWanted();
    redraw();
}

// Where an event of rows that were replaced is now.
function samePlace({ row, i }) {
    const now = row.lane.finer.find((each) => each.depth === row.depth);
    const at = now ? firstAfter(now, row.start[i]) : 0;
    return now && at < now.count && now.start[at] === row.start[i] && now.end[at] === row.end[i] ? { row: now, i: at } : null;
}
