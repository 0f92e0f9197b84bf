// Numbers and names as people read them. Times are in nanoseconds; units are those of the other reports.

const TIME_UNITS = [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]];
const BYTE_UNITS = [["B", 1], ["kB", 1e3], ["MB", 1e6], ["GB", 1e9], ["TB", 1e12], ["PB", 1e15]];

// The largest unit in which the value is 1 or more.
function unitFor(units, value) {
    let best = units[0];
    for (const unit of units)
        if (value >= unit[1] * 0.99995)
            best = unit;
    return best;
}

function grouped(digits) {
    const [whole, rest] = digits.split(".");
    const spaced = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") : whole;
    return rest === undefined ? spaced : `${spaced}.${rest}`;
}

function formatCount(value) {
    return grouped(String(Math.round(value)));
}

// Four significant digits, or all there are.
function significant(value) {
    const size = Math.abs(value);
    return grouped(value.toFixed(size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0));
}

function quantity(units, value) {
    const [name, size] = unitFor(units, Math.abs(value));
    return [size === 1 ? formatCount(value) : significant(value / size), name];
}

const formatTime = (ns) => quantity(TIME_UNITS, ns).join("\u00a0");
const formatBytes = (bytes) => quantity(BYTE_UNITS, bytes).join("\u00a0");
const formatRate = (bytesPerSecond) => `${formatBytes(bytesPerSecond)}/s`;

// In percent; a part that is not 0 is never shown as 0.
function percent(share) {
    return share > 0 && share < 0.0005 ? "<\u202f0.1" : (100 * share).toFixed(1);
}

const formatShare = (share) => `${percent(share)}\u00a0%`;

function plural(count, one, many) {
    return `${formatCount(count)} ${count === 1 ? one : many}`;
}

// A time on the axis, as exact as the distance between two ticks.
function formatTick(ns, step) {
    if (!ns)
        return "0";
    const [name, size] = unitFor(TIME_UNITS, Math.max(Math.abs(ns), step));
    const decimals = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
    return `${grouped((ns / size).toFixed(decimals))}\u00a0${name}`;
}

// Names come from programs. Characters that a browser would act on instead of showing are shown as their codes.
function visible(name) {
    return name.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => {
        const named = { "\n": "\\n", "\t": "\\t", "\r": "\\r" }[c];
        const code = c.charCodeAt(0).toString(16);
        return named || (code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`);
    });
}

// "operator<", and what a conversion gives: "operator bool".
const OPERATOR = /operator(?:\(\)|\[\]|->\*?|<=>|<<=?|>>=?|[<>]=?|[^\w\s(<>]+| [^(]+)/y;

// "convolve" of "void net::convolve<float, 3>(float const*, int)", for places with little room; "net::convolve" with two
// words of it. An operator has its class before it.
function shortName(name, words = 1) {
    if (/:\d+ \S+$/.test(name)) // "train.py:12 Model.step", of Python
        return name;
    const text = name.replace(/^void /, "").replace(/\(anonymous namespace\)::/g, "");
    let depth = 0, out = "", operator = "";
    for (let i = 0; i < text.length && !operator; i++) {
        const c = text[i];
        OPERATOR.lastIndex = i;
        if (!depth && /^$|[: ]$/.test(out))
            operator = OPERATOR.exec(text)?.[0] || "";
        if (c === "(" && !depth && out)
            break;
        depth += c === "<" ? 1 : 0;
        out += depth || operator ? "" : c;
        depth -= c === ">" && depth ? 1 : 0;
    }
    if (operator || /^[^(]*>\(/.test(text))
        out = out.replace(/^.* /, ""); // the type that a template's function returns
    if (!/^[\w:~ $.@]*$/.test(out))
        return name;
    return [...out.split("::").filter(Boolean).slice(-words), ...(operator ? [operator] : [])].join("::") || name;
}
