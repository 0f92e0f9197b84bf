// The flame graph, from top to bottom, as wide as the time they took: calling contexts, or functions that were sampled.

const FRAME = 22;
const LEAST_PIXELS = 2;
const MOST_LEVELS = 200;
const MOST_STEPS = 8; // of the path that are shown

// What is drawn, and the field that is a frame's width.
const FLAMES = {
    host: { nodes: contexts, field: "total", label: "Calling contexts" },
    gpu: { nodes: contexts, field: "gpu", label: "Calling contexts" },
    samples: { nodes: sampled.frames, field: "total", label: "Calls of functions" },
};

const flame = { kind: "", nodes: [], field: "", root: -1, sizes: [], node: byId("flame-graph") };

function rootsOf(nodes) {
    const roots = [];
    nodes.forEach((node) => { node.children = []; });
    nodes.forEach((node) => (node.parent >= 0 ? nodes[node.parent].children : roots).push(node));
    return roots;
}

const contextRoots = rootsOf(contexts), sampledRoots = rootsOf(sampled.frames);

const sizeOf = (context) => flame.sizes[context.index];

// The time of each frame. A parent is never shown narrower than its children, even if clocks say so. Children come
// after their parents.
function measureAll() {
    flame.sizes = flame.nodes.map(() => 0);
    for (let i = flame.nodes.length - 1; i >= 0; i--) {
        const { parent } = flame.nodes[i];
        flame.sizes[i] = Math.max(flame.sizes[i], flame.nodes[i][flame.field]);
        if (parent >= 0)
            flame.sizes[parent] += flame.sizes[i];
    }
}

const flameRoots = () => (flame.kind === "samples" ? sampledRoots : contextRoots);
const childrenOf = (root) => (root < 0 ? flameRoots() : flame.nodes[root].children);

function isCall(context) {
    return context.set === "CUDA API";
}

function flamePaint(context) {
    const kind = flame.kind === "samples" ? "function" : isCall(context) ? "call" : flame.kind === "gpu" ? "kernel" : "scope";
    return paintOf(context.waits ? "wait" : kind, context.name);
}

// Methods of several classes have the same name.
const flameName = (name) => shortName(name, flame.kind === "samples" ? 2 : 1);

/* --------------------------------------------------------------------------------------------------------- drawing */

function frameText(context, whole) {
    const ns = context[flame.field];
    return `${labelOf(context)}, ${formatTime(ns)}, ${formatShare(whole ? ns / whole : 0)}`;
}

function frameNode(context, left, width, depth, whole) {
    const paint = flamePaint(context);
    const button = el("button", {
        type: "button", class: paint.waits ? "frame waits" : "frame", role: "treeitem", tabindex: "-1", "aria-level": depth + 1, "data-context": context.index,
        "aria-label": frameText(context, whole),
        style: `left:${left}px;width:${width}px;top:${depth * FRAME}px;color:${paint.text}${paint.waits ? "" : `;background:${paint.fill}`}`,
    }, width > 24 ? flameName(context.name) : "");
    if (context.children.length)
        button.setAttribute("aria-expanded", "true");
    return button;
}

// Adds the frames of one level from `left` on, and counts those that are too narrow or too deep.
function addFrames(list, contextsHere, left, pixels, depth, whole) {
    let at = left;
    for (const context of contextsHere) {
        const width = sizeOf(context) * pixels;
        if (width >= LEAST_PIXELS && depth < MOST_LEVELS) {
            list.frames.push(frameNode(context, at, width, depth, whole));
            list.depth = Math.max(list.depth, depth + 1);
            addFrames(list, context.children, at, pixels, depth + 1, whole);
        } else if (width > 0) {
            list.hidden++;
        }
        at += width;
    }
}

function drawPath() {
    const path = [];
    for (let at = flame.root; at >= 0; at = flame.nodes[at].parent)
        path.unshift(at);
    const nodes = [el("button", { type: "button", class: "link", onclick: () => zoomFlame(-1) }, flame.kind === "samples" && sampled.within ? `all within ${sampled.within}` : "all")];
    if (path.length > MOST_STEPS)
        nodes.push(el("span", {}, "› …"));
    for (const at of path.slice(-MOST_STEPS))
        nodes.push(el("span", { "aria-hidden": "true" }, "›"), el("button", { type: "button", class: "link", onclick: () => zoomFlame(at) }, flame.kind === "samples" ? flameName(flame.nodes[at].name) : flame.nodes[at].name));
    nodes.at(-1).setAttribute("aria-current", "true");
    byId("flame-path").replaceChildren(...nodes);
    byId("flame-reset").disabled = flame.root < 0;
}

function restOfContexts(whole) {
    const rest = [];
    if (data.contexts_beyond)
        rest.push(`${plural(data.contexts_beyond, "calling context, the least expensive one, is", "calling contexts, the least expensive ones, are")} left out.`);
    if (!whole)
        rest.push(flame.kind === "gpu" ? "No calling context has any GPU time." : "No time was spent in any scope.");
    return rest;
}

function restOfSamples(missing) {
    const { nodes_beyond: beyond, least_ns: least } = data.sampling;
    const rest = [];
    if (beyond)
        rest.push(`${plural(beyond, "frame", "frames")} below ${formatTime(least)} ${beyond === 1 ? "is" : "are"} left out; the time is the caller's.`);
    if (missing > 0)
        rest.push(`${formatTime(missing)} are in no frame.`);
    return [...rest, symbolsRemark()].filter(Boolean);
}

function drawFlame() {
    const shown = flame.root < 0 ? flameRoots() : [flame.nodes[flame.root]];
    const drawn = shown.reduce((sum, context) => sum + sizeOf(context), 0);
    const whole = flame.kind === "samples" && flame.root < 0 ? sampled.ns : drawn;
    const list = { frames: [], hidden: 0, depth: 1 };
    addFrames(list, shown, 0, whole ? flame.node.clientWidth / whole : 0, 0, whole);
    flame.node.style.height = `${list.depth * FRAME}px`;
    flame.node.replaceChildren(...list.frames);
    if (list.frames.length)
        list.frames[0].tabIndex = 0;
    drawPath();
    const rest = flame.kind === "samples" ? restOfSamples(whole - drawn) : restOfContexts(whole);
    if (list.hidden)
        rest.unshift(`${plural(list.hidden, "frame is", "frames are")} too narrow or too deep to be drawn, with everything inside; a click on a frame enlarges it.`);
    byId("flame-rest").textContent = rest.join(" ");
}

function zoomFlame(root) {
    flame.root = root;
    hideTooltip();
    drawFlame();
    if (byId("flame").getBoundingClientRect().top < 0)
        byId("flame").scrollIntoView();
    const first = flame.node.querySelector(".frame");
    if (first && flame.node.contains(document.activeElement) === false)
        first.focus({ preventScroll: true });
}

function setFlame(kind) {
    if (FLAMES[kind].nodes !== flame.nodes || kind === "samples")
        flame.root = -1;
    Object.assign(flame, { kind, nodes: FLAMES[kind].nodes, field: FLAMES[kind].field });
    flame.node.setAttribute("aria-label", FLAMES[kind].label);
    for (const each of Object.keys(FLAMES))
        byId(`flame-${each}`).setAttribute("aria-pressed", String(each === kind));
    measureAll();
    drawFlame();
}

/* ----------------------------------------------------------------------------------------------------------- input */

function frameOf(event) {
    return event.target.closest && event.target.closest(".frame");
}

function focusFrame(index) {
    const frame = flame.node.querySelector(`[data-context="${index}"]`);
    if (!frame)
        return;
    flame.node.querySelectorAll("[tabindex='0']").forEach((each) => { each.tabIndex = -1; });
    frame.tabIndex = 0;
    frame.focus();
}

// Up to the parent, down to the widest child, left and right to siblings.
function moveFocus(context, key) {
    const siblings = childrenOf(context.parent);
    const at = siblings.indexOf(context);
    const next = {
        ArrowUp: () => (context.parent >= 0 ? flame.nodes[context.parent] : null),
        ArrowDown: () => [...context.children].sort((a, b) => sizeOf(b) - sizeOf(a))[0],
        ArrowLeft: () => siblings[at - 1],
        ArrowRight: () => siblings[at + 1],
    }[key]();
    if (next)
        focusFrame(next.index);
}

function linesOfContext(context) {
    const lines = [`Host: ${formatTime(context.total)}, ${plural(context.count, "time", "times")}${context.running ? `, and ${formatCount(context.running)} still running` : ""}`];
    if (context.gpu)
        lines.push(`GPU: ${formatTime(context.gpu)}`);
    return lines;
}

function linesOfCalls(frame) {
    const share = sampledShare(frame.total);
    return [`${formatTime(frame.total)}, ${percent(share)} ± ${formatShare(errorOfShare(share))}`, `${formatTime(frame.self)} self`, frame.module];
}

function listenToFlame() {
    flame.node.addEventListener("click", (event) => {
        const frame = frameOf(event);
        if (frame)
            zoomFlame(Number(frame.dataset.context));
    });
    flame.node.addEventListener("keydown", (event) => {
        const frame = frameOf(event);
        if (event.key === "Escape")
            zoomFlame(-1);
        if (!frame || !event.key.startsWith("Arrow"))
            return;
        event.preventDefault();
        moveFocus(flame.nodes[Number(frame.dataset.context)], event.key);
    });
    flame.node.addEventListener("pointermove", (event) => {
        const frame = frameOf(event);
        if (!frame) {
            hideTooltip();
            return;
        }
        const context = flame.nodes[Number(frame.dataset.context)];
        const lines = flame.kind === "samples" ? linesOfCalls(context) : linesOfContext(context);
        showTooltip(event.clientX, event.clientY, labelOf(context), lines);
    });
    flame.node.addEventListener("pointerleave", hideTooltip);
    for (const kind of Object.keys(FLAMES))
        byId(`flame-${kind}`).addEventListener("click", () => setFlame(kind));
    byId("flame-reset").addEventListener("click", () => zoomFlame(-1));
    new ResizeObserver(drawFlame).observe(byId("flame"));
}

function beginFlame() {
    const any = { host: contexts.length > 0, gpu: contexts.some((context) => context.gpu), samples: sampled.frames.length > 0 };
    const kinds = Object.keys(FLAMES).filter((kind) => any[kind]);
    if (!kinds.length)
        return;
    byId("flame").hidden = false;
    byId("flame-metric").hidden = kinds.length < 2;
    byId("flame-samples").textContent = sampled.kind;
    for (const kind of Object.keys(FLAMES))
        byId(`flame-${kind}`).hidden = !any[kind];
    listenToFlame();
    setFlame(kinds[0]);
}
