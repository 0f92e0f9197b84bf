// Elements. Text is always set as text, so that no name can become markup.

const byId = (id) => document.getElementById(id);

// el("td", {class: "name"}, "text", node...)
function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith("on"))
            element.addEventListener(name.slice(2), value);
        else if (name === "style")
            element.style.cssText = value ?? ""; // the attribute itself is against the page's policy
        else if (value !== undefined && value !== false)
            element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

// A list of [name, value]; pairs without a value are left out.
function factList(facts) {
    const list = el("dl", { class: "facts" });
    for (const [name, value] of facts)
        if (value !== null && value !== undefined && value !== "")
            list.append(el("dt", {}, name), el("dd", {}, value));
    return list;
}

const tooltip = byId("tooltip");

function showTooltip(x, y, title, lines) {
    tooltip.replaceChildren(el("b", {}, title), ...lines.flatMap((line, i) => (i ? [el("br"), line] : [line])));
    tooltip.hidden = false;
    const box = tooltip.getBoundingClientRect();
    const left = x + 14 + box.width > innerWidth ? x - box.width - 10 : x + 14;
    const top = y + 16 + box.height > innerHeight ? y - box.height - 8 : y + 16;
    tooltip.style.left = `${Math.max(4, left)}px`;
    tooltip.style.top = `${Math.max(4, top)}px`;
}

function hideTooltip() {
    tooltip.hidden = true;
}

function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
