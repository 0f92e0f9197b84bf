// The timeline: what it draws, which time is in view, and the details of an event.

const ROW = 18;
const GAP = 7;
const AXIS = 24;
const SPAN_LEAST = 20;
const ARROWS_MOST = 400;
const TABLE_MOST = 500;

const spanStart = Math.min(data.from_ns, data.timeline.start_ns);
const spanEnd = Math.max(data.timeline.end_ns, data.from_ns + data.process.wall_ns, spanStart + 1);

// The time of all events, with a little room around it.
const margin = (data.timeline.end_ns - data.timeline.start_ns) * 0.015;
const fitFrom = Math.max(spanStart, data.timeline.start_ns - margin);
const fitTo = Math.min(spanEnd, Math.max(data.timeline.end_ns + margin, fitFrom + 1));

const timeline = {
    canvas: byId("timeline-canvas"),
    view: byId("timeline-view"),
    overview: byId("overview"),
    from: fitFrom, // what is in view
    to: fitTo,
    selected: null, // {row, i}
    hovered: null,
    wanted: null, // what a table led to, which may have to be read first
    query: "",
    paint: [],
    colors: {},
    pending: false,
    moved: () => {}, // called when another time comes into view
};

/* ---------------------------------------------------------------------------------------------------------- places */

// Lanes from top to bottom, below the axis. A lane's name is on its left, on narrow screens above it.
function layOut() {
    const width = timeline.view.clientWidth;
    timeline.width = width;
    timeline.narrow = width < 640;
    timeline.gutter = timeline.narrow ? 0 : Math.min(190, Math.round(width * 0.18));
    let y = AXIS + GAP;
    for (const lane of lanes) {
        lane.y = y;
        lane.top = y + (timeline.narrow ? 16 : 0);
        for (const layer of [lane.rows, lane.finer])
            layer.forEach((row, i) => { row.y = lane.top + i * ROW; });
        if (!isShown(lane))
            continue;
        y = lane.top + rowCount(lane) * ROW + GAP;
    }
    timeline.tall = y;
}

const scale = () => (timeline.width - timeline.gutter) / (timeline.to - timeline.from);
const xOf = (ns) => timeline.gutter + (ns - timeline.from) * scale();
const nsAt = (x) => timeline.from + (x - timeline.gutter) / scale();

function setView(from, to) {
    const span = Math.max(SPAN_LEAST, Math.min(to - from, spanEnd - spanStart));
    timeline.from = Math.max(spanStart, Math.min(from, spanEnd - span));
    timeline.to = timeline.from + span;
    timeline.moved();
    redraw();
}

// What is at `ns` stays where it is, also at the limits.
function zoom(wanted, ns) {
    const span = timeline.to - timeline.from;
    const factor = Math.max(SPAN_LEAST / span, Math.min(wanted, (spanEnd - spanStart) / span));
    setView(ns - (ns - timeline.from) * factor, ns + (timeline.to - ns) * factor);
}

function zoomTo(startNs, ns) {
    setView(startNs - ns * 0.2, startNs + ns * 1.2);
    byId("timeline").scrollIntoView({ block: "start" });
    timeline.canvas.focus({ preventScroll: true });
}

/* --------------------------------------------------------------------------------------------------------- drawing */

function tickStep(span, width) {
    const rough = span / Math.max(2, width / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough);
}

function drawAxis(context) {
    const { width, gutter, colors } = timeline;
    const step = tickStep(timeline.to - timeline.from, width - gutter);
    context.fillStyle = colors.raised;
    context.fillRect(0, 0, width, AXIS);
    context.textBaseline = "middle";
    context.font = timeline.font;
    for (let tick = Math.ceil(timeline.from / step) * step; tick <= timeline.to; tick += step) {
        const x = Math.round(xOf(tick)) + 0.5;
        context.strokeStyle = colors.line;
        context.beginPath();
        context.moveTo(x, AXIS - 6);
        context.lineTo(x, AXIS);
        context.stroke();
        context.fillStyle = colors.muted;
        const label = formatTick(tick, step);
        if (x + 4 + context.measureText(label).width < width)
            context.fillText(label, x + 4, AXIS / 2);
    }
}

function drawGrid(context, height) {
    const { width, gutter, colors } = timeline;
    const step = tickStep(timeline.to - timeline.from, width - gutter);
    context.strokeStyle = colors.line;
    context.globalAlpha = 0.5;
    context.beginPath();
    for (let tick = Math.ceil(timeline.from / step) * step; tick <= timeline.to; tick += step) {
        const x = Math.round(xOf(tick)) + 0.5;
        context.moveTo(x, AXIS);
        context.lineTo(x, height);
    }
    context.stroke();
    context.globalAlpha = 1;
}

// The text, or as much of its beginning as fits.
function fitText(context, text, room) {
    if (text.length * timeline.letter < room * 0.6 || context.measureText(text).width <= room)
        return text;
    for (let length = Math.min(text.length, Math.ceil(room / timeline.letter * 1.4)) - 1; length > 0; length--) {
        const cut = `${text.slice(0, length)}…`;
        if (context.measureText(cut).width <= room)
            return cut;
    }
    return "";
}

function isMatch(what) {
    return !timeline.query || timeline.matches.has(what);
}

// A block that stands for several events is paler the less of its time the events fill.
function alphaOf(row, i) {
    const match = isMatch(row.what[i]) ? 1 : 0.18;
    if (row.events[i] === 1)
        return match;
    const span = row.end[i] - row.start[i];
    return match * (0.45 + 0.55 * Math.min(1, span ? row.busy[i] / span : 1));
}

function drawBlock(context, row, i, y) {
    const x = Math.max(timeline.gutter - 2, xOf(row.start[i]));
    const width = Math.max(1, Math.min(timeline.width + 2, xOf(row.end[i])) - x);
    const paint = timeline.paint[row.what[i]];
    context.globalAlpha = alphaOf(row, i);
    context.fillStyle = paint.fill;
    context.fillRect(x, y, width > 3 ? width - 0.7 : width, ROW - 2);
    if (width > 24) {
        const text = row.events[i] > 1 ? `${formatCount(row.events[i])} events` : whats[row.what[i]].short;
        context.fillStyle = paint.text;
        context.fillText(fitText(context, text, width - 8), x + 4, y + ROW / 2 - 0.5);
    }
    context.globalAlpha = 1;
}

// If several blocks fall on one pixel, one that matches the search is drawn, otherwise the first.
function drawRow(context, row, y, from, to) {
    let last = -1, lastMatches = false;
    for (let i = firstAfter(row, from); i < row.count && row.start[i] < to; i++) {
        const pixel = Math.floor(xOf(row.end[i]));
        const matches = isMatch(row.what[i]);
        if (pixel === last && (lastMatches || !matches))
            continue;
        last = pixel;
        lastMatches = matches;
        drawBlock(context, row, i, y);
    }
}

function drawLaneName(context, lane, y) {
    const { gutter, colors, narrow } = timeline;
    context.fillStyle = colors.text;
    if (narrow) {
        context.fillText(lane.curve ? `${titleOfLane(lane)}: ${rangeOf(lane)}` : titleOfLane(lane), 6, y + 7);
        return;
    }
    context.fillText(fitText(context, titleOfLane(lane), gutter - 14), foldOf(lane) === null ? 10 : 4, y + ROW / 2);
    if (lane.curve) {
        context.fillStyle = colors.muted;
        context.fillText(fitText(context, rangeOf(lane), gutter - 14), 10, y + ROW * 1.5);
    }
}

function frame(context, place, top, style) {
    if (!place)
        return;
    const { row, i } = place;
    const x = xOf(row.start[i]), width = Math.max(2, xOf(row.end[i]) - x);
    context.strokeStyle = style;
    context.lineWidth = 2;
    context.strokeRect(x, row.y - top, width, ROW - 2);
    context.lineWidth = 1;
}

/* ---------------------------------------------------------------------------------------------------------- arrows */

function drawArrow(context, row, i, top) {
    const from = row.all[row.launch_row[i]];
    const x1 = xOf(row.start[i] - row.launch[i]), y1 = from.y - top + ROW - 3;
    const x2 = xOf(row.start[i]), y2 = row.y - top;
    const middle = (y1 + y2) / 2;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1, middle, x2, middle, x2, y2 - 3);
    context.moveTo(x2 - 3, y2 - 5);
    context.lineTo(x2, y2);
    context.lineTo(x2 + 3, y2 - 5);
    context.stroke();
}

// The launches within the view, unless there are too many to be readable.
function launchedInView() {
    const found = [];
    visitBlocks((row, i) => {
        if (row.launch_row[i] >= 0 && isMatch(row.what[i]))
            found.push([row, i]);
        return found.length <= ARROWS_MOST;
    });
    return found.length <= ARROWS_MOST ? found : [];
}

function drawArrows(context, top) {
    const arrows = byId("timeline-arrows").checked ? launchedInView() : [];
    context.strokeStyle = timeline.colors.muted;
    context.globalAlpha = 0.7;
    for (const [row, i] of arrows)
        drawArrow(context, row, i, top);
    context.globalAlpha = 1;
    context.strokeStyle = timeline.colors.accent;
    context.lineWidth = 1.8;
    for (const place of [timeline.hovered, timeline.selected])
        if (place && place.row.launch_row[place.i] >= 0)
            drawArrow(context, place.row, place.i, top);
    context.lineWidth = 1;
    timeline.canvas.dataset.arrows = arrows.length;
}

/* ------------------------------------------------------------------------------------------------------------ whole */

function prepare(canvas, width, height) {
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
}

function drawSegment(context, [from, to, layer], seen, top, height) {
    context.save();
    context.beginPath();
    context.rect(xOf(from), AXIS, xOf(to) - xOf(from), height - AXIS);
    context.clip();
    for (const lane of seen) {
        for (const row of lane[layer])
            drawRow(context, row, row.y - top, from, to);
        if (lane.curve)
            drawCurve(context, lane, [from, to, layer], lane.top - top);
    }
    context.restore();
}

function drawLanes(context, height) {
    const { gutter, width, colors, view } = timeline;
    const top = view.scrollTop;
    const seen = lanes.filter((lane) => isShown(lane) && lane.y < top + height && lane.top + rowCount(lane) * ROW > top + AXIS - ROW);
    for (const segment of segments())
        drawSegment(context, segment, seen, top, height);
    context.save();
    context.beginPath();
    context.rect(gutter, AXIS, width - gutter, height - AXIS);
    context.clip();
    frame(context, timeline.hovered, top, colors.muted);
    frame(context, timeline.selected, top, colors.accent);
    drawArrows(context, top);
    drawMark(context, height);
    context.restore();
    context.save();
    context.beginPath();
    context.rect(0, AXIS, timeline.narrow ? width : gutter, height - AXIS);
    context.clip();
    for (const lane of seen)
        drawLaneName(context, lane, lane.y - top);
    context.restore();
}

// The canvas is at most 62 % of the window high, in print as high as all lanes together.
function drawTimeline() {
    timeline.pending = false;
    layOut();
    const most = Math.max(160, Math.round(innerHeight * 0.62));
    const height = timeline.printing ? timeline.tall : Math.min(most, timeline.tall);
    byId("timeline-tall").style.height = `${timeline.tall - height}px`;
    const context = prepare(timeline.canvas, timeline.width, height);
    context.font = timeline.font;
    context.textBaseline = "middle";
    timeline.letter = context.measureText("abcdefghijklmnopqrstuvwxyzABCDEF0123").width / 36;
    drawGrid(context, height);
    drawLanes(context, height);
    drawAxis(context);
    context.strokeStyle = timeline.colors.line;
    context.strokeRect(timeline.gutter - 0.5, -1, timeline.width, height + 2);
    drawOverview();
    describeView();
    openBlocks();
}

function redraw() {
    if (timeline.pending)
        return;
    timeline.pending = true;
    requestAnimationFrame(drawTimeline);
}

function readColors() {
    for (const name of ["back", "raised", "text", "muted", "line", "accent", "kernel", "scope"])
        timeline.colors[name] = color(name);
    timeline.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    timeline.paint = paintAll(timeline.canvas.getContext("2d"));
    drawLegend();
}
