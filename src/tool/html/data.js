// The recording, from the columns that the page carries.

const data = JSON.parse(document.getElementById("data").textContent);

const GPU_KINDS = ["kernel", "copy", "set", "unified", "span", "sync", "fault", "overhead", "unmeasured"];
const EVENT_KINDS = ["scope", "range", "mark", "call", ...GPU_KINDS, "function"];
const TEXT_COLUMNS = new Set(["set", "name", "file", "function", "source", "destination", "category", "bound", "certainty", "module", "code", "full"]);

// A column whose cells are all equal is stored as that one number.
function cellsOf(column, count) {
    return Array.isArray(column) ? column : new Array(count).fill(column);
}

// Rows as objects.
function rowsOf(table, strings = data.strings) {
    const keys = Object.keys(table).filter((key) => key !== "rows");
    const columns = keys.map((key) => cellsOf(table[key], table.rows));
    return Array.from({ length: table.rows }, (_, i) => {
        const row = { index: i };
        keys.forEach((key, k) => {
            const cell = columns[k][i];
            row[key] = TEXT_COLUMNS.has(key) ? visible(strings[cell]) : cell;
        });
        return row;
    });
}

// What events of a timeline are, and how those that are kernels were launched.
function whatsOf({ timeline, strings }) {
    return rowsOf(timeline.what, strings).map((row) => ({ ...row, kind: EVENT_KINDS[row.kind], short: shortName(row.name) }));
}

function launchesOf(from, itsWhats) {
    return from.launches.map((launch) => {
        const { count, total, max } = itsWhats[launch.what];
        return { ...launch, count, total, max, name: visible(from.strings[launch.name]) };
    });
}

// Nanoseconds, under names without the unit. Activations that were still running are in none of these, as in the table
// of a program; their number is `running`.
const stats = rowsOf(data.scopes).map((row) => ({
    ...row, call: row.set === "CUDA API", total: row.total_ns, self: row.self_ns, cpu: row.cpu_ns,
    avg: row.avg_ns, min: row.min_ns, max: row.max_ns, p50: row.p50_ns, p90: row.p90_ns, p99: row.p99_ns,
    gpu: row.kernel_ns + row.copy_ns + row.set_ns, span: row.span_ns, launch: row.launch_ns,
}));
const scopes = stats.filter((stat) => !stat.call);
const calls = stats.filter((stat) => stat.call);
const contexts = rowsOf(data.contexts);
const peaks = rowsOf(data.peaks);
const activities = rowsOf(data.activities).map((row, i) =>
    ({ ...row, kind: GPU_KINDS[row.kind], total: row.total_ns, min: row.min_ns, max: row.max_ns, peak: peaks[i].bytes_per_s }));
const charges = rowsOf(data.charges);
const threads = rowsOf(data.thread_sums).map((sum, i) => ({ ...data.threads[i], ...sum, name: nameOfThread(data.threads[i]) }));
const threadParts = rowsOf(data.thread_parts).map((row) =>
    ({ ...row, name: threads[row.thread].name, tid: tidOf(threads[row.thread]) }));
const whats = whatsOf(data);
const launches = launchesOf(data, whats);
const globalSet = "GlobalStatInfo";
const wallNs = data.process.wall_ns || data.timeline.end_ns;

// "loader", "3 exited threads"
function nameOfThread(thread) {
    if (thread.exited)
        return thread.exits ? plural(thread.exits, "exited thread", "exited threads") : "exited threads";
    return visible(thread.name) || "(unnamed)";
}

function tidOf(thread) {
    return thread.exited ? "" : String(thread.tid);
}

// "Layers/convolution"; the global set's name is left out.
function labelOf(row) {
    return row.set && row.set !== globalSet ? `${row.set}/${row.name}` : row.name;
}

// "trainOnePass › forward", outermost first.
function pathOf(context) {
    if (context < 0)
        return context === -2 ? "(unattributed)" : "(no scope)";
    const names = [];
    for (let at = context; at >= 0; at = contexts[at].parent)
        names.unshift(contexts[at].name);
    return names.join(" › ");
}

function deviceOf(id) {
    return data.devices.find((device) => device.id === id) || { id, name: "" };
}

function deviceLabel(id) {
    const name = deviceOf(id).name;
    return name ? `GPU ${id} (${visible(name)})` : `GPU ${id}`;
}

// Adds up rows that have the same key; `like` names the fields that are kept from the first one.
function sumBy(rows, keyOf, like) {
    const groups = new Map();
    for (const row of rows) {
        const key = keyOf(row);
        let group = groups.get(key);
        if (!group) {
            group = { count: 0, total: 0, bytes: 0, min: Infinity, max: 0, parts: [] };
            like.forEach((field) => { group[field] = row[field]; });
            groups.set(key, group);
        }
        group.count += row.count;
        group.total += row.total;
        group.bytes += row.bytes || 0;
        group.min = Math.min(group.min, row.min);
        group.max = Math.max(group.max, row.max);
        group.parts.push(row);
    }
    return [...groups.values()].sort((a, b) => b.total - a.total);
}

const kernels = sumBy(activities.filter((row) => row.kind === "kernel"), (row) => row.name, ["name"]);
const copies = sumBy(
    activities.filter((row) => ["copy", "set", "unified"].includes(row.kind)),
    (row) => `${row.device} ${row.name}`,
    ["name", "device", "peak"],
);
const gpuNs = data.summary.gpu_ns;
