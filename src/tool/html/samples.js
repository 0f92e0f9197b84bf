// Samples: which functions took the time, who called them, within which scopes, and the sources of functions.

/* ---------------------------------------------------------------------------------------------------------- sources */

const sources = rowsOf(data.sources || { rows: 0 }).map((row) => ({ ...row, lines: [] }));
for (const line of rowsOf(data.source_lines || { rows: 0 }))
    sources[line.of].lines.push(line);

// Of all samples, which is said if only those within a scope are shown.
function sourceTable(source) {
    const all = sumOf(sampled.frameParts, "self");
    const share = (ns) => (ns ? percent(ns / all) : "");
    const body = source.lines.map((line) => el("tr", { class: line.self ? "hot" : undefined },
        el("td", {}, share(line.self)), el("td", {}, share(line.total)), el("td", {}, String(line.line)), el("td", {}, el("code", {}, line.code))));
    return el("table", { class: "source" },
        el("thead", {}, el("tr", {}, ...[sampled.within ? "Self % of all" : "Self %", sampled.within ? "Total % of all" : "Total %", "Line", "Source"].map((title) => el("th", { scope: "col" }, title)))),
        el("tbody", {}, ...body));
}

function sourceNote(source) {
    if (!source.found)
        return `${source.file} is not where it was compiled`;
    const newer = source.newer ? ", changed after the program was made: lines may have moved" : "";
    return source.file + newer + (source.cut ? "; more lines are left out" : "");
}

// What a function has in each file.
function sourceFacts(row) {
    return sources.filter((source) => source.name === row.full && source.module === row.module)
        .map((source) => ["Source", el("div", {}, sourceNote(source), source.found ? el("div", { class: "scroll" }, sourceTable(source)) : "")]);
}

/* ---------------------------------------------------------------------------------------------------------- samples */

const NO_ROWS = { rows: 0 };
const ERROR_FACTOR = 1.96; // half of the interval that contains the true share in 95 of 100 cases

// An address means nothing without its file.
const placed = (name, module) => (name.startsWith("0x") ? `${name} [${module}]` : name);

const sampled = {
    functions: rowsOf(data.functions || NO_ROWS),
    frames: rowsOf(data.frames || NO_ROWS),
    frameParts: rowsOf(data.frame_parts || NO_ROWS),
    functionParts: rowsOf(data.function_parts || NO_ROWS),
    kind: data.sampling?.wall ? "Wall samples" : "CPU samples",
    within: "", // the scope that everything is shown of; "": all
    ns: 0,
    samples: 0,
};

sampled.frames.forEach((frame) => {
    const { name, module } = sampled.functions[frame.callee];
    Object.assign(frame, { name: placed(name, module), module, set: "", children: [] });
});

/* ------------------------------------------------------------------------------------------------------------- sums */

// Whether each context is one of a scope of that name, or within one. Parents come first.
function contextsWithin(label) {
    const inside = [];
    for (const context of contexts)
        inside.push(labelOf(context) === label || (context.parent >= 0 && inside[context.parent]));
    return inside;
}

function addParts(rows, parts, isShown) {
    rows.forEach((row) => { row.self = row.total = row.samples = 0; });
    for (const part of parts.filter(isShown)) {
        const row = rows[part.row];
        if (row)
            ["self", "samples", "total"].forEach((field) => { row[field] += part[field] || 0; });
    }
}

// What is shown, of all scopes or of one.
function sumSamples() {
    const inside = sampled.within && contextsWithin(sampled.within);
    const isShown = (part) => !inside || inside[part.context];
    const shown = sampled.frameParts.filter(isShown);
    sampled.ns = sumOf(shown, "self");
    sampled.samples = sumOf(shown, "samples");
    addParts(sampled.functions, sampled.functionParts, isShown);
    addParts(sampled.frames, sampled.frameParts, isShown);
    for (const frame of [...sampled.frames].reverse()) { // children come after their parents
        frame.total += frame.self;
        if (frame.parent >= 0)
            sampled.frames[frame.parent].total += frame.total;
    }
}

const sampledShare = (ns) => (sampled.ns ? ns / sampled.ns : 0);

function errorOfShare(share) {
    return sampled.samples ? ERROR_FACTOR * Math.sqrt(Math.max(0, share * (1 - share)) / sampled.samples) : 0;
}

// The scopes that were sampled, those with the most time first, as [label, ns]. Recursion counts once.
function sampledScopes() {
    const sums = new Map();
    for (const part of sampled.frameParts) {
        const labels = new Set();
        for (let at = part.context; at >= 0; at = contexts[at].parent)
            labels.add(labelOf(contexts[at]));
        labels.forEach((label) => sums.set(label, (sums.get(label) || 0) + part.self));
    }
    return [...sums].sort((a, b) => b[1] - a[1]);
}

/* -------------------------------------------------------------------------------------------------------- functions */

const SAMPLED_SCOPES_MOST = 8;

const lineOf = (row) => (row.line ? `${row.file.split("/").pop()}:${row.line}` : "");

function functionColumns() {
    return [
        nameColumn,
        { title: "Self", kind: "share", value: (row) => sampledShare(row.self), share: (row) => sampledShare(row.self), hint: "in the function, without its callees" },
        { title: "±", kind: "share", value: (row) => errorOfShare(sampledShare(row.self)), hint: "half of the interval that contains the true share in 95 of 100 cases" },
        { title: "Self time", kind: "time", value: (row) => row.self },
        { title: "Total", kind: "share", value: (row) => sampledShare(row.total), hint: "also in functions that it called" },
        { title: "Total time", kind: "time", value: (row) => row.total },
        { title: "Samples", kind: "count", value: (row) => row.samples, hint: "in the function, without its callees" },
        { title: "File", kind: "text", value: (row) => row.module, hint: "that it was loaded from" },
        ...(sampled.functions.some((row) => row.line) ? [{ title: "Line", kind: "text", value: lineOf, hint: "with the most samples" }] : []),
    ];
}

const scopeCalled = (label) => scopes.find((scope) => labelOf(scope) === label);

// The calling contexts that a function took time in, each leading to its scope.
function functionFacts(row) {
    const parts = sampled.functionParts.filter((part) => part.row === row.index).sort((a, b) => b.total - a.total);
    const facts = parts.slice(0, SAMPLED_SCOPES_MOST).map((part, i) => {
        const scope = part.context >= 0 ? scopeCalled(labelOf(contexts[part.context])) : null;
        const path = scope ? el("button", { type: "button", class: "link", onclick: () => sheets.get("scopes").reveal(scope) }, pathOf(part.context)) : pathOf(part.context);
        return [i ? "" : "Within", el("span", {}, path, `: ${formatTime(part.total)}, ${formatTime(part.self)} self`)];
    });
    const left = parts.slice(SAMPLED_SCOPES_MOST);
    return factList([
        ["Full name", row.full === row.name ? null : row.full],
        ["Line with the most samples", row.line ? `${row.file}:${row.line}` : null],
        ...facts,
        left.length ? ["", `${plural(left.length, "more calling context", "more calling contexts")}: ${formatTime(sumOf(left, "total"))}`] : ["", null],
        ...sourceFacts(row),
        ["Flame graph", el("button", { type: "button", class: "link", onclick: () => showCallsOf(row) }, "the calls that took the most time in it")],
    ]);
}

function showCallsOf(row) {
    const own = sampled.frames.filter((frame) => frame.callee === row.index && frame.total);
    setFlame("samples");
    if (own.length)
        zoomFlame(own.reduce((a, b) => (b.total > a.total ? b : a)).index);
    byId("flame").scrollIntoView({ block: "start" });
}

// What could not be looked up.
function symbolsRemark() {
    const { remark } = data.sampling;
    return remark && `${remark[0].toUpperCase()}${visible(remark.slice(1))}.`;
}

function functionNotes() {
    const { least_ns: least, functions_beyond: beyond, crowded_ns: crowded } = data.sampling;
    return [
        `${plural(sampled.samples, "sample", "samples")}, ${formatTime(sampled.ns)} ${data.sampling.wall ? "of the threads' time" : "of CPU time"}.`,
        beyond && `${plural(beyond, "function", "functions")} below ${formatTime(least)} ${beyond === 1 ? "is" : "are"} left out.`,
        crowded && `For ${formatTime(crowded)} there was no room for the scope.`,
        data.sources_beyond && `The source of ${plural(data.sources_beyond, "function, or part of one,", "functions, or parts of them,")} ${data.sources_beyond === 1 ? "is" : "are"} left out, of those that took the least time themselves.`,
        symbolsRemark(),
    ].filter(Boolean).join(" ");
}

function drawFunctions() {
    const sheet = new Sheet({
        label: "Functions",
        rows: sampled.functions.filter((row) => row.total),
        columns: functionColumns(),
        sort: 1,
        text: (row) => `${row.full} ${row.module}`,
        detail: functionFacts,
    });
    sheets.get("functions")?.node.replaceWith(sheet.node);
    sheets.set("functions", sheet);
    byId("functions-note").textContent = functionNotes();
    return sheet.node;
}

/* ------------------------------------------------------------------------------------------------------------ scope */

// Shows only what ran within scopes of that name, in the table and in the flame graph; "" shows all.
function sampleWithin(label) {
    sampled.within = label;
    byId("functions-within").value = label;
    sumSamples();
    drawFunctions();
    if (flame.kind === "samples")
        setFlame("samples");
}

// What was sampled within a scope, which leads to the functions; null if nothing was.
function samplesOfScope(scope) {
    const label = labelOf(scope), inside = contextsWithin(label);
    const own = sampled.frameParts.filter((part) => inside[part.context]);
    if (!own.length)
        return null;
    const go = () => {
        sampleWithin(label);
        byId("functions").scrollIntoView({ block: "start" });
        byId("functions-within").focus({ preventScroll: true });
    };
    return el("button", { type: "button", class: "link", onclick: go }, `${plural(sumOf(own, "samples"), "sample", "samples")}, ${formatTime(sumOf(own, "self"))}: the functions within`);
}

function addFunctions() {
    if (!sampled.frameParts.length)
        return;
    const choices = sampledScopes().map(([label, ns]) => el("option", { value: label }, `${label}, ${formatTime(ns)}`));
    const within = el("select", { id: "functions-within", onchange: () => sampleWithin(within.value) }, el("option", { value: "" }, "all"), ...choices);
    byId("tables").append(el("section", { id: "functions", "aria-labelledby": "functions-heading" },
        el("h2", { id: "functions-heading" }, "Functions"),
        el("p", { id: "functions-note", class: "muted small", style: "margin-bottom:8px" }),
        el("div", { class: "tools", ...(choices.length ? {} : { hidden: true }) }, el("label", { class: "field" }, "Within ", within))));
    byId("functions").append(drawFunctions());
}
