// Operations of neural networks: layers, in each its operations, in each of these its kernels.

const LEVELS = ["layer", "operation", "kernel"];

// What is not known of all is left empty.
const rate = (amount, ns) => (ns ? amount / (ns / 1e9) : null);
const few = (value) => (value === null ? null : Number(value.toPrecision(4)));
const ofMillion = (ppm) => (ppm < 0 ? null : ppm / 1e6);

const operations = rowsOf(data.operations).map((row) => ({ ...row, kind: LEVELS[row.level], within: [] }));

// Of a layer only its own name, below that of the one around it.
for (const row of operations) {
    const around = operations[row.parent];
    row.depth = around ? around.depth + 1 : 0;
    around?.within.push(row);
    row.path = around && row.kind !== "layer" ? `${around.path} › ${row.name}` : row.name;
    row.title = around && row.kind === "layer" ? row.name.slice(around.name.length + 1) : row.name;
}

function operationColumns(whole) {
    return [
        { title: "Name", kind: "name", value: (row) => row.title },
        { title: "Kind", kind: "text", value: (row) => row.kind },
        { title: "Time", kind: "share", value: (row) => row.total / whole, share: (row) => row.total / whole, hint: "of all kernels" },
        { title: "Total", kind: "time", value: (row) => row.total, hint: "of kernels" },
        { title: "Idle", kind: "time", value: (row) => row.idle, hint: "how long the device had run no kernel when these began" },
        { title: "Kernels", kind: "count", value: (row) => row.kernels },
        { title: "Times", kind: "count", value: (row) => row.times, hint: "that operations ran" },
        { title: "GFLOP", kind: "number", value: (row) => (row.flops_ns ? few(row.flops / 1e9) : null) },
        { title: "TFLOP/s", kind: "number", value: (row) => few(rate(row.flops / 1e12, row.flops_ns)) },
        { title: "Moved", kind: "bytes", value: (row) => (row.bytes_ns ? row.bytes : null), hint: "at least, from and to the device's memory" },
        { title: "Bandwidth", kind: "rate", value: (row) => rate(row.bytes, row.bytes_ns) },
        { title: "FLOP/B", kind: "number", value: (row) => (row.both_bytes ? few(row.both_flops / row.both_bytes) : null) },
        { title: "Peak", kind: "share", value: (row) => ofMillion(row.flops_ppm), hint: "of the FLOPs that the device can do with the operations' types" },
        { title: "Memory", kind: "share", value: (row) => ofMillion(row.bytes_ppm), hint: "of the bandwidth of the device's memory" },
        { title: "Bound", kind: "text", value: (row) => row.bound, hint: "what keeps it from being faster" },
        ...(operations.some((row) => row.bus_ns) ? [{ title: "Bus", kind: "rate", value: (row) => rate(row.bus, row.bus_ns), hint: "of collectives, over the links between devices" }] : []),
        { title: "TC", kind: "share", value: (row) => (row.matrix_ns ? row.cores_ns / row.matrix_ns : null), hint: "Tensor Cores, of the time of kernels that multiply matrices" },
    ];
}

// Names in it are text, and no style or script of its own may run.
function rooflineOf(svg) {
    return svg ? el("figure", { class: "roofline" }, document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true)) : null;
}

function adviceOf(lines) {
    return lines ? el("ul", { class: "notes advice", "aria-label": "Advice" }, ...lines.trim().split("\n").map((line) => el("li", {}, visible(line)))) : null;
}

function addOperations() {
    const outermost = operations.filter((row) => row.parent < 0);
    const notes = [
        "Layers, in each its operations, in each of these its kernels: open one to see what is within.",
        data.roofline && "The roofs are what memory and units of the device can do at most; a circle's area is its time.",
        data.operations_beyond && `${formatCount(data.operations_beyond)} rows, the least expensive, are left out.`,
    ];
    addSheet("operations", "Operations", notes.filter(Boolean).join(" "), {
        rows: outermost,
        columns: operationColumns(sumOf(outermost, "total")),
        sort: 3,
        text: (row) => row.path,
        within: (row) => row.within,
    });
    const above = [rooflineOf(data.roofline), adviceOf(data.advice)];
    if (outermost.length)
        sheets.get("operations").node.before(...above.filter(Boolean));
}
