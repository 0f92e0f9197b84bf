// What the promises are checked with: a browser, pages, comparisons.
import { chromium } from "playwright-core";

const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: ["--no-sandbox"] });
const usual = { viewport: { width: 1280, height: 900 } };
const context = await browser.newContext(usual); // serves most promises: a browser takes long to make one
const folder = process.argv[2];
let failures = 0;

export function ok(condition, what) {
    if (!condition)
        throw new Error(what);
}

export function same(what, actual, expected) {
    ok(Object.is(actual, expected), `${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

// Opens a page, of the folder or at an address, runs the promise, and expects the browser to have had nothing to complain
// of but what is `expected`, and to have asked nobody but that page's own address. With ONLY in the environment, only
// promises whose name contains it are looked at.
export async function promise(name, pageName, options, run, expected = null) {
    if (!name.includes(process.env.ONLY || ""))
        return;
    const address = pageName instanceof URL ? pageName.href : `file://${folder}/${pageName}.html`;
    const page = await (Object.keys(options).length ? browser.newPage({ ...usual, ...options }) : context.newPage());
    const complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.stack));
    page.on("request", (request) => request.url().startsWith(address) || complaints.push(`asked for ${request.url()}`));
    page.on("dialog", (dialog) => { complaints.push(`said ${dialog.message()}`); dialog.dismiss(); });
    try {
        await page.goto(address);
        await run(page);
        const unexpected = complaints.filter((complaint) => !expected || !expected.test(complaint));
        ok(!unexpected.length, unexpected.join("; "));
        console.log(`done: ${name}`);
    } catch (error) {
        failures++;
        console.log(`FAILED: ${name}: ${error.message.split("\n").slice(0, 4).join(" ")}`);
    }
    await page.close();
}

export async function finish() {
    await browser.close();
    process.exit(failures ? 1 : 0);
}

// The time in view.
export async function viewOf(page) {
    await settled(page);
    return page.locator("#timeline-canvas").evaluate((canvas) => ({ from: Number(canvas.dataset.from), to: Number(canvas.dataset.to) }));
}

// Asks until the answer is right, as what a wheel does comes later, and returns it.
export async function until(ask, isRight) {
    let answer = null;
    for (const end = Date.now() + 40000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 10))) {
        answer = await ask();
        if (isRight(answer))
            return answer;
    }
    throw new Error(`the answer stays ${JSON.stringify(answer)}`);
}

// After what was asked for has been drawn.
export function settled(page) {
    return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

// Where an element is once the page no longer scrolls, as it does for a while when something gets the focus.
export async function placeOf(page, selector) {
    let before = null;
    return until(async () => {
        await page.waitForTimeout(60);
        const box = await page.locator(selector).boundingBox(), stays = Boolean(before) && box.y === before.y;
        before = box;
        return stays && box;
    }, (box) => box);
}

// The column's texts, from top to bottom.
export function columnOf(page, section, title) {
    return page.locator(`#${section} table.sheet`).first().evaluate((table, wanted) => {
        const cells = [...table.tHead.rows[0].cells];
        const at = cells.findIndex((cell) => cell.querySelector("button").textContent.replace(/[▴▾]/, "").trim().startsWith(wanted));
        return [...table.tBodies[0].rows].map((row) => row.cells[at].textContent);
    }, title);
}

export const heading = (page, section, title) => page.locator(`#${section} thead button`).filter({ hasText: title }).first();

// WCAG's contrast ratio of two colours, [r, g, b] each.
export function contrast(a, b) {
    const luminance = (rgb) => {
        const [red, green, blue] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
}
