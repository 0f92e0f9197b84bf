/* -------------------------------------------------------------------------------------------------------- overview */

// How busy threads and devices are in each of `buckets` parts of the whole.
function densities(buckets) {
    const size = (spanEnd - spanStart) / buckets;
    const host = new Float64Array(buckets), device = new Float64Array(buckets);
    for (const lane of lanes) {
        if (lane.kind !== "thread" && lane.kind !== "stream")
            continue;
        const into = lane.kind === "stream" ? device : host;
        for (const row of lane.rows.slice(0, 1))
            for (let i = 0; i < row.count; i++)
                spread(into, row, i, size);
    }
    return { host, device };
}

function spread(into, row, i, size) {
    const start = row.start[i] - spanStart, end = Math.max(row.end[i] - spanStart, start + 1);
    const part = Math.min(1, Math.max(row.busy[i], 1) / (end - start));
    const last = Math.min(into.length - 1, Math.floor(end / size));
    for (let at = Math.floor(start / size); at <= last; at++)
        into[at] += part * (Math.min(end, (at + 1) * size) - Math.max(start, at * size)) / size;
}

function drawDensity(context, values, base, height, style) {
    const most = Math.max(1, values.reduce((a, b) => Math.max(a, b), 0));
    context.fillStyle = style;
    values.forEach((value, x) => {
        const h = value ? Math.max(1, height * value / most) : 0;
        context.fillRect(x, base - h, 1, h);
    });
}

function drawOverview() {
    const gutter = timeline.gutter, width = timeline.width - gutter, height = 46;
    const context = prepare(timeline.overview, timeline.width, height);
    context.fillStyle = timeline.colors.muted;
    context.font = timeline.font;
    context.textBaseline = "middle";
    if (gutter)
        context.fillText("Whole run", 10, height / 2);
    context.translate(gutter, 0);
    if (!timeline.density || timeline.density.host.length !== Math.round(width))
        timeline.density = densities(Math.round(width));
    const { host, device } = timeline.density;
    const anyDevice = device.some((value) => value > 0);
    drawDensity(context, host, anyDevice ? 22 : 42, anyDevice ? 18 : 36, timeline.colors.scope);
    if (anyDevice)
        drawDensity(context, device, 44, 18, timeline.colors.kernel);
    const place = (ns) => (ns - spanStart) / (spanEnd - spanStart) * width;
    const left = place(timeline.from), right = Math.max(place(timeline.to), left + 2);
    context.fillStyle = timeline.colors.back;
    context.globalAlpha = 0.72;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = timeline.colors.accent;
    context.strokeRect(left + 0.5, 0.5, Math.max(1, right - left - 1), height - 1);
}

/* ----------------------------------------------------------------------------------------------------------- words */

function blocksInView(most) {
    const found = [];
    let count = 0;
    visitBlocks((row, i, lane) => {
        count++;
        if (found.length < most)
            found.push({ lane, row, i });
    });
    return { found, count };
}

function describeView() {
    const { count } = blocksInView(0);
    timeline.canvas.setAttribute("aria-label",
        `Timeline from ${formatTime(timeline.from)} to ${formatTime(timeline.to)}, ${plural(lanes.filter((lane) => foldOf(lane) === null).length, "lane", "lanes")}, ${formatCount(count)} blocks in view`);
    timeline.canvas.dataset.from = timeline.from;
    timeline.canvas.dataset.to = timeline.to;
    if (byId("timeline-alternative").open)
        fillAlternative();
}

// The same as the canvas, for people who cannot see it.
function fillAlternative() {
    const { found, count } = blocksInView(TABLE_MOST);
    const left = found.map(({ lane, row, i }) => ({
        name: row.events[i] > 1 ? `${formatCount(row.events[i])} events, the longest: ${whats[row.what[i]].name}` : whats[row.what[i]].name,
        lane: lane.name, kind: COLOR_NAMES[colorNameOf(whats[row.what[i]])], start: row.start[i], ns: row.end[i] - row.start[i], context: row.context[i],
    }));
    const sheet = new Sheet({
        label: "Events in view",
        rows: left,
        columns: [
            { title: "Name", kind: "name", value: (row) => row.name },
            { title: "Lane", kind: "text", value: (row) => row.lane },
            { title: "Kind", kind: "text", value: (row) => row.kind },
            { title: "Start", kind: "time", value: (row) => row.start },
            { title: "Duration", kind: "time", value: (row) => row.ns },
            { title: "Scope", kind: "text", value: (row) => pathOf(row.context) },
        ],
        text: (row) => `${row.name} ${row.lane}`,
    });
    const note = count > found.length ? el("p", { class: "muted small" }, `The first ${formatCount(found.length)} of ${formatCount(count)}; zoom in for the others.`) : "";
    byId("timeline-table").replaceChildren(sheet.node, note);
}

function launchOf(row, i) {
    return launches.find((launch) => launch.what === row.what[i]);
}

function copyFacts(row, i) {
    const what = whats[row.what[i]], ns = row.busy[i];
    if (!row.bytes[i])
        return [];
    return [["Bytes", formatBytes(row.bytes[i])], ["Bandwidth", ns ? formatRate(row.bytes[i] / (ns / 1e9)) : ""],
        ["Memory", what.source && what.destination ? `${what.source} to ${what.destination}` : what.source]];
}

function kernelFacts(row, i) {
    const launch = launchOf(row, i);
    if (!launch)
        return [];
    return [["Grid", launch.grid.join(" × ")], ["Block", launch.block.join(" × ")], ["Registers", `${launch.registers} per thread`],
        ["Shared memory", `${formatCount(launch.static)} B static, ${formatCount(launch.dynamic)} B dynamic`],
        ["Occupancy", launch.most ? `${formatShare(launch.warps / launch.most)}: ${occupancyText(launch)}` : ""]];
}

function howToOpen(row, i) {
    return data.served ? "zoom in" : `stint report FILE --serve, or stint report FILE -o PAGE --filter-time ${row.start[i]}/${row.end[i]}`;
}

function factsOf({ row, i }) {
    const what = whats[row.what[i]], many = row.events[i] > 1;
    const facts = [["On", row.lane.name], ["Start", formatTime(row.start[i])], [many ? "From first to last" : "Duration", formatTime(row.end[i] - row.start[i])]];
    if (many)
        return [...facts, ["Events", formatCount(row.events[i])], ["Busy", formatTime(row.busy[i])], ["Longest", what.name], ["To see them", howToOpen(row, i)]];
    facts.push([what.kind === "scope" ? "Path" : "Scope", pathOf(row.context[i])], ["Payload", row.attributes[i]], ["Category", what.category]);
    if (row.launch_row[i] >= 0)
        facts.push(["Launched", `${formatTime(row.launch[i])} before it began`]);
    return [...facts, ...copyFacts(row, i), ...(what.kind === "kernel" ? kernelFacts(row, i) : [])];
}

function titleOf({ row, i }) {
    return row.events[i] > 1 ? `${formatCount(row.events[i])} events, drawn as one` : whats[row.what[i]].name;
}

function select(place) {
    timeline.selected = place;
    const facts = place && [...factsOf(place), ["More", linkToRow(whats[place.row.what[place.i]])]];
    byId("timeline-details").replaceChildren(...(place ? [el("h3", {}, titleOf(place)), factList(facts)] : []));
    redraw();
}
