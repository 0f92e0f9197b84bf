// Hardware counters: of each kernel what it is bound by, and its numbers; sums of scopes.

const COUNTER_SET = "GPU counters";
const counted = rowsOf(data.counters).map((row, i) => ({ ...row, lines: data.counter_lines[i] }));
const countedScopes = rowsOf(data.counter_scopes);
const countedNames = new Set([...counted, ...countedScopes].map((row) => row.name));

// Whether a value of NVTX is shown here.
const isCounted = (value) => value.set.startsWith(COUNTER_SET) && countedNames.has(value.name);

// -1: it was not counted.
const whereKnown = (value) => (value < 0 ? null : value);

function counterDetail(kernel) {
    const metrics = data.values.filter((row) => row.set === COUNTER_SET && visible(row.name) === kernel.name && row.field.includes("__"));
    const sheet = new Sheet({
        label: `Metrics of ${kernel.name}`,
        rows: metrics,
        columns: [
            { title: "Metric", kind: "name", value: (row) => visible(row.field) },
            { title: "Avg", kind: "number", value: (row) => row.sum / row.count },
            { title: "Min", kind: "number", value: (row) => row.min },
            { title: "Max", kind: "number", value: (row) => row.max },
        ],
        text: (row) => row.field,
    });
    return el("div", {}, el("pre", { class: "lines" }, kernel.lines.map((line) => visible(line)).join("\n")), sheet.node);
}

function addCounters() {
    const suspect = counted.filter((row) => row.suspect).length;
    const notes = [
        "Of launches that ran alone, to be counted. Open a kernel to see what to try, and each metric.",
        suspect && `${plural(suspect, "kernel computes", "kernels compute")} in fp64, though no argument is a double.`,
    ];
    addSheet("counters", "Counters", notes.filter(Boolean).join(" "), {
        rows: counted,
        columns: [
            nameColumn,
            { title: "Bound by", kind: "text", value: (row) => (row.bound ? `${row.bound}, ${row.certainty}` : null) },
            { title: "Launch", kind: "time", value: (row) => whereKnown(row.ns), hint: "the mean of those that were counted" },
            { title: "Launches", kind: "count", value: (row) => row.launches },
            { title: "Counted", kind: "count", value: (row) => row.counted },
            { title: "SM", kind: "share", value: (row) => ofMillion(row.sm), hint: "of what the multiprocessors can do" },
            { title: "Memory", kind: "share", value: (row) => ofMillion(row.memory), hint: "of what caches and memory can do" },
            { title: "DRAM", kind: "share", value: (row) => ofMillion(row.dram), hint: "of the bandwidth of the device's memory" },
            { title: "Occupancy", kind: "share", value: (row) => ofMillion(row.occupancy), hint: "warps on a multiprocessor, of those that it has room for" },
            { title: "fp64", kind: "count", value: (row) => whereKnown(row.fp64), hint: "instructions in a launch; !: no argument is a double", mark: (row) => (row.suspect ? "!" : "") },
        ].filter((column) => counted.some((row) => (column.title === "fp64" ? row.fp64 > 0 : column.value(row) !== null))),
        detail: counterDetail,
    });
    if (!operations.length && data.roofline)
        sheets.get("counters")?.node.before(rooflineOf(data.roofline));
}

function addCountersOfScopes() {
    addSheet("counter-scopes", "Counters by scope", "Sums over the launches that were counted.", {
        rows: countedScopes,
        columns: [
            nameColumn,
            { title: "Launches", kind: "count", value: (row) => row.counted },
            { title: "Total", kind: "time", value: (row) => whereKnown(row.ns), hint: "of kernels, one after the other" },
            { title: "DRAM", kind: "bytes", value: (row) => whereKnown(row.dram), hint: "read and written" },
            { title: "L2", kind: "bytes", value: (row) => whereKnown(row.l2) },
            { title: "fp64", kind: "count", value: (row) => whereKnown(row.fp64), hint: "FLOPs" },
            { title: "fp32", kind: "count", value: (row) => whereKnown(row.fp32), hint: "FLOPs" },
            { title: "Tensor", kind: "count", value: (row) => whereKnown(row.tensor), hint: "FLOPs of Tensor Cores" },
        ].filter((column) => countedScopes.some((row) => column.value(row) !== null)),
    });
}
