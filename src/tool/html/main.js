// Puts the page together.

const THEME_KEY = "stint-theme";
const darkByDefault = matchMedia("(prefers-color-scheme: dark)");

function storedTheme() {
    try {
        return localStorage.getItem(THEME_KEY);
    } catch {
        return null; // a browser may forbid pages from files to store anything
    }
}

function storeTheme(theme) {
    try {
        localStorage.setItem(THEME_KEY, theme);
    } catch {
        // as above
    }
}

function repaint() {
    if (lanes.length) {
        readColors();
        drawTimeline();
    }
    if (flame.nodes.length)
        drawFlame();
}

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    byId("theme").setAttribute("aria-pressed", String(theme === "dark"));
}

function beginTheme() {
    const follow = () => setTheme(storedTheme() || (darkByDefault.matches ? "dark" : "light"));
    follow();
    darkByDefault.addEventListener("change", () => {
        follow();
        repaint();
    });
    byId("theme").addEventListener("click", () => {
        const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        storeTheme(theme);
        setTheme(theme);
        repaint();
    });
}

function beginColors() {
    const button = byId("colors");
    button.hidden = !lanes.length && !contexts.length && !sampled.frames.length;
    button.addEventListener("click", () => {
        colors.by = colors.by === "kind" ? "name" : "kind";
        button.setAttribute("aria-pressed", String(colors.by === "name"));
        repaint();
    });
}

// Paper is white, and cannot be scrolled.
function beginPrinting() {
    let before = "light";
    addEventListener("beforeprint", () => {
        before = document.documentElement.dataset.theme;
        timeline.printing = true;
        setTheme("light");
        repaint();
    });
    addEventListener("afterprint", () => {
        timeline.printing = false;
        setTheme(before);
        repaint();
    });
}

/* ------------------------------------------------------------------------------------------------------------- view */

// The time in view is a part of the address, so that it can be shared, and is the same after the page is loaded again.
const ADDRESS_MS = 400;

function readView() {
    const [, from, to] = location.hash.match(/^#t=(\d+)-(\d+)$/) || [];
    if (from !== undefined && lanes.length)
        setView(Number(from), Number(to));
}

function noteView() {
    const isAll = Math.abs(timeline.from - fitFrom) < 1 && Math.abs(timeline.to - fitTo) < 1;
    const hash = isAll ? "" : `#t=${Math.floor(timeline.from)}-${Math.ceil(timeline.to)}`;
    if (location.hash === hash || (isAll && !location.hash.startsWith("#t=")))
        return;
    try {
        history.replaceState(null, "", hash || location.pathname);
    } catch {
        // a browser may forbid it, as of a page within another
    }
}

function beginView() {
    let timer = 0;
    readView();
    addEventListener("hashchange", readView);
    timeline.moved = () => {
        clearTimeout(timer);
        timer = setTimeout(noteView, ADDRESS_MS);
    };
}

function describeSubject() {
    byId("title").textContent = document.title;
    const { command, host, pid, start_unix_ms: start } = data.process;
    const when = start ? new Date(start).toISOString().replace("T", " ").replace(/\.\d+Z/, " UTC") : "";
    byId("subject").textContent = [visible(command), host && `on ${visible(host)}`, pid && `pid ${pid}`, when].filter(Boolean).join(" · ");
}

// What a reader has to know of the whole recording comes first.
function addRemarks() {
    byId("remarks").hidden = !data.remarks.length;
    byId("remarks").append(...data.remarks.map((remark) => el("li", { class: "lost" }, visible(remark))));
}

function addNotes() {
    const list = byId("notes");
    for (const note of data.notes)
        list.append(el("li", { class: note.startsWith("dropped:") || note.startsWith("GPU:") ? "lost" : undefined }, visible(note)));
    if (!data.notes.some((note) => note.startsWith("dropped:")))
        list.append(el("li", {}, "nothing was dropped"));
}

function addNavigation() {
    const sections = [...document.querySelectorAll("main section")].filter((section) => !section.hidden);
    byId("nav").append(...sections.map((section) => el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent)));
}

beginTheme();
beginColors();
beginPrinting();
describeSubject();
addRemarks();
sumSamples();
drawSummary(zoomTo);
beginTimeline();
beginView();
beginFlame();
addTables();
addNotes();
addNavigation();
