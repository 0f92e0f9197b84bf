// The source of functions that were sampled.

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
    return sources.filter((source) => source.name === row.name && source.module === row.module)
        .map((source) => ["Source", el("div", {}, sourceNote(source), source.found ? el("div", { class: "scroll" }, sourceTable(source)) : "")]);
}
