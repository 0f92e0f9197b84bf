// The most important numbers.

function figure(title, value, note) {
    const [number, unit] = Array.isArray(value) ? value : [value, ""];
    return el("div", {}, el("dt", {}, title),
        el("dd", {}, el("div", { class: "value" }, number, unit && el("span", { class: "unit" }, unit)),
            note ? el("div", { class: "note" }, note) : null));
}

// A device's busy time, as a part of the run, or of the traced time if the trace is cut short.
function busyOf(use) {
    const cut = data.summary.gpu_events_dropped > 0 || !data.process.wall_ns;
    const window = cut ? use.last_ns - use.first_ns : data.process.wall_ns;
    return { share: window ? Math.min(1, use.busy_ns / window) : 0, cut };
}

function gpuFigures(zoomTo) {
    const uses = data.timeline.devices;
    if (!uses.length) {
        if (!gpuNs)
            return [];
        const share = wallNs ? `${formatShare(gpuNs / wallNs)} of the run; streams add up` : "";
        return [figure("GPU time", quantity(TIME_UNITS, gpuNs), share)];
    }
    const busiest = uses.reduce((a, b) => (busyOf(b).share > busyOf(a).share ? b : a));
    const idlest = uses.reduce((a, b) => (b.idle_ns > a.idle_ns ? b : a));
    const busy = busyOf(busiest);
    const of = busy.cut ? "of the traced time" : "of the run";
    const each = uses.length > 1 ? `, GPU ${busiest.device}; ` + uses.filter((use) => use !== busiest).map((use) => `GPU ${use.device}: ${formatShare(busyOf(use).share)}`).join(", ") : "";
    const figures = [figure("GPU busy", [percent(busy.share), "%"], of + each)];
    if (idlest.idle_ns)
        figures.push(figure("Largest idle gap", quantity(TIME_UNITS, idlest.idle_ns),
            el("button", { type: "button", class: "link", id: "show-gap", onclick: () => zoomTo(idlest.idle_start_ns, idlest.idle_ns) },
                `GPU ${idlest.device}, at ${formatTime(idlest.idle_start_ns)}`)));
    return figures;
}

function isLaunch(name) {
    return /^(cuda|cu)(Launch(?!HostFunc)|GraphLaunch)/.test(name);
}

function launchFigure() {
    const own = calls.filter((call) => isLaunch(call.name));
    const count = sumOf(own, "count"), total = sumOf(own, "total");
    if (!count)
        return [];
    return [figure("Launch overhead", quantity(TIME_UNITS, total / count), `per launch; ${formatCount(count)} took ${formatTime(total)} of host time`)];
}

const TOP_ROWS = 6;

function topRow(row, total, part) {
    const share = total ? part(row) / total : 0;
    const bound = row.bound ? el("div", { class: "muted small" }, `${row.bound}, ${row.certainty}`) : null;
    return el("tr", {}, el("th", { scope: "row", title: labelOf(row) }, row.short || labelOf(row), bound),
        el("td", {}, formatTime(part(row))),
        el("td", { class: "share" },
            el("span", { class: "meter", "aria-hidden": "true" }, el("span", { style: `width:${(100 * Math.min(1, share)).toFixed(1)}%` })),
            el("span", { class: "amount" }, formatShare(share))));
}

// The first rows; a click opens the list to all, and another closes it.
function topList(title, rows, total, part) {
    if (!rows.length)
        return null;
    const body = el("tbody");
    const more = el("button", { type: "button", class: "link more", "aria-expanded": "false", onclick: () => draw(more.getAttribute("aria-expanded") === "false") });
    const draw = (all) => {
        body.replaceChildren(...(all ? rows : rows.slice(0, TOP_ROWS)).map((row) => topRow(row, total, part)));
        more.setAttribute("aria-expanded", String(all));
        more.textContent = all ? `Show the first ${TOP_ROWS}` : `Show all ${formatCount(rows.length)}`;
    };
    draw(false);
    more.hidden = rows.length <= TOP_ROWS;
    return el("div", {}, el("table", { class: "top-list" }, el("caption", {}, title), body), more);
}

// "2 threads + 3 exited", "3 exited threads"; without a number where it is unknown. Without scopes, those sampled.
function countThreads(summary) {
    if (!summary.threads && !summary.exited_threads)
        return data.sampling?.threads ? plural(data.sampling.threads, "thread", "threads") : "";
    const live = plural(summary.threads, "thread", "threads");
    if (!summary.exited_threads)
        return live;
    if (summary.threads)
        return `${live} + ${summary.exits || ""} exited`.replace("  ", " ");
    return summary.exits ? plural(summary.exits, "exited thread", "exited threads") : "exited threads";
}

function drawSummary(zoomTo) {
    const summary = data.summary;
    const figures = [figure("Wall time", quantity(TIME_UNITS, wallNs), countThreads(summary))];
    if (summary.scopes)
        figures.push(figure("In scopes", quantity(TIME_UNITS, summary.measured_ns), `${plural(summary.activations, "activation", "activations")} of ${plural(summary.scopes, "scope", "scopes")}`));
    figures.push(...gpuFigures(zoomTo), ...launchFigure());
    if (kernels.length)
        figures.push(figure("Kernels", formatCount(sumOf(kernels, "count")), `${plural(kernels.length, "kernel", "kernels")}, ${formatTime(sumOf(kernels, "total"))} in all`));
    if (sampled.samples)
        figures.push(figure("Sampled", quantity(TIME_UNITS, sampled.ns), `${plural(sampled.samples, "sample", "samples")}${data.sampling.wall ? "" : " of CPU time"}`));
    byId("figures").append(...figures);

    const bySelf = [...scopes].sort((a, b) => b.self - a.self).filter((row) => row.self);
    const named = kernels.map((row) => ({ ...row, short: shortName(placed(row.name, row.module)) }));
    const alone = counted.filter((row) => row.ns > 0).map((row) => ({ ...row, total: row.ns * row.counted, short: shortName(row.name) })).sort((a, b) => b.total - a.total);
    const functions = sampled.functions.filter((row) => row.self).sort((a, b) => b.self - a.self).map((row) => ({ name: row.name, self: row.self, short: shortName(row.name, 2) }));
    const tops = [
        topList("What bounds the counted kernels", alone, sumOf(alone, "total"), (row) => row.total),
        topList("Top scopes, by self time", bySelf, data.summary.measured_ns, (row) => row.self),
        topList("Top kernels", named, sumOf(kernels, "total"), (row) => row.total),
        topList("Top functions, by samples", functions, sampled.ns, (row) => row.self),
    ].filter(Boolean);
    byId("tops").append(...tops);
    if (!tops.length)
        byId("tops").append(el("p", { class: "muted" }, "No scope was entered and no GPU work was done during this recording."));
}
