// stint report --serve in a browser: blocks open down to the last event. (What others are answered: tests/cli/serve.py.)
import { spawn } from "node:child_process";
import { finish, ok, promise, same, until } from "./check.mjs";

const canvas = "#timeline-canvas";
const server = spawn(process.env.STINT, ["report", process.env.RECORDING, "--serve"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => server.on("exit", (code, signal) => resolve(signal || code)));
const address = new URL((await new Promise((resolve) => server.stdout.once("data", resolve))).toString().trim());

const title = async (page) => (await page.locator("#timeline-details h3").allTextContents())[0] || "";

// Presses W so often that blocks of several events are wide enough to open.
async function comeCloser(page) {
    await page.locator(canvas).focus();
    for (let i = 0; i < 14; i++)
        await page.keyboard.press("w");
}

const partOf = (page) => page.locator(canvas).getAttribute("data-detail");

await promise("blocks open when they are zoomed in on", address, {}, async (page) => {
    ok(/630.000 events are drawn as/.test(await page.locator("#timeline-merged").textContent()), "no events share a block");
    const box = await page.locator(canvas).boundingBox();
    const x = box.x + 0.6 * box.width, y = box.y + 31 + 2 * 18 + 8; // the third row: layers
    await page.mouse.click(x, y);
    ok((await title(page)).endsWith("events, drawn as one"), "that is a single event");
    await until(async () => {
        await page.mouse.dblclick(x, y);
        await page.waitForTimeout(200); // only a view that rests is asked for
        return partOf(page);
    }, (part) => part);
    const opened = await until(async () => {
        await page.mouse.click(x, y);
        return title(page);
    }, (text) => text.startsWith("block"));
    ok((await page.locator("#timeline-details").textContent()).match(`step › (forward|backward) › ${opened}`), "its path is missing");
});

await promise("what is out of view is asked for when it comes into view", address, {}, async (page) => {
    await comeCloser(page);
    const first = await until(() => partOf(page), (part) => part);
    await until(() => page.locator(canvas).getAttribute("data-arrows"), (arrows) => Number(arrows) > 0);
    for (let i = 0; i < 12; i++)
        await page.keyboard.press("d");
    await until(() => partOf(page), (part) => part !== first);
});

await promise("a selected event stays selected while others are read", address, {}, async (page) => {
    await page.locator(canvas).focus();
    await page.keyboard.press("]");
    const selected = await title(page);
    ok(selected, "nothing is selected");
    await comeCloser(page);
    await until(() => partOf(page), (part) => part);
    same("selected afterwards", await title(page), selected);
});

await promise("a marked time is summed up to the last event", address, {}, async (page) => {
    await page.locator(canvas).focus();
    await page.keyboard.press("m");
    const rows = await until(() => page.locator("#timeline-sums tbody tr").count(), (count) => count > 0) && page.locator("#timeline-sums .more").first();
    await rows.click();
    const counts = await page.locator("#timeline-sums tbody tr").evaluateAll((all) => all.map((row) => Number(row.cells[4].textContent.replace(/\u202f/g, ""))));
    same("events", counts.reduce((a, b) => a + b, 0), 630000);
});

await promise("a row leads to an event that has to be read first", address, {}, async (page) => {
    await page.locator("#kernels tbody button").first().click();
    const link = page.locator("#kernels tr.open button.link").first();
    const [duration] = (await link.textContent()).split(", at");
    await link.click();
    await until(() => page.locator("#timeline-details").textContent(), (text) => text.includes(`Duration${duration}`));
});

await promise("its end is told", address, {}, async (page) => {
    server.kill("SIGINT");
    same("the exit status", await ended, 0);
    await comeCloser(page);
    await until(() => page.locator("#timeline-reading").textContent(), (text) => text.includes("has ended"));
}, /ERR_CONNECTION_REFUSED/);

server.kill();
await finish();
