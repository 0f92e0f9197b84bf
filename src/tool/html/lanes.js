// The timeline's lanes, top to bottom, and the blocks on their rows, as arrays of numbers.

const LANE_ORDER = ["process", "thread", "ranges", "stream", "waits", "memory", "amounts", "values", "overhead", "others"];
const manyProcesses = new Set([...data.timeline.lanes, ...data.timeline.curves].map((lane) => lane.pid)).size > 1;

function laneName(lane) {
    switch (lane.kind) {
    case "thread":
        return [visible(lane.name) || "Thread", lane.tid ? String(lane.tid) : ""].filter(Boolean).join(" ");
    case "samples":
        return `Samples of ${visible(lane.name) || lane.tid}`;
    case "ranges":
        return "Ranges";
    case "waits":
        return lane.tid ? `Waits of ${visible(lane.name) || lane.tid}` : "Waits for GPU";
    case "stream":
        return lane.context || lane.stream ? `GPU ${lane.device} stream ${lane.stream}` : `GPU ${lane.device} memory`;
    case "overhead":
        return "Overhead";
    default:
        return "Others";
    }
}

// Cells of a row: start and end in ns since the process began. `what` counts from `first` on.
function readRow(row, startNs, first, strings) {
    const count = row.rows;
    const read = {
        lane: row.lane,
        depth: row.depth,
        count,
        start: new Float64Array(count),
        end: new Float64Array(count),
        busy: new Float64Array(count),
    };
    for (const key of ["context", "bytes", "launch", "launch_row"])
        read[key] = cellsOf(row[key], count);
    read.what = cellsOf(row.what, count).map((what) => what + first);
    read.attributes = cellsOf(row.attributes, count).map((text) => visible(strings[text]));
    read.events = cellsOf(row.count, count);
    const start = cellsOf(row.start, count), duration = cellsOf(row.duration, count);
    let at = startNs, merged = 0;
    for (let i = 0; i < count; i++) {
        read.start[i] = at + start[i];
        at = read.end[i] = read.start[i] + duration[i];
        read.busy[i] = read.events[i] > 1 ? row.busy[merged++] : duration[i];
    }
    return read;
}

// The rows of a timeline. `launch_row` of each is a position among them, which `all` of each are.
function readRows({ timeline: from, strings }, first = 0) {
    const all = from.rows.map((row) => readRow(row, from.start_ns, first, strings));
    all.forEach((row) => { row.all = all; });
    return all;
}

// A thread's samples are below the thread.
const placeOf = (lane) => LANE_ORDER.indexOf(lane.kind === "samples" ? "thread" : lane.kind);

function compareLanes(a, b) {
    return a.pid - b.pid || placeOf(a) - placeOf(b) || a.device - b.device ||
        a.context - b.context || a.stream - b.stream || (a.key || "").localeCompare(b.key || "") ||
        (a.tid === b.tid ? (a.kind === "samples") - (b.kind === "samples") : a.tid === a.pid ? -1 : b.tid === b.pid ? 1 : a.tid - b.tid);
}

// What a lane is part of, and folds with: its process, and the values of its process.
const foldsOf = (lane) => [lane.pid, ...(lane.kind === "values" ? [`${lane.pid} values`] : [])];

// Of what is in it, only the name is shown.
const folded = new Set();

// A lane that folds and opens those below it; null: it does not.
const foldOf = (lane) => ({ process: lane.pid, amounts: `${lane.pid} values` })[lane.kind] ?? null;

function isShown(lane) {
    const within = lane.kind === "process" ? [] : foldsOf(lane);
    return !within.some((fold) => folded.has(fold)) && (lane.kind !== "samples" || byId("timeline-samples").checked);
}

const headLane = (kind, pid, name) => ({ kind, pid, tid: 0, device: 0, context: 0, stream: 0, rows: [], finer: [], title: name, name });

// A lane above those of each process, where there are several, and above the values of each.
function headLanes(all) {
    const pids = [...new Set(all.map((lane) => lane.pid))];
    const valuesOf = (pid) => all.filter((lane) => lane.pid === pid && lane.kind === "values").length;
    return [
        ...(manyProcesses ? pids.map((pid) => headLane("process", pid, `Process ${pid}`)) : []),
        ...pids.filter(valuesOf).map((pid) => headLane("amounts", pid, plural(valuesOf(pid), "value", "values"))),
    ];
}

const titleOfLane = (lane) => (foldOf(lane) === null ? lane.title || lane.name : `${folded.has(foldOf(lane)) ? "▸" : "▾"} ${lane.name}`);

// The rows of lane number i of their timeline, which become those of `lane`.
function rowsOfLane(all, i, lane) {
    const own = all.filter((row) => row.lane === i).sort((a, b) => a.depth - b.depth);
    own.forEach((row) => { row.lane = lane; });
    return own;
}

// `finer` are rows of a part of the time, in which they take the place of `rows` (detail.js).
const rows = readRows(data);
const lanes = data.timeline.lanes.map((like, i) => {
    const title = laneName(like);
    const lane = { ...like, title, name: (manyProcesses ? `${like.pid}: ` : "") + title, finer: [] };
    lane.rows = rowsOfLane(rows, i, lane);
    return lane;
}).concat(data.timeline.curves.map(curveLane));
lanes.push(...headLanes(lanes));
lanes.sort(compareLanes);

// Values begin folded where there is something that they would push out of sight: what GPUs did, or, of many, all else.
const VALUES_MOST = 15;

function foldValues() {
    const values = lanes.filter((lane) => lane.kind === "values"), heads = lanes.filter((lane) => lane.kind === "amounts");
    const others = lanes.length - values.length - heads.length;
    if (lanes.some((lane) => lane.kind === "stream") || (others && values.length > VALUES_MOST))
        heads.forEach((lane) => folded.add(foldOf(lane)));
}

foldValues();

// The first block of a row that ends after `ns`.
function firstAfter(row, ns) {
    let low = 0, high = row.count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (row.end[middle] > ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
