// From the rows of tables to the timeline, and back.

const SECTIONS = {
    scope: "scopes", range: "scopes", mark: "scopes", call: "api", kernel: "kernels", copy: "copies", set: "copies",
    unified: "copies", sync: "waits", fault: "waits", overhead: "waits", span: "waits", function: "functions",
};

/* ---------------------------------------------------------------------------------------------- timeline to tables */

const isOf = (what, row) => what.name === row.name && (SECTIONS[what.kind] !== "scopes" || what.set === row.set);

// The button that leads to the row of what an event is; null if no table has it.
function linkToRow(what) {
    const sheet = sheets.get(SECTIONS[what.kind]), row = sheet && sheet.rows.find((each) => isOf(what, each));
    return row ? el("button", { type: "button", class: "link", onclick: () => sheet.reveal(row) }, "its row in the table") : null;
}

/* ---------------------------------------------------------------------------------------------- tables to timeline */

// Facts about the row's events on the timeline: which was the longest, and where all of them are.
function timelineFacts(row, section) {
    if (row.device >= 0 && data.devices.length > 1)
        return []; // events are known by name, not by device
    const own = whats.slice(0, detail.whats).filter((what) => SECTIONS[what.kind] === section && isOf(what, row));
    if (!own.length)
        return [];
    const longest = own.reduce((a, b) => (b.max > a.max ? b : a));
    const count = sumOf(own, "count");
    return [
        ["Longest", el("button", { type: "button", class: "link", onclick: () => showEvent(longest) },
            `${formatTime(longest.max)}, at ${formatTime(longest.max_start)}`)],
        ["On the timeline", el("button", { type: "button", class: "link", onclick: () => findOnTimeline(row.name) }, plural(count, "event", "events"))],
    ];
}

function findOnTimeline(name) {
    byId("timeline-search").value = `"${name}"`;
    search(`"${name}"`);
    setView(fitFrom, fitTo);
    byId("timeline").scrollIntoView({ block: "start" });
    byId("timeline-search").focus({ preventScroll: true });
}

// Zooms to the longest event of what it is, and selects it as soon as it is a block of its own.
function showEvent(what) {
    timeline.wanted = what;
    zoomTo(what.max_start, Math.max(what.max, SPAN_LEAST));
    select(null);
    selectWanted();
}

function selectWanted() {
    const { wanted } = timeline;
    if (!wanted)
        return;
    const isWanted = (row, i) => {
        const what = whats[row.what[i]];
        return row.events[i] === 1 && row.end[i] - row.start[i] === wanted.max && what.name === wanted.name && what.kind === wanted.kind;
    };
    for (const row of lanes.flatMap((lane) => [...lane.finer, ...lane.rows])) {
        for (let i = firstAfter(row, wanted.max_start - 1); i < row.count && row.start[i] <= wanted.max_start; i++) {
            if (row.start[i] === wanted.max_start && isWanted(row, i)) {
                timeline.wanted = null;
                show({ row, i });
                return;
            }
        }
    }
}
