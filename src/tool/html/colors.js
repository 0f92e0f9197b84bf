// The colors of events: one for each kind, or one for each name. Waiting is hatched, so that nobody takes it for work.

const KIND_COLORS = {
    scope: "scope", range: "range", mark: "range", call: "call", kernel: "kernel", copy: "copy", set: "set", unified: "copy",
    span: "scope", sync: "wait", fault: "overhead", overhead: "overhead", function: "function",
};

const COLOR_NAMES = {
    scope: "Scopes", range: "Ranges, marks", call: "CUDA calls", kernel: "Kernels", copy: "Copies", set: "Memory sets",
    function: "Functions", wait: "Waiting", overhead: "Overhead",
};

const LEGEND_NAMES = 12;

const colors = { by: "kind", hatching: null };

const colorNameOf = (what) => (what.waits ? "wait" : KIND_COLORS[what.kind]);

// Always the same for the same name.
function hashOf(name) {
    let hash = 0;
    for (let i = 0; i < name.length; i++)
        hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
    return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 16;
}

// Tells neighbors of the same kind apart.
function shaded(hex, name) {
    const shade = (hashOf(name) % 5 - 2) / 2;
    const target = shade > 0 ? 255 : 0, part = Math.abs(shade) * 0.16;
    const channel = (at) => Math.round(parseInt(hex.slice(at, at + 2), 16) * (1 - part) + target * part);
    return [channel(1), channel(3), channel(5)];
}

function colorOfName(name) {
    const hash = hashOf(name), dark = document.documentElement.dataset.theme === "dark";
    const hue = (hash % 360) / 30, light = (dark ? 0.42 : 0.6) + ((hash >> 9) % 3 - 1) * 0.06, strength = 0.5 * Math.min(light, 1 - light);
    const channel = (n) => {
        const at = (n + hue) % 12;
        return Math.round(255 * (light - strength * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
    };
    return [channel(0), channel(8), channel(4)];
}

function luminance(rgb) {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const channelsOf = (number) => [number >> 16, (number >> 8) & 255, number & 255];

// A fill, and black or white on it, whichever can be read better. A color that the program chose (-1: none) is that of
// the event's kind.
function paintOf(colorName, name, chosen = -1) {
    if (colorName === "wait")
        return { fill: colors.hatching, text: color("text"), waits: true };
    const rgb = colors.by === "name" ? colorOfName(name) : chosen >= 0 ? channelsOf(chosen) : shaded(color(colorName), name);
    return { fill: `rgb(${rgb.join(",")})`, text: luminance(rgb) > 0.179 ? "#000000" : "#ffffff", waits: false };
}

function hatchingFor(context) {
    const tile = el("canvas", { width: 8, height: 8 }), pen = tile.getContext("2d");
    pen.fillStyle = color("wait");
    pen.fillRect(0, 0, 8, 8);
    pen.strokeStyle = color("wait-line");
    pen.lineWidth = 2.5;
    for (const x of [-8, 0, 8]) {
        pen.moveTo(x - 1, 9);
        pen.lineTo(x + 9, -1);
    }
    pen.stroke();
    return context.createPattern(tile, "repeat");
}

// The fills of all kinds of events, in the theme's colors.
function paintAll(context) {
    colors.hatching = hatchingFor(context);
    return whats.map((what) => paintOf(colorNameOf(what), what.name, what.color));
}

/* ---------------------------------------------------------------------------------------------------------- legend */

function legendItem(paint, title) {
    const swatch = el("span", { class: paint.waits ? "waits" : undefined, style: paint.waits ? undefined : `background:${paint.fill}`, "aria-hidden": "true" });
    return el("li", {}, swatch, title);
}

function legendOfKinds() {
    const used = new Set(whats.filter((what) => what.color < 0).map(colorNameOf));
    const items = Object.entries(COLOR_NAMES).filter(([name]) => used.has(name)).map(([name, title]) =>
        legendItem(name === "wait" ? { waits: true } : { fill: `var(--${name})` }, title));
    if (whats.some((what) => what.color >= 0))
        items.push(el("li", {}, "Other colors are the program's own"));
    return items;
}

// The names that fill the most time.
function legendOfNames() {
    const busy = new Map();
    for (const row of rows) {
        for (let i = 0; i < row.count; i++) {
            const what = whats[row.what[i]], title = colorNameOf(what) === "wait" ? COLOR_NAMES.wait : what.name;
            const entry = busy.get(title) || { what, title, ns: 0 };
            entry.ns += row.busy[i];
            busy.set(title, entry);
        }
    }
    const most = [...busy.values()].sort((a, b) => b.ns - a.ns);
    const items = most.slice(0, LEGEND_NAMES).map(({ what, title }) => legendItem(paintOf(colorNameOf(what), what.name), title === what.name ? what.short : title));
    const left = most.length - items.length;
    return left > 0 ? [...items, el("li", {}, plural(left, "more name", "more names"))] : items;
}

function drawLegend() {
    byId("legend").replaceChildren(...(colors.by === "name" ? legendOfNames() : legendOfKinds()));
}
