// The search on the timeline: what does not match is dimmed; matches are gone through in the order of time. A name in
// quotes has to match as a whole.
//
// A block of several events has the name of the longest one, so there are fewer blocks that match than events that do.
// Of what no block shows, the longest event is gone to.

const found = { places: [], at: -1, blocks: 0 }; // {start, row, i}, or {start, what} without a block

// Also after events of a part were read, which have names of their own.
function matchNames() {
    const [, whole] = timeline.query.match(/^"(.*)"$/) || [];
    const fits = (name) => (whole === undefined ? name.includes(timeline.query) : name === whole);
    timeline.matches = new Set(whats.filter((what) => fits(what.name.toLowerCase())).map((what) => what.index));
}

function search(query) {
    timeline.query = query.trim().toLowerCase();
    matchNames();
    found.places = timeline.query ? placesThat(isMatch) : [];
    found.blocks = found.places.filter((place) => place.row).length;
    found.at = -1;
    byId("timeline-next").disabled = byId("timeline-previous").disabled = !found.places.length;
    tellMatches();
    redraw();
}

// In the order of time.
function placesThat(fits) {
    const places = [], shown = new Set();
    for (const row of rows) {
        for (let i = 0; i < row.count; i++) {
            if (fits(row.what[i])) {
                places.push({ start: row.start[i], row, i });
                shown.add(row.what[i]);
            }
        }
    }
    for (const what of whats.slice(0, detail.whats))
        if (fits(what.index) && !shown.has(what.index))
            places.push({ start: what.max_start, what });
    return places.sort((a, b) => a.start - b.start);
}

function tellMatches() {
    const { places, at, blocks } = found;
    const events = whats.slice(0, detail.whats).reduce((sum, what) => sum + (isMatch(what.index) ? what.count : 0), 0);
    const position = at < 0 ? "" : `${formatCount(at + 1)} of `;
    const words = blocks === events ? position + plural(events, "match", "matches")
        : `${plural(events, "match", "matches")}, ${position}${plural(places.length, "place", "places")}`;
    byId("timeline-matches").textContent = timeline.query ? words : "";
}

// The first match that begins after the selected event or, if `by` is -1, the last one before it; beyond the last one
// comes the first.
function goToMatch(by) {
    const { places } = found;
    if (!places.length)
        return;
    const { selected } = timeline;
    const start = selected ? selected.row.start[selected.i] : null;
    if (found.at >= 0 && (start === null || start === places[found.at].start))
        found.at += by;
    else if (start === null)
        found.at = by > 0 ? 0 : -1;
    else if (by > 0)
        found.at = places.findIndex((place) => place.start > start);
    else
        found.at = places.findLastIndex((place) => place.start < start);
    if (found.at < 0 || found.at >= places.length)
        found.at = by > 0 ? 0 : places.length - 1;
    const focused = document.activeElement;
    if (places[found.at].row)
        show(places[found.at]);
    else
        showEvent(places[found.at].what);
    focused.focus({ preventScroll: true });
    tellMatches();
}

function listenToSearch() {
    const box = byId("timeline-search");
    box.addEventListener("input", () => search(box.value));
    box.addEventListener("keydown", (event) => {
        if (event.key === "Enter")
            goToMatch(event.shiftKey ? -1 : 1);
    });
    for (const [id, by] of [["timeline-previous", -1], ["timeline-next", 1]]) {
        byId(id).disabled = true;
        byId(id).addEventListener("click", () => goToMatch(by));
    }
}
