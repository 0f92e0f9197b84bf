// The flame graph: calling contexts from top to bottom, as wide as the time they took.

const FRAME = 22;
const LEAST_PIXELS = 2;
const MOST_LEVELS = 200;
const MOST_STEPS = 8; // of the path that are shown

const flame = { metric: "total", root: -1, sizes: [], node: byId("flame-graph") };

contexts.forEach((context) => { context.children = []; });
const flameRoots = [];
contexts.forEach((context) => (context.parent >= 0 ? contexts[context.parent].children : flameRoots).push(context));

const sizeOf = (context) => flame.sizes[context.index];

// The time of each context. A parent is never shown narrower than its children, even if clocks say so. Children come
// after their parents.
function measureAll() {
    flame.sizes = contexts.map(() => 0);
    for (let i = contexts.length - 1; i >= 0; i--) {
        const { parent } = contexts[i];
        flame.sizes[i] = Math.max(flame.sizes[i], contexts[i][flame.metric]);
        if (parent >= 0)
            flame.sizes[parent] += flame.sizes[i];
    }
}

const childrenOf = (root) => (root < 0 ? flameRoots : contexts[root].children);

function isCall(context) {
    return context.set === "CUDA API";
}

function flamePaint(context) {
    const kind = isCall(context) ? "call" : flame.metric === "gpu" ? "kernel" : "scope";
    return paintOf(context.waits ? "wait" : kind, context.name);
}

/* --------------------------------------------------------------------------------------------------------- drawing */

function frameText(context, whole) {
    const ns = context[flame.metric];
    return `${labelOf(context)}, ${formatTime(ns)}, ${formatShare(whole ? ns / whole : 0)}`;
}

function frameNode(context, left, width, depth, whole) {
    const paint = flamePaint(context);
    const button = el("button", {
        type: "button", class: paint.waits ? "frame waits" : "frame", role: "treeitem", tabindex: "-1", "aria-level": depth + 1, "data-context": context.index,
        "aria-label": frameText(context, whole),
        style: `left:${left}px;width:${width}px;top:${depth * FRAME}px;color:${paint.text}${paint.waits ? "" : `;background:${paint.fill}`}`,
    }, width > 24 ? shortName(context.name) : "");
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
    for (let at = flame.root; at >= 0; at = contexts[at].parent)
        path.unshift(at);
    const nodes = [el("button", { type: "button", class: "link", onclick: () => zoomFlame(-1) }, "all")];
    if (path.length > MOST_STEPS)
        nodes.push(el("span", {}, "› …"));
    for (const at of path.slice(-MOST_STEPS))
        nodes.push(el("span", { "aria-hidden": "true" }, "›"), el("button", { type: "button", class: "link", onclick: () => zoomFlame(at) }, contexts[at].name));
    nodes.at(-1).setAttribute("aria-current", "true");
    byId("flame-path").replaceChildren(...nodes);
    byId("flame-reset").disabled = flame.root < 0;
}

function drawFlame() {
    const shown = flame.root < 0 ? flameRoots : [contexts[flame.root]];
    const whole = shown.reduce((sum, context) => sum + sizeOf(context), 0);
    const list = { frames: [], hidden: 0, depth: 1 };
    addFrames(list, shown, 0, whole ? flame.node.clientWidth / whole : 0, 0, whole);
    flame.node.style.height = `${list.depth * FRAME}px`;
    flame.node.replaceChildren(...list.frames);
    if (list.frames.length)
        list.frames[0].tabIndex = 0;
    drawPath();
    const rest = [];
    if (list.hidden)
        rest.push(`${plural(list.hidden, "calling context is", "calling contexts are")} too narrow or too deep to be drawn, with everything inside; a click on a frame enlarges it.`);
    if (data.contexts_beyond)
        rest.push(`${plural(data.contexts_beyond, "calling context, the least expensive one, is", "calling contexts, the least expensive ones, are")} left out.`);
    if (!whole)
        rest.push(flame.metric === "gpu" ? "No calling context has any GPU time." : "No time was spent in any scope.");
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

function setMetric(metric) {
    flame.metric = metric;
    byId("flame-host").setAttribute("aria-pressed", String(metric === "total"));
    byId("flame-gpu").setAttribute("aria-pressed", String(metric === "gpu"));
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
        ArrowUp: () => (context.parent >= 0 ? contexts[context.parent] : null),
        ArrowDown: () => [...context.children].sort((a, b) => sizeOf(b) - sizeOf(a))[0],
        ArrowLeft: () => siblings[at - 1],
        ArrowRight: () => siblings[at + 1],
    }[key]();
    if (next)
        focusFrame(next.index);
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
        moveFocus(contexts[Number(frame.dataset.context)], event.key);
    });
    flame.node.addEventListener("pointermove", (event) => {
        const frame = frameOf(event);
        if (!frame) {
            hideTooltip();
            return;
        }
        const context = contexts[Number(frame.dataset.context)];
        const lines = [`Host: ${formatTime(context.total)}, ${plural(context.count, "time", "times")}${context.running ? `, and ${formatCount(context.running)} still running` : ""}`];
        if (context.gpu)
            lines.push(`GPU: ${formatTime(context.gpu)}`);
        showTooltip(event.clientX, event.clientY, labelOf(context), lines);
    });
    flame.node.addEventListener("pointerleave", hideTooltip);
    byId("flame-host").addEventListener("click", () => setMetric("total"));
    byId("flame-gpu").addEventListener("click", () => setMetric("gpu"));
    byId("flame-reset").addEventListener("click", () => zoomFlame(-1));
    new ResizeObserver(drawFlame).observe(byId("flame"));
}

function beginFlame() {
    if (!contexts.length)
        return;
    byId("flame").hidden = false;
    byId("flame-metric").hidden = !contexts.some((context) => context.gpu);
    listenToFlame();
    measureAll();
    drawFlame();
}
