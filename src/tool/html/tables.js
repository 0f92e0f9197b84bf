// The tables of the page.

const nameColumn = { title: "Name", kind: "name", value: (row) => row.name };
const deviceColumn = { title: "GPU", kind: "text", value: (row) => String(row.device) };

// Of a row of which nothing has ended yet, only its count is known.
const ifAny = (value) => (row) => (row.count ? value(row) : null);

function shareColumn(whole, hint = "of all of this kind") {
    return { title: "Time", kind: "share", value: ifAny((row) => (whole ? row.total / whole : null)), share: (row) => row.total / whole, hint };
}

const timeColumns = [
    { title: "Total", kind: "time", value: ifAny((row) => row.total), mark: (row) => (row.left_out ? "~" : "") },
    { title: "Count", kind: "count", value: (row) => row.count, mark: (row) => (row.running ? "*" : "") },
    { title: "Avg", kind: "time", value: ifAny((row) => row.avg ?? row.total / row.count) },
    { title: "Min", kind: "time", value: ifAny((row) => row.min) },
];

const maxColumn = { title: "Max", kind: "time", value: ifAny((row) => row.max) };

// -1: it is not known.
const known = (value) => (value < 0 ? null : value);

const quantileColumns = stats.some((row) => row.p50 >= 0) ? [
    { title: "p50", kind: "time", value: (row) => known(row.p50), hint: "half of them took no longer" },
    { title: "p90", kind: "time", value: (row) => known(row.p90), hint: "nine of ten took no longer" },
    { title: "p99", kind: "time", value: (row) => known(row.p99), hint: "99 of 100 took no longer" },
] : [];

function sumOf(rows, field) {
    return rows.reduce((sum, row) => sum + row[field], 0);
}

/* ---------------------------------------------------------------------------------------------------------- scopes */

// A row for each thread that entered it, unless that is a single one.
function threadSheet(scope) {
    const parts = threadParts.filter((part) => part.stat === scope.index);
    if (parts.length < 2)
        return null;
    return new Sheet({
        label: `Threads in ${labelOf(scope)}`,
        rows: parts,
        columns: [{ ...nameColumn, title: "Thread" }, { title: "Thread id", kind: "text", value: (row) => row.tid },
            ...timeColumns, maxColumn, { title: "Self", kind: "time", value: ifAny((row) => row.self) }],
        sort: 2,
        text: (row) => `${row.name} ${row.tid}`,
    });
}

function scopeDetail(row) {
    const sheet = threadSheet(row);
    const facts = scopeFacts(row);
    return sheet ? el("div", {}, facts, sheet.node) : facts;
}

function scopeFacts(row) {
    return factList([
        ["Set", row.set],
        ["Function", row.function],
        ["Place", row.file && `${row.file}:${row.line}`],
        ["Still running", row.running ? `${plural(row.running, "activation", "activations")}, ${formatTime(row.running_ns)} so far` : null],
        ["Copied", row.copy_bytes ? formatBytes(row.copy_bytes) : null],
        ["Launches", row.launches ? `${formatCount(row.launches)}, ${formatTime(row.launch)} of host time` : null],
        ["Samples", samplesOfScope(row)],
        ...timelineFacts(row, "scopes"),
    ]);
}

function addScopes() {
    const share = shareColumn(data.summary.measured_ns, "of the time within scopes, of all threads");
    const spans = data.summary.spans;
    const cpu = scopes.some((row) => row.cpu) ? [{ title: "CPU", kind: "time", value: (row) => row.cpu, hint: "while its thread ran and did not wait" }] : [];
    const errors = scopes.some((row) => row.error_ns) ? [{ title: "±", kind: "time", value: (row) => row.error_ns || null, hint: "the total is true within this, in 95 % of cases" }] : [];
    const gpu = data.summary.gpu ? [
        { title: "GPU", kind: "time", value: (row) => (spans ? row.span : row.gpu), hint: "launched while it ran" },
        { title: "Kernels", kind: "count", value: (row) => row.kernels },
    ] : [];
    const notes = [
        data.scopes_beyond && `${formatCount(data.scopes_beyond)} more, the least expensive, are left out.`,
        scopes.some((row) => row.left_out) && "~ Activations were left out to keep STINT_BUDGET, and are estimated.",
        scopes.some((row) => row.running) && `* Some activations were still running; only the ${whats.some((what) => what.kind === "scope") ? "timeline and the flame graph have" : "flame graph has"} their time so far.`,
    ];
    addSheet("scopes", "Scopes", notes.filter(Boolean).join(" "), {
        rows: scopes,
        columns: [{ ...nameColumn, value: labelOf }, share, timeColumns[0], ...errors, ...timeColumns.slice(1), ...quantileColumns, maxColumn,
            { title: "Self", kind: "time", value: ifAny((row) => row.self), hint: "without enclosed scopes", mark: (row) => (row.self_error_ns ? "~" : "") }, ...cpu, ...gpu],
        sort: 2,
        text: (row) => `${labelOf(row)} ${row.file} ${row.function}`,
        detail: scopeDetail,
    });
}

/* --------------------------------------------------------------------------------------------------------- kernels */

function occupancyText(launch) {
    return launch.most ? `${launch.warps} of ${launch.most} warps, limited by ${launch.limit}` : "";
}

const occupancyOf = (launch) => (launch && launch.most ? launch.warps / launch.most : null);
const limitOf = (launch) => (launch && launch.most ? launch.limit : "");

const LAUNCHERS_MOST = 8;

// The scopes that launched it, those with the most time first.
function launchersOf(kernel) {
    const parts = new Set(kernel.parts.map((part) => part.index));
    const groups = new Map();
    for (const charge of charges.filter((row) => parts.has(row.activity))) {
        const path = pathOf(charge.context);
        const group = groups.get(path) || { name: path, total: 0, count: 0 };
        group.total += charge.total;
        group.count += charge.count;
        groups.set(path, group);
    }
    return [...groups.values()].sort((a, b) => b.total - a.total);
}

function launcherFacts(kernel) {
    const launchers = launchersOf(kernel);
    const facts = launchers.slice(0, LAUNCHERS_MOST).map((row, i) =>
        [i ? "" : "Launched in", `${row.name}: ${formatTime(row.total)}, ${formatShare(kernel.total ? row.total / kernel.total : 0)}, ${plural(row.count, "time", "times")}`]);
    const left = launchers.slice(LAUNCHERS_MOST);
    return left.length ? [...facts, ["", `${plural(left.length, "more calling context", "more calling contexts")}: ${formatTime(sumOf(left, "total"))}`]] : facts;
}

function occupancyColumns(launchOfRow) {
    return [
        { title: "Occupancy", kind: "share", value: (row) => occupancyOf(launchOfRow(row)), hint: "theoretical: warps that fit, as a part of the most that the device can hold" },
        { title: "Limited by", kind: "text", value: (row) => limitOf(launchOfRow(row)), hint: "what keeps more warps from fitting" },
    ];
}

function kernelDetail(kernel) {
    const own = launches.filter((launch) => launch.name === kernel.name);
    const streams = [...new Set(kernel.parts.map((part) => `${deviceLabel(part.device)}, stream ${part.stream}`))];
    const facts = factList([["On", streams.join("; ")], ...timelineFacts(kernel, "kernels"), ...launcherFacts(kernel)]);
    if (!own.length)
        return el("div", {}, facts, el("p", { class: "muted" }, "Only a trace has the launch parameters, and this recording has no trace of this kernel."));
    const sheet = new Sheet({
        label: `Launches of ${kernel.name}`,
        rows: own,
        columns: [
            { title: "Grid", kind: "text", value: (row) => row.grid.join(" × ") },
            { title: "Block", kind: "text", value: (row) => row.block.join(" × ") },
            { title: "Registers", kind: "count", value: (row) => row.registers, hint: "per thread" },
            { title: "Static", kind: "bytes", value: (row) => row.static, hint: "shared memory per block" },
            { title: "Dynamic", kind: "bytes", value: (row) => row.dynamic, hint: "shared memory per block" },
            ...occupancyColumns((row) => row),
            { title: "Count", kind: "count", value: (row) => row.count, hint: "in the trace" },
            { title: "Total", kind: "time", value: (row) => row.total },
            { title: "Avg", kind: "time", value: (row) => row.total / row.count },
            maxColumn,
        ],
        sort: 8,
        text: (row) => `${row.grid.join(" ")} ${row.block.join(" ")}`,
    });
    return el("div", {}, facts, sheet.node);
}

function addKernels() {
    const longest = new Map(); // the way of launching it that took the most time, by name
    for (const launch of launches)
        if (launch.total >= (longest.get(launch.name) || launch).total)
            longest.set(launch.name, launch);
    const occupancy = launches.some((launch) => launch.most) ? occupancyColumns((row) => longest.get(row.name)) : [];
    addSheet("kernels", "Kernels", `Open one to see its launches: grid, block, registers, shared memory, occupancy.${occupancy.length ? " The occupancy here is that of the launches that took the most time." : ""}`, {
        rows: kernels,
        columns: [nameColumn, shareColumn(sumOf(kernels, "total")), ...timeColumns, maxColumn, ...occupancy],
        sort: 2,
        detail: kernelDetail,
    });
}

/* ---------------------------------------------------------------------------------------------------------- copies */

function rateOf(copy) {
    return copy.total ? copy.bytes / (copy.total / 1e9) : null;
}

function ofPeak(copy) {
    const rate = rateOf(copy);
    return copy.peak && rate ? rate / copy.peak : null;
}

function peaksNote() {
    const named = data.devices.filter((device) => device.link_bytes_per_s || device.memory_bytes_per_s);
    const peaks = named.map((device) => {
        const parts = [];
        if (device.link_bytes_per_s)
            parts.push(`${formatRate(device.link_bytes_per_s)} to the host in each direction`);
        if (device.memory_bytes_per_s)
            parts.push(`${formatRate(device.memory_bytes_per_s)} within its memory`);
        return `${deviceLabel(device.id)}: ${parts.join(", ")}.`;
    });
    return peaks.length ? `Peaks: ${peaks.join(" ")} A copy within a device reads and writes, so it counts twice.` : "";
}

function addCopies() {
    addSheet("copies", "Copies", peaksNote(), {
        rows: copies,
        columns: [
            nameColumn,
            deviceColumn,
            { title: "Of peak", kind: "share", value: ofPeak, share: (row) => ofPeak(row) || 0, hint: "bandwidth, as a part of the device's peak" },
            { title: "Bandwidth", kind: "rate", value: rateOf },
            { title: "Bytes", kind: "bytes", value: (row) => row.bytes },
            ...timeColumns, maxColumn,
        ],
        sort: 5,
        detail: detailOn("copies"),
    });
}

/* ------------------------------------------------------------------------------------------------------------ rest */

// For rows that have nothing to open but their events; without a timeline they do not open.
function detailOn(section) {
    return whats.some((what) => SECTIONS[what.kind] === section) ? (row) => factList(timelineFacts(row, section)) : undefined;
}

function addCalls() {
    addSheet("api", "CUDA API", "", {
        rows: calls,
        columns: [nameColumn, shareColumn(sumOf(calls, "total")), ...timeColumns, ...quantileColumns, maxColumn],
        sort: 2,
        detail: detailOn("api"),
    });
}

// Page faults come in groups, of which `bytes` is their number. Those of the host are of no device, as are all other rows.
function waitOf(row) {
    const faults = row.kind === "fault";
    return { ...row, count: faults ? row.bytes : row.count, device: faults && !row.name.includes("CPU") ? row.device : -1 };
}

function addWaits() {
    const kinds = { sync: "Wait", fault: "Page fault", overhead: "Overhead", span: "Span" };
    const own = activities.filter((row) => kinds[row.kind]).map(waitOf);
    const rows = sumBy(own, (row) => `${row.kind} ${row.name} ${row.device}`, ["name", "kind", "device"]);
    const devices = rows.some((row) => row.device >= 0) ? [{ ...deviceColumn, value: (row) => (row.device < 0 ? "" : String(row.device)) }] : [];
    addSheet("waits", "Waits and overheads", "", {
        rows,
        columns: [nameColumn, { title: "Kind", kind: "text", value: (row) => kinds[row.kind] }, ...devices, ...timeColumns, maxColumn],
        sort: 2 + devices.length,
        detail: detailOn("waits"),
    });
}

// "Device Static", of "device_static".
function capitalized(word) {
    return word.split("_").map((part) => part[0].toUpperCase() + part.slice(1)).join(" ");
}

function addMemory() {
    addSheet("memory", "Memory", "", {
        rows: data.memory.map((row) => ({ ...row, name: capitalized(row.kind) + (row.pool ? ", from a pool" : "") })),
        columns: [
            { ...nameColumn, title: "Kind" },
            deviceColumn,
            { title: "Peak", kind: "bytes", value: (row) => row.peak_bytes },
            { title: "At the end", kind: "bytes", value: (row) => row.current_bytes },
            { title: "Allocations", kind: "count", value: (row) => row.allocations },
            { title: "Frees", kind: "count", value: (row) => row.frees },
        ],
        sort: 2,
    });
}

// What it recorded, by scope and call.
function threadDetail(thread) {
    const parts = threadParts.filter((part) => part.thread === thread.index).map((part) => ({ ...part, name: labelOf(stats[part.stat]) }));
    if (!parts.length)
        return el("p", { class: "muted" }, "Nothing is known of what it recorded.");
    return new Sheet({
        label: `Scopes of ${thread.name} ${tidOf(thread)}`,
        rows: parts,
        columns: [{ ...nameColumn, title: "Scope" }, shareColumn(thread.recorded, "of what this thread recorded"), ...timeColumns, maxColumn, { title: "Self", kind: "time", value: ifAny((row) => row.self) }],
        sort: 2,
        text: (row) => row.name,
    }).node;
}

function addThreads() {
    const measured = threads.some((row) => row.cpu_ns);
    const several = new Set(threads.map((row) => row.pid)).size > 1;
    if (threads.length === 1 && !measured)
        return; // all is its own
    addSheet("threads", "Threads", measured ? "CPU time and context switches count from a thread's beginning: those because it waited, and those because another thread was to run." : "", {
        rows: threads,
        columns: [
            nameColumn,
            ...(several ? [{ title: "Process", kind: "text", value: (row) => String(row.pid) }] : []),
            { title: "Thread id", kind: "text", value: tidOf },
            { title: "Recorded", kind: "time", value: (row) => row.recorded, hint: "within scopes and calls" },
            { title: "Count", kind: "count", value: (row) => row.count, hint: "of scopes that ended" },
            ...(measured ? [
                { title: "State", kind: "text", value: (row) => row.state || "", hint: "when the report was made" },
                { title: "CPU", kind: "time", value: (row) => row.cpu_ns },
                { title: "Waits", kind: "count", value: (row) => row.waits || 0 },
                { title: "Preempted", kind: "count", value: (row) => row.preempted || 0 },
            ] : []),
        ],
        sort: several ? 3 : 2,
        detail: threadDetail,
    });
}

/* -------------------------------------------------------------------------------------------------------- barriers */

const average = (field, kind) => (row) => (row.rounds && (!kind || row.kind === kind) ? row[field] / row.rounds : null);
const extreme = (field) => (row) => (row.rounds && row.kind === "delta" ? row[field] : null);

// Of a barrier at which participants arrive, or of one that they report durations to.
function gapColumns(barriers) {
    const arrivals = barriers.some((row) => row.kind === "end"), durations = barriers.some((row) => row.kind === "delta");
    return [
        { title: "Avg gap", kind: "time", value: average("gap_ns"), hint: "from the first arrival to the last, or from the shortest duration to the longest" },
        ...(arrivals ? [
            { title: "From second", kind: "time", value: average("second_gap_ns", "end"), hint: "from the second arrival to the last" },
            { title: "From middle", kind: "time", value: average("middle_gap_ns", "end"), hint: "from the middle arrival to the last" },
            { title: "Last two", kind: "time", value: average("last_two_gap_ns", "end"), hint: "from the last arrival but one to the last" },
        ] : []),
        ...(durations ? [
            { title: "Min gap", kind: "time", value: extreme("min_gap_ns") },
            { title: "Max gap", kind: "time", value: extreme("max_gap_ns") },
        ] : []),
    ];
}

function barrierDetail(barrier) {
    const facts = factList([["Set", barrier.set], ["Under way", barrier.pending ? `a round with ${formatCount(barrier.pending)} of ${formatCount(barrier.participants)} participants so far` : ""]]);
    if (!barrier.slowest.length)
        return facts;
    const sheet = new Sheet({
        label: `Who was the slowest at ${barrier.name}`,
        rows: barrier.slowest.map((part) => ({ ...part, kind: barrier.kind, name: `participant ${part.participant}` })),
        columns: [
            { ...nameColumn, title: "Slowest" },
            { title: "Rounds", kind: "count", value: (row) => row.rounds },
            { title: "Of all", kind: "share", value: (row) => row.rounds / barrier.total.rounds, share: (row) => row.rounds / barrier.total.rounds },
            ...gapColumns([barrier]),
        ],
        sort: 1,
        text: (row) => row.name,
    });
    return el("div", {}, facts, sheet.node);
}

function addBarriers() {
    addSheet("barriers", "Barriers", "Open one to see which participants were the slowest. A gap is the time for which the others had to wait; the first round does not count.", {
        rows: data.barriers.map((row) => ({ ...row, ...row.total, set: visible(row.set), name: visible(row.name) })),
        columns: [
            nameColumn,
            { title: "Participants", kind: "count", value: (row) => row.participants },
            { title: "Rounds", kind: "count", value: (row) => row.total.rounds },
            ...gapColumns(data.barriers),
        ],
        sort: 3,
        detail: barrierDetail,
    });
}

/* ---------------------------------------------------------------------------------------------------------- values */

function addValues() {
    const rows = data.values.map((row) => ({ ...row, set: visible(row.set), name: visible(row.name), field: visible(row.field) })).filter((row) => !isCounted(row));
    addSheet("values", "NVTX values", "", {
        rows,
        columns: [
            nameColumn,
            { title: "Field", kind: "text", value: (row) => row.field },
            { title: "Set", kind: "text", value: (row) => row.set },
            { title: "Count", kind: "count", value: (row) => row.count },
            { title: "Sum", kind: "number", value: (row) => row.sum },
            { title: "Avg", kind: "number", value: (row) => (row.count ? row.sum / row.count : null) },
            { title: "Min", kind: "number", value: (row) => row.min },
            { title: "Max", kind: "number", value: (row) => row.max },
        ],
        sort: 3,
        text: (row) => `${row.name} ${row.field} ${row.set}`,
    });
}

function addTables() {
    addScopes();
    addFunctions();
    addOperations();
    addKernels();
    addCounters();
    addCountersOfScopes();
    addCopies();
    addCalls();
    addWaits();
    addMemory();
    addThreads();
    addBarriers();
    addValues();
}
