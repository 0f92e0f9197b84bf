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
    if (contexts.length)
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
    button.hidden = !lanes.length && !contexts.length;
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

function describeSubject() {
    byId("title").textContent = document.title;
    const { command, host, pid, start_unix_ms: start } = data.process;
    const when = start ? new Date(start).toISOString().replace("T", " ").replace(/\.\d+Z/, " UTC") : "";
    byId("subject").textContent = [visible(command), host && `on ${visible(host)}`, pid && `pid ${pid}`, when].filter(Boolean).join(" · ");
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
drawSummary(zoomTo);
beginTimeline();
beginFlame();
addTables();
addNotes();
addNavigation();
