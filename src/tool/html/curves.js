// Curves of numbers over time, each a lane of its own: NVTX counters and values, and memory.

const CURVE_ROWS = 2;

// The shared part of lanes that have no rows.
function curveLane(curve) {
    const of = curve.device >= 0 ? `GPU ${curve.device} ` : "";
    const title = `${of}${visible(curve.name)}${["value", "bytes"].includes(curve.what) ? "" : `.${visible(curve.what)}`}`;
    return {
        kind: curve.what === "bytes" ? "memory" : "values", pid: curve.pid, tid: 0, device: 0, context: 0, stream: 0, rows: [], finer: [],
        title, name: (manyProcesses ? `${curve.pid}: ` : "") + title,
        key: [curve.device, curve.name, curve.what].join(),
        curve, finerCurve: null,
        lowest: Math.min(0, ...leastOf(curve)), highest: Math.max(...mostOf(curve)),
    };
}

const leastOf = (curve) => curve.least || curve.last;
const mostOf = (curve) => curve.most || curve.last;

function formatValue(curve, value) {
    return curve.what === "bytes" ? formatBytes(value) : grouped(String(Number(value.toPrecision(5))));
}

const rangeOf = (lane) => `${formatValue(lane.curve, lane.lowest)} to ${formatValue(lane.curve, lane.highest)}`;

// The last point that begins at `ns` or before; -1: there is none.
function pointAt(curve, ns) {
    let low = 0, high = curve.start.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (curve.start[middle] > ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low - 1;
}

const curveAt = (lane, ns) => (lane.finerCurve && ns >= detail.from && ns < detail.to && pointAt(lane.finerCurve, ns) >= 0 ? lane.finerCurve : lane.curve);

// A value holds until the next; where a point is several samples, a band shows how far they reach.
function drawCurvePart(context, lane, curve, from, to, top) {
    const height = CURVE_ROWS * ROW - 4, span = lane.highest - lane.lowest || 1;
    const yOf = (value) => top + 1 + height * (1 - (value - lane.lowest) / span);
    const zero = yOf(Math.max(lane.lowest, Math.min(0, lane.highest)));
    for (let i = Math.max(0, pointAt(curve, from)); i < curve.start.length && curve.start[i] < to; i++) {
        const x = xOf(Math.max(from, curve.start[i])), right = xOf(Math.min(to, curve.start[i + 1] ?? to));
        const y = yOf(curve.last[i]), least = yOf(leastOf(curve)[i]), most = yOf(mostOf(curve)[i]);
        context.globalAlpha = 0.28;
        context.fillRect(x, Math.min(y, zero), right - x, Math.abs(zero - y));
        context.globalAlpha = 1;
        context.fillRect(x, y - 0.75, Math.max(1, right - x), 1.5);
        context.fillRect(x, most - 0.75, 1, least - most + 1.5);
        if (i && curve.start[i] >= from)
            context.fillRect(x - 0.5, Math.min(y, yOf(curve.last[i - 1])) - 0.75, 1, Math.abs(y - yOf(curve.last[i - 1])) + 1.5);
    }
}

function drawCurve(context, lane, [from, to, layer], top) {
    context.fillStyle = color("curve");
    const finer = layer === "finer" ? lane.finerCurve : null;
    const begins = finer && finer.start.length ? Math.max(from, Math.min(to, finer.start[0])) : to;
    if (begins > from)
        drawCurvePart(context, lane, lane.curve, from, begins, top);
    if (begins < to)
        drawCurvePart(context, lane, finer, begins, to, top);
}

// Title and lines of a tooltip; null where the curve has not begun.
function describeCurve(lane, ns) {
    const curve = curveAt(lane, ns), i = pointAt(curve, ns);
    if (i < 0)
        return null;
    const lines = [`${formatValue(curve, curve.last[i])} since ${formatTime(curve.start[i])}`];
    if (curve.per > 1)
        lines.push(`between ${formatValue(curve, leastOf(curve)[i])} and ${formatValue(curve, mostOf(curve)[i])} in up to ${formatCount(curve.per)} samples`);
    return [lane.name, lines];
}
