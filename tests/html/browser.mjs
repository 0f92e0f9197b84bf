// What the page promises, by real clicks and keys.
import { readFileSync } from "node:fs";
import { columnOf, contrast, finish, heading, ok, placeOf, promise, same, settled, until, viewOf } from "./check.mjs";

const canvas = "#timeline-canvas";
const number = (text) => Number(text.replace(/[\u202f\u00a0<]/g, ""));

// Where on the canvas an event of this name is, by moving the mouse until its tooltip says so.
async function find(page, name) {
    const box = await page.locator(canvas).boundingBox();
    for (let y = 40; y < box.height; y += 9) {
        for (let x = 200; x < box.width; x += 7) {
            await page.mouse.move(box.x + x, box.y + y);
            const title = await page.locator("#tooltip b").allTextContents();
            if (title.some((text) => text.includes(name)))
                return { x: box.x + x, y: box.y + y };
        }
    }
    throw new Error(`no ${name} on the timeline`);
}

/* --------------------------------------------------------------------------------------------------------- all pages */

for (const name of ["cpu", "barriers", "styled", "empty", "nasty", "deep", "running", "gpu", "gpu_nasty", "values", "counters", "unified", "samples", "source", "processes", "training", "operations", "small", "large", "huge"]) {
    const narrow = { viewport: { width: 360, height: 700 } };
    await promise(`${name}: nothing is wrong, nothing is fetched, and it fits a narrow screen and a wide one`, name, narrow, async (page) => {
        for (const width of [360, 1280]) {
            await page.setViewportSize({ width, height: 700 });
            await settled(page);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            ok(wide <= width, `on a screen of ${width} the page is ${wide} wide`);
        }
        ok((await page.locator("h1").textContent()).length > 0, "there is no title");
        ok(await page.locator("#figures dt").count() > 0, "there are no numbers");
    });
}

await promise("only the page's own script and style may run", "nasty", {}, async (page) => {
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    ok(/script-src 'sha256-[A-Za-z0-9+/]{43}='/.test(policy), `the policy is ${policy}`);
    ok(!policy.includes("unsafe"), `the policy is ${policy}`);
});

await promise("an empty recording says so", "empty", {}, async (page) => {
    ok((await page.locator("#tops").textContent()).startsWith("No scope was entered"), "it does not");
    same("the timeline is shown", await page.locator("#timeline").isVisible(), false);
});

await promise("what was dropped is in the footer", "running", {}, async (page) => {
    ok(await page.locator("#notes .lost").count() > 5, "it is not");
});

await promise("names do not become markup or obeyed characters", "nasty", {}, async (page) => {
    same("bold elements in tables", await page.locator("td b, th b, td script").count(), 0);
    ok(!/[\u0001-\u0008\u001b\u202e]/.test(await page.locator("#scopes").textContent()), "a control character is on the page");
});

/* ------------------------------------------------------------------------------------------------------------- tables */

await promise("a heading sorts, and sorts the other way", "small", {}, async (page) => {
    await heading(page, "scopes", "Avg").click();
    let values = (await columnOf(page, "scopes", "Avg")).map(number);
    ok(values.every((value, i) => !i || values[i - 1] >= value), "not falling");
    same("aria-sort", await page.locator("#scopes th[aria-sort=descending]").count(), 1);
    await heading(page, "scopes", "Avg").press("Enter");
    values = (await columnOf(page, "scopes", "Avg")).map(number);
    ok(values.every((value, i) => !i || values[i - 1] <= value), "not rising");
    same("aria-sort", await page.locator("#scopes th[aria-sort=ascending]").count(), 1);
});

await promise("columns are called as in the table in text", "gpu", {}, async (page) => {
    const lines = readFileSync(`${process.env.GOLDEN}/report_table_gpu.txt`, "utf8").split("\n");
    const known = lines.find((line) => line.startsWith("Time(%)")).split(/ +/).map((title) => title.replace(/\(.*/, ""));
    const titles = await page.locator("#scopes thead button").evaluateAll((buttons) => buttons.map((button) =>
        [...button.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim()));
    same("what the text does not have", titles.filter((title) => !known.includes(title)).join(), "");
    same("the number of columns", titles.length, 13);
});

await promise("what still runs is told from what has ended, as in the table in text", "running", {}, async (page) => {
    const lines = readFileSync(`${process.env.GOLDEN}/report_table_running_80.txt`, "utf8").split("\n").slice(2, 6);
    const counts = lines.map((line) => line.trim().split(/ {2,}/).find((cell, i) => i > 2 && /^\d+\*?$/.test(cell)));
    same("counts", (await columnOf(page, "scopes", "Count")).join(), counts.join());
    same("totals", (await columnOf(page, "scopes", "Total")).join(), "729.877,0.001984,0.001050,");
});

await promise("times of very different lengths have units of their own", "cpu", {}, async (page) => {
    const averages = await columnOf(page, "scopes", "Avg");
    same("the longest", averages[0], "12.03\u00a0s");
    ok(averages.includes("56\u00a0ns"), averages.join());
});

await promise("a scope says what each thread had of it", "cpu", {}, async (page) => {
    await page.locator("#scopes tbody button", { hasText: "decode" }).click();
    const parts = await page.locator("#scopes tr.open table tbody tr").allTextContents();
    ok(parts.length === 3 && parts.every((text) => /loader|exited/.test(text)), parts.join());
});

await promise("threads are counted as in the report of threads", "cpu", {}, async (page) => {
    const lines = readFileSync(`${process.env.GOLDEN}/report_threads_80.txt`, "utf8").split("\n").slice(2, 6);
    const cells = lines.map((line) => line.trim().split(/ {2,}/));
    same("recorded", (await columnOf(page, "threads", "Recorded")).join(), cells.map((line) => line[1]).join());
    same("counts", (await columnOf(page, "threads", "Count")).map(number).join(), cells.map((line) => line[2]).join());
});

await promise("a thread says what it recorded", "cpu", {}, async (page) => {
    const counts = await columnOf(page, "threads", "Count");
    await page.locator("#threads tbody button").nth(1).click();
    const rows = await page.locator("#threads tr.open table tbody tr").evaluateAll((all) => all.map((row) => [row.cells[0].textContent, row.cells[3].textContent]));
    ok(rows.some(([name]) => name === "decode"), rows.join());
    same("the sum of its scopes", rows.reduce((sum, [, count]) => sum + number(count), 0), number(counts[1]));
});

await promise("barriers say who was the slowest", "barriers", {}, async (page) => {
    same("average gaps", (await columnOf(page, "barriers", "Avg gap")).join(), "100.000,");
    await page.locator("#barriers tbody button").first().click();
    const slowest = await page.locator("#barriers tr.open table tbody tr").allTextContents();
    ok(slowest[0].startsWith("participant 3") && slowest[0].includes("59.6"), slowest.join());
});

await promise("names sort as text", "small", {}, async (page) => {
    await heading(page, "kernels", "Name").click();
    const names = await columnOf(page, "kernels", "Name");
    ok(names.every((name, i) => !i || names[i - 1].localeCompare(name) <= 0), names.join());
});

await promise("a search filters, in upper and lower case", "small", {}, async (page) => {
    await page.locator("#scopes input[type=search]").fill("LAYER3");
    const names = await columnOf(page, "scopes", "Name");
    ok(names.length > 0 && names.every((name) => name.includes("layer3")), names.join());
    ok(/^\d+ of 101$/.test(await page.locator("#scopes output").textContent()), "the count is missing");
});

await promise("all rows are a click away", "large", {}, async (page) => {
    same("rows at first", await page.locator("#scopes tbody tr").count(), 50);
    await page.locator("#scopes .more").click();
    same("rows", await page.locator("#scopes tbody tr").count(), 1001);
});

await promise("a kernel shows how it was launched", "small", {}, async (page) => {
    same("the occupancy of what took the most time", (await columnOf(page, "kernels", "Occupancy"))[0], "50.0");
    same("its limit", (await columnOf(page, "kernels", "Limited by"))[0], "registers");
    const button = page.locator("#kernels tbody button").first();
    await button.click();
    same("aria-expanded", await button.getAttribute("aria-expanded"), "true");
    const text = await page.locator("#kernels tr.open").textContent();
    ok(text.includes("256 × 8 × 1256 × 1 × 164032.76850.0registers12"), text);
    const sides = await page.locator("#kernels tr.open .scroll").evaluate((box) => box.scrollWidth - box.clientWidth);
    same("what does not fit of its launches", sides, 0);
    ok(/Launched instep › (forward|backward|update)/.test(text), text);
    await button.click();
    same("open rows", await page.locator("#kernels tr.open").count(), 0);
});

await promise("copies are compared with the device's peak", "gpu", {}, async (page) => {
    const shares = await columnOf(page, "copies", "Of peak"); // those of tests/golden/report_gpu_gpu.txt
    same("shares", shares.join(" "), "77.2 73.5 89.3  15.8 18.6 10.0 1.6 16.6");
    ok((await page.locator("#copies").textContent()).includes("63.02\u00a0GB/s to the host"), "the peak is missing");
});

await promise("unified memory is told by device and direction, and faults one by one", "unified", {}, async (page) => {
    const copies = async (title) => (await columnOf(page, "copies", title)).join("; ");
    same("what moved", await copies("Name"), "[CUDA Unified Memory memcpy HtoD]; [CUDA Unified Memory memcpy DtoH]; [CUDA Unified Memory memcpy HtoD]");
    same("on which GPU", await copies("GPU"), "0; 0; 1");
    same("bytes", await copies("Bytes"), "201.327; 201.327; 0.004096");
    same("faults", (await columnOf(page, "waits", "Count")).map(number).join("; "), "768; 1500; 2");
    same("of which GPU", (await columnOf(page, "waits", "GPU")).join("; "), "; 0; 1");
});

await promise("NVTX's values are there", "values", {}, async (page) => {
    ok(await page.locator("#values tbody tr").count() > 3, "they are not");
});

await promise("kernels that were counted have a verdict, and all metrics", "counters", {}, async (page) => {
    same("bounds", (await columnOf(page, "counters", "Bound by")).join("; "), "the fp64 pipe, surely; DRAM, surely");
    same("fp64", (await columnOf(page, "counters", "fp64")).join(";"), "1\u202f000\u202f000!;");
    ok(!(await page.locator("#counters").textContent()).includes("Occupancy"), "a column without numbers is there");
    await page.locator("#counters tbody button").first().click();
    const text = await page.locator("#counters tr.open").textContent();
    ok(text.includes("launches   5, counted 2, each replayed in 7 passes; 4.000 us each"), text);
    ok(text.includes("PRECISION  1.00 M fp64 instructions in a launch, though none of its arguments is a double"), text);
    ok(text.includes("sm__throughput.avg.pct_of_peak_sustained_elapsed"), text);
    same("bytes of the scope", (await columnOf(page, "counter-scopes", "DRAM"))[0], "4.500");
    same("other values", (await columnOf(page, "values", "Name")).join(" "), "queue");
    const first = await page.locator("#tops > div").first().textContent();
    ok(first.includes("What bounds the counted kernels") && first.includes("DRAM, surely"), first);
});

await promise("a list of the most expensive opens to all", "small", {}, async (page) => {
    const list = page.locator("#tops > div").first();
    same("rows at first", await list.locator("tbody tr").count(), 6);
    await list.locator("button").press("Enter");
    same("rows", await list.locator("tbody tr").count(), 101);
    await list.locator("button").click();
    same("rows afterwards", await list.locator("tbody tr").count(), 6);
});

/* -------------------------------------------------------------------------------------------------------- operations */

const named = (page, name) => page.locator("#operations tbody button.link", { hasText: name });

await promise("layers open to operations, and these to kernels", "operations", {}, async (page) => {
    same("the outermost", (await columnOf(page, "operations", "Name")).join(), "net,(no layer)");
    await named(page, /^net$/).click();
    same("the layers within", (await columnOf(page, "operations", "Name")).join(), "net,<b>conv</b>,head,(no layer)");
    await named(page, "<b>conv</b>").press("Enter");
    await named(page, "mm").click();
    same("all", (await columnOf(page, "operations", "Name")).join(),
        "net,<b>conv</b>,mm,volta_h884gemm_128x64_ldg8_nn,splitKreduce_kernel,relu,head,(no layer)");
    same("what is focused", await page.evaluate(() => document.activeElement.textContent), "mm");
    await heading(page, "operations", "Total").click();
    same("rising, each within its layer", (await columnOf(page, "operations", "Name")).join(),
        "(no layer),net,head,<b>conv</b>,relu,mm,splitKreduce_kernel,volta_h884gemm_128x64_ldg8_nn");
    await named(page, /^net$/).click();
    same("closed", (await columnOf(page, "operations", "Name")).join(), "(no layer),net");
});

// 2 * 64 * 256 * 1024 FLOPs in 4 µs, of 125.3376 TFLOP/s.
await promise("operations have what the table of stint ops has", "operations", {}, async (page) => {
    await page.locator("#operations input[type=search]").fill("mm");
    same("what is found", (await columnOf(page, "operations", "Name")).slice(0, 2).join(), "net.<b>conv</b> › mm,net.<b>conv</b> › mm › volta_h884gemm_128x64_ldg8_nn");
    for (const [title, value] of [["Total", "4000"], ["Kernels", "2"], ["GFLOP", "0.03355"], ["TFLOP/s", "8.389"], ["Peak", "6.7"], ["Bound", "memory"], ["TC", "100.0"]])
        same(title, (await columnOf(page, "operations", title))[0], value);
    await page.locator("#operations input[type=search]").fill("record_param");
    same("the bandwidth of the all-reduce", (await columnOf(page, "operations", "Bus"))[0], "100.000");
});

await promise("advice is above the table", "operations", {}, async (page) => {
    same("the advice", (await page.locator("#operations .advice li").allTextContents()).join(), "13.05 % grid: mm [64,256]fp16;[256,1024]fp16 splitKreduce_kernel in layer net.<b>conv</b>: has at most 16 blocks for 80 multiprocessors: the others are idle");
});

await promise("the roofline has a circle for each operation with FLOPs", "operations", {}, async (page) => {
    same("the circles", (await page.locator("#operations svg circle title").allTextContents()).join("; "),
        "mm: 86.46 % of the time, 41.75 FLOP/B, 6.727 TFLOP/s, bound by memory; relu: 11.42 % of the time, 0.25 FLOP/B, 0.094 TFLOP/s, bound by memory");
    const box = await page.locator("#operations svg").boundingBox();
    ok(box.width > 300 && box.height > 150, `it has ${box.width} by ${box.height} pixels`);
});

/* ----------------------------------------------------------------------------------------------------------- timeline */

await promise("the wheel zooms where the mouse is, once the timeline has been clicked", "small", {}, async (page) => {
    await page.locator(canvas).scrollIntoViewIfNeeded();
    const box = await page.locator(canvas).boundingBox();
    const before = await viewOf(page);
    await page.mouse.click(box.x + 700, box.y + 60);
    await page.mouse.wheel(0, -400);
    const after = await until(() => viewOf(page), (view) => view.from !== before.from);
    ok(after.to - after.from < 0.8 * (before.to - before.from), "it does not");
    ok(after.from > before.from && after.to < before.to, "not around the mouse");
});

await promise("the time in view is a part of the address", "small", {}, async (page) => {
    await page.locator("#timeline-in").click();
    const { from, to } = await viewOf(page);
    await until(() => page.url(), (url) => url.endsWith(`#t=${Math.floor(from)}-${Math.ceil(to)}`));
    await page.reload();
    const again = await viewOf(page);
    ok(Math.abs(again.from - from) <= 1 && Math.abs(again.to - to) <= 2, `${again.from} ${again.to}`);
    await page.locator("#timeline-fit").click();
    await until(() => page.url(), (url) => !url.includes("#"));
    await page.goto(`${page.url()}#t=50000000-50100000`);
    await until(() => viewOf(page), (view) => view.from === 50000000 && view.to === 50100000);
});

await promise("the wheel scrolls the page before that", "small", { viewport: { width: 1280, height: 500 } }, async (page) => {
    await page.locator(canvas).scrollIntoViewIfNeeded();
    const box = await page.locator(canvas).boundingBox();
    const before = await viewOf(page);
    const top = await page.evaluate(() => scrollY);
    await page.mouse.move(box.x + 700, box.y + 60);
    await page.mouse.wheel(0, -100);
    await until(() => page.evaluate(() => scrollY), (now) => now < top);
    const after = await viewOf(page);
    same("the beginning", after.from, before.from);
    same("the end", after.to, before.to);
});

await promise("keys zoom and move", "small", {}, async (page) => {
    await page.locator(canvas).focus();
    const whole = await viewOf(page);
    await page.keyboard.press("w");
    const closer = await viewOf(page);
    ok(closer.to - closer.from < whole.to - whole.from, "w does not zoom in");
    await page.keyboard.press("d");
    ok((await viewOf(page)).from > closer.from, "d does not move");
    await page.keyboard.press("ArrowLeft");
    same("after the arrow", Math.round((await viewOf(page)).from), Math.round(closer.from));
    await page.keyboard.press("s");
    ok((await viewOf(page)).to - (await viewOf(page)).from > closer.to - closer.from, "s does not zoom out");
    await page.keyboard.press("0");
    same("after 0", (await viewOf(page)).from, whole.from);
});

await promise("what is zoomed in on stays where it is, however often", "small", {}, async (page) => {
    const box = await page.locator(canvas).boundingBox();
    const at = () => viewOf(page).then(({ from, to }) => from + (to - from) * (700 - 190) / (box.width - 190));
    const before = await at();
    for (let i = 0; i < 20; i++)
        await page.mouse.dblclick(box.x + 700, box.y + 40);
    const { from, to } = await viewOf(page);
    same("the shortest time in view", Math.round(to - from), 20);
    ok(Math.abs(await at() - before) < 3, `${before} became ${await at()}`);
});

await promise("dragging moves", "small", {}, async (page) => {
    await page.locator("#timeline-in").click();
    const box = await page.locator(canvas).boundingBox();
    const before = await viewOf(page);
    await page.mouse.move(box.x + 700, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 100, { steps: 4 });
    await page.mouse.up();
    ok((await viewOf(page)).from > before.from, "it does not");
});

await promise("the overview chooses what is in view", "small", {}, async (page) => {
    const box = await page.locator("#overview").boundingBox();
    await page.mouse.move(box.x + 700, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 800, box.y + 20, { steps: 4 });
    await page.mouse.up();
    const { from, to } = await viewOf(page);
    const data = JSON.parse(await page.locator("#data").textContent());
    const part = (to - from) / data.process.wall_ns;
    ok(part > 0.07 && part < 0.12, `${part} of the run is in view`);
});

await promise("a tooltip names what is below the mouse, and a click says more", "small", {}, async (page) => {
    const place = await find(page, "forward");
    same("the tooltip is shown", await page.locator("#tooltip").isVisible(), true);
    await page.mouse.click(place.x, place.y);
    ok((await page.locator("#timeline-details").textContent()).includes("step › forward"), "the path is missing");
    await page.keyboard.press("Escape");
    same("details after Escape", await page.locator("#timeline-details").textContent(), "");
});

await promise("keys go from event to event", "small", {}, async (page) => {
    await page.locator(canvas).focus();
    await page.keyboard.press("]");
    const first = await page.locator("#timeline-details").textContent();
    await page.keyboard.press("]");
    const second = await page.locator("#timeline-details").textContent();
    ok(first.includes("step") && second.includes("step") && first !== second, `${first} ${second}`);
    await page.keyboard.press("[");
    same("back again", await page.locator("#timeline-details").textContent(), first);
    await page.keyboard.press("Enter");
    const { from, to } = await viewOf(page);
    ok(to - from < 4e6, "Enter does not zoom to it");
});

await promise("a search finds, goes there, and leads from a kernel to its launch", "small", {}, async (page) => {
    await page.locator("#timeline-search").fill("gemm");
    same("matches", await page.locator("#timeline-matches").textContent(), "32 matches");
    await page.locator("#timeline-search").press("Enter");
    const details = await page.locator("#timeline-details").textContent();
    ok(details.includes("gemm::tile") && details.includes("before it began"), details);
    ok(details.includes("Occupancy"), "the occupancy is missing");
});

const matches = (page) => page.locator("#timeline-matches").textContent();

await promise("matches are gone through in the order of time, and back", "small", {}, async (page) => {
    const starts = [];
    const box = page.locator("#timeline-search");
    await box.fill("gemm");
    for (let i = 1; i <= 3; i++) {
        await box.press("Enter");
        same("the position", await matches(page), `${i} of 32 matches`);
        starts.push(await page.locator("#timeline-details dd").nth(1).textContent());
    }
    ok(starts[0] !== starts[1] && starts[1] !== starts[2], starts.join());
    await box.press("Shift+Enter");
    same("the second again", await page.locator("#timeline-details dd").nth(1).textContent(), starts[1]);
    for (let i = 0; i < 2; i++)
        await page.locator("#timeline-previous").click();
    same("before the first one", await matches(page), "32 of 32 matches");
    await page.locator("#timeline-next").click();
    same("after the last one", await matches(page), "1 of 32 matches");
    await box.fill("no such name");
    same("without any", await matches(page), "0 matches");
    same("nothing to go to", await page.locator("#timeline-next").isEnabled(), false);
});

await promise("events within blocks of several are counted by a search", "large", {}, async (page) => {
    const data = JSON.parse(await page.locator("#data").textContent()), { what } = data.timeline;
    const expected = what.name.reduce((sum, name, i) => sum + (data.strings[name].includes("gelu") ? what.count[i] : 0), 0);
    await page.locator("#timeline-search").fill("gelu");
    const text = await until(() => matches(page), (words) => words !== "");
    same("matches", number(text.split(" match")[0]), expected);
    ok(/, [\d\u202f]+ places$/.test(text), text);
});

await promise("what no block shows is found where the longest event is", "huge", {}, async (page) => {
    const data = JSON.parse(await page.locator("#data").textContent()), { what, rows } = data.timeline;
    const shown = new Set(rows.flatMap((row) => row.what));
    const hidden = what.name.findIndex((_, i) => !shown.has(i));
    ok(hidden >= 0, "blocks show everything");
    await page.locator("#timeline-search").fill(`"${data.strings[what.name[hidden]]}"`);
    await page.locator("#timeline-search").press("Enter");
    const { from, to } = await viewOf(page);
    ok(from < what.max_start[hidden] && what.max_start[hidden] < to && to - from < 1e6, `${from} ${to}`);
    same("what has the focus", await page.evaluate(() => document.activeElement.id), "timeline-search");
});

/* ------------------------------------------------------------------------------------------------------- marked time */

// Sums of names over the blocks of a page, of which none stands for several events: what the page should say.
function sumsOf(data, from, to) {
    const { timeline, strings } = data, sums = new Map();
    const cell = (column, i) => (Array.isArray(column) ? column[i] : column);
    for (const row of timeline.rows) {
        let at = timeline.start_ns;
        for (let i = 0; i < row.rows; i++) {
            const start = at + cell(row.start, i), end = at = start + cell(row.duration, i);
            const inside = Math.min(end, to) - Math.max(start, from);
            if (inside > 0)
                sums.set(strings[cell(timeline.what.name, cell(row.what, i))], [inside, 1].map((part, k) => part + (sums.get(strings[cell(timeline.what.name, cell(row.what, i))]) || [0, 0])[k]));
        }
    }
    return sums;
}

// The table of sums, as {name: [total, count]}, totals in ns.
async function sumsShown(page) {
    const table = page.locator("#timeline-sums table.sheet").first();
    const more = page.locator("#timeline-sums .more").first();
    if (await more.isVisible())
        await more.click();
    const unit = { ns: 1, "µs": 1e3, ms: 1e6 }[await table.locator("thead .unit").nth(1).textContent()];
    const rows = await table.locator("tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((each) => each.textContent)));
    return new Map(rows.map((cells) => [cells[0], [number(cells[3]) * unit, number(cells[4])]]));
}

await promise("a marked time is summed up by name", "small", {}, async (page) => {
    const box = await page.locator(canvas).boundingBox();
    const { from, to } = await viewOf(page);
    const nsAt = (x) => from + (to - from) * (x - 190) / (box.width - 190);
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + 500, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 620, box.y + 100, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    same("the beginning of the view", (await viewOf(page)).from, from);
    const shown = await sumsShown(page);
    const expected = sumsOf(JSON.parse(await page.locator("#data").textContent()), nsAt(500), nsAt(620));
    const names = [...expected.keys()];
    same("names", [...shown.keys()].sort().join(), [...new Set(names)].sort().join());
    ok(names.length > 20, names.join());
    for (const [name, [ns, count]] of expected) {
        same(`the count of ${name}`, shown.get(name)[1], count);
        ok(Math.abs(shown.get(name)[0] - ns) <= 1 + 1e-3 * ns, `${name}: ${shown.get(name)[0]} is not ${ns}`);
    }
    await page.locator(canvas).focus();
    await page.keyboard.press("Enter");
    const closer = await viewOf(page);
    ok(Math.abs(closer.from - nsAt(500)) < 100 && Math.abs(closer.to - nsAt(620)) < 100, "Enter does not zoom to it");
    await page.keyboard.press("Escape");
    same("after Escape", await page.locator("#timeline-sums").textContent(), "");
});

await promise("a key marks the time of an event, another drag along the axis", "small", {}, async (page) => {
    await page.locator(canvas).focus();
    await page.keyboard.press("]");
    const duration = await page.locator("#timeline-details dd").nth(2).textContent();
    await page.keyboard.press("m");
    ok((await page.locator("#timeline-sums h3").textContent()).startsWith(`Marked: ${duration}, from`), "it does not");
    const box = await placeOf(page, canvas);
    await page.mouse.move(box.x + 500, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 501 + 100, box.y + 10, { steps: 3 });
    await page.mouse.up();
    ok(!(await page.locator("#timeline-sums h3").textContent()).startsWith(`Marked: ${duration}, from`), "the axis does not");
});

await promise("sums say what this file does not hold", "large", {}, async (page) => {
    await page.locator(canvas).focus();
    await page.keyboard.press("m");
    const text = await page.locator("#timeline-sums p").first().textContent();
    const data = JSON.parse(await page.locator("#data").textContent());
    const hidden = data.timeline.rows.flatMap((row) => (Array.isArray(row.count) ? row.count : [])).filter((count) => count > 1).reduce((a, b) => a + b, 0);
    same("events that are not in it", number(text.split(" event")[0]), hidden);
    ok(text.includes("--serve"), text);
});

/* -------------------------------------------------------------------------------------------------- tables and back */

for (const [section, name] of [["scopes", "backward"], ["kernels", "gelu"], ["api", "cudaLaunchKernel"], ["copies", "memcpy"]]) {
    await promise(`${section}: a row leads to the longest event, and that back to the row`, "small", {}, async (page) => {
        const row = page.locator(`#${section} tbody button`, { hasText: name }).first();
        const full = await row.textContent();
        await row.click();
        const link = page.locator(`#${section} tr.open button.link`).first();
        const [duration] = (await link.textContent()).split(", at");
        await link.click();
        await settled(page);
        same("what is selected", await page.locator("#timeline-details h3").textContent(), full);
        ok((await page.locator("#timeline-details").textContent()).includes(`Duration${duration}`), "it is not the longest");
        await page.locator("#timeline-details button.link").click();
        const focused = page.locator("*:focus");
        same("what has the focus", await focused.textContent(), full);
        same("its section", await focused.evaluate((element) => element.closest("section").id), section);
        same("whether it is open", await focused.getAttribute("aria-expanded"), "true");
    });
}

await promise("a row leads to all of its events", "small", {}, async (page) => {
    await page.locator("#scopes tbody button", { hasText: "backward" }).click();
    await page.locator("#scopes tr.open button.link", { hasText: "12 events" }).click();
    same("matches", await matches(page), "12 matches");
    same("what has the focus", await page.evaluate(() => document.activeElement.id), "timeline-search");
});

// Pixels that differ when arrows are switched off are theirs.
await promise("arrows lead from calls to kernels", "small", {}, async (page) => {
    for (let i = 0; i < 4; i++)
        await page.locator("#timeline-in").click();
    await settled(page);
    ok(Number(await page.locator(canvas).getAttribute("data-arrows")) > 0, "none is drawn");
    const pixels = () => page.locator(canvas).evaluate((element) => element.toDataURL());
    const drawn = await pixels();
    await page.locator("#timeline-arrows").uncheck();
    await settled(page);
    ok(drawn !== await pixels(), "switching them off changes nothing");
});

await promise("the largest gap is a click away", "small", {}, async (page) => {
    await page.locator("#show-gap").click();
    const { from, to } = await viewOf(page);
    const use = JSON.parse(await page.locator("#data").textContent()).timeline.devices[0];
    ok(from < use.idle_start_ns && to > use.idle_start_ns + use.idle_ns && to - from < 2 * use.idle_ns, `${from} ${to}`);
});

await promise("the same is there as a table", "small", {}, async (page) => {
    await page.locator("#timeline-alternative summary").press("Enter");
    await settled(page);
    ok(await page.locator("#timeline-table tbody tr").count() >= 50, "it is not");
    ok((await page.locator("#timeline-table").textContent()).includes("Duration"), "the duration is missing");
});

await promise("merged blocks are told", "large", {}, async (page) => {
    ok(/126.000 events are drawn as \d+.\d+ blocks/.test(await page.locator("#timeline-merged").textContent()), "they are not");
});

/* -------------------------------------------------------------------------------------------------------- flame graph */

await promise("a click on a frame zooms, the path leads back", "small", {}, async (page) => {
    const frame = page.locator("#flame .frame", { hasText: "forward" }).first();
    const before = (await frame.boundingBox()).width;
    await frame.click();
    const after = (await page.locator("#flame .frame", { hasText: "forward" }).first().boundingBox()).width;
    ok(after > 1.8 * before, `${before} became ${after}`);
    same("the path", await page.locator("#flame-path").textContent(), "all›step›forward");
    await page.locator("#flame-path button", { hasText: "step" }).click();
    same("the path", await page.locator("#flame-path").textContent(), "all›step");
    await page.locator("#flame-reset").click();
    same("reset is possible", await page.locator("#flame-reset").isEnabled(), false);
});

await promise("frames are as wide as their part", "small", {}, async (page) => {
    const widths = await page.locator("#flame .frame").evaluateAll((frames) =>
        frames.slice(0, 1).concat(frames.filter((frame) => frame.ariaLevel === "2")).map((frame) => frame.getBoundingClientRect().width));
    const inner = widths.slice(1).reduce((a, b) => a + b, 0);
    ok(inner <= widths[0] + 1 && inner > 0.9 * widths[0], `${inner} within ${widths[0]}`);
});

await promise("it shows GPU time instead", "small", {}, async (page) => {
    const label = () => page.locator("#flame .frame").first().getAttribute("aria-label");
    const host = await label();
    await page.locator("#flame-gpu").click();
    same("pressed", await page.locator("#flame-gpu").getAttribute("aria-pressed"), "true");
    ok(host !== await label(), "it does not");
});

await promise("arrow keys walk the frames", "small", {}, async (page) => {
    await page.locator("#flame .frame").first().focus();
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label").split(",")[0]);
    await page.keyboard.press("ArrowDown");
    const child = await focused();
    ok(["forward", "backward"].includes(child), child);
    await page.keyboard.press("ArrowUp");
    same("above", await focused(), "step");
});

/* ------------------------------------------------------------------------------------------------------------ samples */

await promise("the flame graph shows what was sampled instead", "samples", {}, async (page) => {
    await page.locator("#flame-samples").click();
    const labels = await page.locator("#flame .frame").evaluateAll((frames) => frames.map((frame) => frame.getAttribute("aria-label").replaceAll("\u00a0", " ")));
    same("the outermost", labels[0], "train (no symbols), 72.00 ms, 81.8 %");
    same("what it calls", labels[1], "train (no symbols), 60.00 ms, 68.2 %");
    ok((await page.locator("#flame-rest").textContent()).includes("8.000\u00a0ms are in no frame"), "what is missing is not told");
});

await promise("functions have shares and their errors", "samples", {}, async (page) => {
    same("self", (await columnOf(page, "functions", "Self")).slice(0, 2).join(), "54.5,22.7");
    same("errors", (await columnOf(page, "functions", "±")).slice(0, 2).join(), "20.8,17.5");
    same("total", (await columnOf(page, "functions", "Total time")).slice(0, 2).join(), "48.000,72.000");
});

await promise("a scope leads to the functions within it, and a function to its scopes", "samples", {}, async (page) => {
    await page.locator("#flame-samples").click();
    await page.locator("#scopes tbody button", { hasText: "outer" }).click();
    await page.locator("#scopes tr.open button", { hasText: "15 samples" }).click();
    same("within", await page.locator("#functions-within").inputValue(), "outer");
    same("self", (await columnOf(page, "functions", "Self")).join(), "66.7,33.3");
    same("the path", await page.locator("#flame-path").textContent(), "all within outer");
    await page.locator("#functions tbody button", { hasText: ".so (no symbols)" }).click();
    await page.locator("#functions tr.open button", { hasText: "outer › inner" }).click();
    ok((await page.locator("#scopes tr.open").last().textContent()).includes("10 samples"), "its scope is not open");
    await page.locator("#functions-within").selectOption("");
    same("rows", (await columnOf(page, "functions", "Self")).length, 3);
});

await promise("a function leads to its source, with what each line took", "source", {}, async (page) => {
    await page.locator("#functions tbody button", { hasText: "write_styled" }).click();
    const facts = page.locator("#functions tr.open .facts");
    ok((await facts.textContent()).includes("tests/html/pages.c"), "the file is not named");
    const hot = facts.locator(".source tr.hot");
    same("lines with samples", await hot.count(), 1);
    ok(/^22\.768\.2\d+\{/.test((await hot.textContent()).trim()), await hot.textContent());
    ok(await facts.locator(".source tbody tr").count() > 5, "no lines around it");
});

await promise("the timeline shows what threads called, and leads to the functions", "source", {}, async (page) => {
    ok((await page.locator("#legend").textContent()).includes("Functions"), "no functions in the legend");
    const at = await find(page, "write_styled");
    ok((await page.locator("#tooltip").textContent()).includes("Samples of train"), "it is not on the lane of samples");
    await page.mouse.click(at.x, at.y);
    ok((await page.locator("#timeline-details").textContent()).includes("4.000"), "it has not taken 4 ms");
    await page.locator("#timeline-details button", { hasText: "its row" }).click();
    ok((await page.locator("#functions tr.open").last().textContent()).includes("pages.c"), "its row is not open");
});

await promise("samples can be hidden on the timeline", "source", {}, async (page) => {
    const height = () => page.locator(canvas).evaluate((node) => node.clientHeight);
    const before = await height();
    await page.locator("#timeline-samples").click();
    await until(height, (now) => now < before);
    same("the box without samples", await page.locator("#timeline-samples").isVisible(), true);
});

await promise("without samples there is nothing to hide", "gpu", {}, async (page) => {
    same("the box", await page.locator("#timeline-samples").isVisible(), false);
});

/* -------------------------------------------------------------------------------------------------- themes and paper */

const backOf = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

await promise("the system's dark theme is followed", "small", { colorScheme: "dark" }, async (page) => {
    same("the theme", await page.locator("html").getAttribute("data-theme"), "dark");
});

await promise("the button changes the theme, and the timeline with it", "small", {}, async (page) => {
    const pixel = () => page.locator(canvas).evaluate((element) => element.toDataURL());
    const back = await backOf(page), before = await pixel();
    await page.locator("#theme").click();
    ok(back !== await backOf(page), "the background stays");
    ok(before !== await pixel(), "the timeline stays");
    same("pressed", await page.locator("#theme").getAttribute("aria-pressed"), "true");
    await page.reload();
    same("the theme after loading again", await page.locator("html").getAttribute("data-theme"), "dark");
});

await promise("colours are those of kinds, or of names", "small", {}, async (page) => {
    const pixels = () => page.locator(canvas).evaluate((element) => element.toDataURL());
    const kinds = await pixels();
    same("the legend of kinds", await page.locator("#legend").textContent(), "ScopesCUDA callsKernelsCopies");
    await page.locator("#colors").click();
    ok((await page.locator("#legend").textContent()).includes("forward"), "the legend has no names");
    ok(kinds !== await pixels(), "the timeline stays");
    await page.locator("#colors").click();
    ok(kinds === await pixels(), "the first colours are not there again");
});

await promise("colours that the program chose are shown, and its categories", "styled", {}, async (page) => {
    const place = await find(page, "red step");
    const box = await page.locator(canvas).boundingBox();
    const pixel = await page.locator(canvas).evaluate((element, [x, y]) =>
        [...element.getContext("2d").getImageData(x, y, 1, 1).data].slice(0, 3).join(), [Math.round(place.x - box.x), Math.round(place.y - box.y)]);
    same("the colour", pixel, "192,0,16");
    ok((await page.locator("#legend").textContent()).includes("the program's own"), "the legend does not say so");
    await page.locator("#timeline-search").fill("step");
    for (let i = 0; i < 3; i++)
        await page.locator("#timeline-search").press("Enter");
    ok((await page.locator("#timeline-details").textContent()).includes("Categoryloading"), "the category is missing");
});

// What the timeline tells of its lanes, from the top, at six tenths of its width.
async function lanesOf(page) {
    const box = await page.locator(canvas).boundingBox();
    const seen = new Map();
    for (let y = 30; y < box.height; y += 12) {
        await page.mouse.move(box.x + 0.6 * box.width, box.y + y);
        if (await page.locator("#tooltip").isVisible())
            seen.set(await page.locator("#tooltip b").textContent(), await page.locator("#tooltip").textContent());
    }
    return seen;
}

await promise("processes fold, and open for a search", "processes", {}, async (page) => {
    const names = async () => [...(await lanesOf(page)).keys()].join();
    await settled(page);
    same("at first", await names(), "first,second");
    const box = await page.locator(canvas).boundingBox();
    await page.mouse.click(box.x + 20, box.y + 36);
    same("after a click on the first one's name", await names(), "second");
    await page.locator(canvas).press("p");
    same("after P", await names(), "first,second");
    await page.locator(canvas).press("p");
    same("after P again", await names(), "");
    await page.locator("#timeline-search").fill("first");
    await page.locator("#timeline-search").press("Enter");
    same("after a search", await names(), "first");
});

await promise("numbers are curves over time, if they are no identifiers", "styled", {}, async (page) => {
    const seen = await lanesOf(page), names = [...seen.keys()];
    const curve = seen.get("queue length"), memory = seen.get("GPU 0 memory (Device)");
    ok(/^queue length\d+ since .*between \d+ and \d+ in up to 8 samples$/.test(curve), String(curve));
    ok(/(0 B|1\.049.MB) since/.test(memory), String(memory));
    ok(!seen.has("communicator"), names.join());
    ok(!names.some((name) => name.includes("Rank")), names.join());
});

await promise("numbers that identify something are details of their range", "styled", {}, async (page) => {
    await page.locator("#timeline-search").fill("red step");
    await page.locator("#timeline-search").press("Enter");
    await page.locator("#timeline-search").press("Enter");
    ok((await page.locator("#timeline-details").textContent()).includes("PayloadRank 3"), await page.locator("#timeline-details").textContent());
});

await promise("values are below all else, and fold", "styled", {}, async (page) => {
    const names = [...(await lanesOf(page)).keys()];
    same("the last lanes", names.slice(-2).join(), "GPU 0 memory (Device),queue length");
    await page.locator(canvas).press("v");
    ok(!(await lanesOf(page)).has("queue length"), "they are still there");
    const box = await page.locator(canvas).boundingBox();
    await page.mouse.click(box.x + 20, box.y + box.height - 14);
    ok((await lanesOf(page)).has("queue length"), "a click on their name does not open them");
});

await promise("values of a training run are folded below what its GPUs did", "training", { viewport: { width: 1280, height: 1600 } }, async (page) => {
    await settled(page);
    const order = async () => [...(await lanesOf(page)).keys()].join("; ");
    const memory = [0, 1].map((i) => `${4711 + i}: GPU ${i} memory (Device)`);
    same("at first", await order(), `step; gemm; ${memory.join("; ")}`);
    await page.locator(canvas).press("v");
    const values = [4711, 4712].map((pid) => `${pid}: loss; ${pid}: ncclAllReduce.Message size [bytes]`);
    same("after V", await order(), `step; gemm; ${memory[0]}; ${values[0]}; ${memory[1]}; ${values[1]}`);
    await page.locator("#timeline-search").fill("ncclAllReduce");
    await page.locator("#timeline-search").press("Enter");
    const details = await page.locator("#timeline-details").textContent();
    ok(/PayloadCommunicator ID \d+, Operation \d+/.test(details), details);
});

await promise("waiting is hatched, whatever the colours", "gpu", {}, async (page) => {
    const waiting = page.locator("#flame .frame.waits");
    for (const by of ["kind", "name"]) {
        ok(await waiting.count() > 0, `by ${by}: none is`);
        const labels = await waiting.evaluateAll((frames) => frames.map((frame) => frame.getAttribute("aria-label")));
        ok(labels.every((label) => label.includes("Synchronize")), labels.join());
        ok((await page.locator("#legend").textContent()).includes("Waiting"), `by ${by}: the legend does not say so`);
        await page.locator("#colors").click();
    }
});

await promise("paper is white and has no controls", "small", { colorScheme: "dark" }, async (page) => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    same("the background", await backOf(page), "rgb(255, 255, 255)");
    same("buttons for zooming", await page.locator("#timeline-in").isVisible(), false);
    same("the table", await page.locator("#kernels table").isVisible(), true);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    same("the theme afterwards", await page.locator("html").getAttribute("data-theme"), "dark");
    ok((await page.pdf()).length > 10000, "there is nothing to print");
});

for (const name of ["gpu", "cpu", "small", "barriers"]) {
    await promise(`${name}: tables fit on paper`, name, { viewport: { width: 703, height: 1000 } }, async (page) => { // A4 without margins
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        await page.emulateMedia({ media: "print" });
        const wide = await page.locator("table.sheet").evaluateAll((all) => all.filter((table) => table.getBoundingClientRect().right > 704)
            .map((table) => `${table.ariaLabel}: ${table.getBoundingClientRect().right}`));
        same("tables that are too wide", wide.join(), "");
    });
}

/* ------------------------------------------------------------------------------------------------------ accessibility */

await promise("every control has a name", "gpu", {}, async (page) => {
    const nameless = await page.locator("button, input, canvas[tabindex], [role=region], [role=tree], nav").evaluateAll((all) => all.filter((element) =>
        !(element.textContent.trim() || element.getAttribute("aria-label") || element.closest("label"))).map((element) => element.outerHTML.slice(0, 120)));
    same("without a name", nameless.join(" "), "");
});

await promise("sections are landmarks with headings", "gpu", {}, async (page) => {
    same("main", await page.locator("main").count(), 1);
    const unnamed = await page.locator("main section:not([hidden])").evaluateAll((all) =>
        all.filter((section) => !document.getElementById(section.getAttribute("aria-labelledby"))).length);
    same("sections without a heading", unnamed, 0);
    same("h1", await page.locator("h1").count(), 1);
    const links = await page.locator("#nav a").evaluateAll((all) => all.every((link) => document.querySelector(link.getAttribute("href"))));
    same("links that lead somewhere", links, true);
});

await promise("tables say what their cells are of", "gpu", {}, async (page) => {
    const bare = await page.locator("table.sheet").evaluateAll((all) => all.filter((table) =>
        !table.getAttribute("aria-label") || [...table.tHead.rows[0].cells].some((cell) => cell.scope !== "col") ||
        [...table.tBodies[0].rows].some((row) => row.cells[0].scope !== "row")).length);
    same("tables without headings", bare, 0);
});

await promise("ids are unique", "large", {}, async (page) => {
    const twice = await page.evaluate(() => {
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        return ids.filter((id, i) => ids.indexOf(id) !== i).join();
    });
    same("ids that are there twice", twice, "");
});

await promise("the tab key reaches the timeline, and leaves it", "small", {}, async (page) => {
    await page.locator("#timeline-fit").focus();
    await page.keyboard.press("Tab");
    same("focused", await page.evaluate(() => document.activeElement.id), "timeline-canvas");
    await page.keyboard.press("Tab");
    ok(await page.evaluate(() => document.activeElement.id !== "timeline-canvas"), "it stays");
});

for (const theme of ["light", "dark"]) {
    await promise(`${theme}: text can be read`, "gpu", { colorScheme: theme }, async (page) => {
        const pairs = await page.evaluate(() => {
            const parse = (text) => text.match(/[\d.]+/g).map(Number);
            const backOf = (element) => {
                for (let at = element; at; at = at.parentElement) {
                    const back = parse(getComputedStyle(at).backgroundColor);
                    if (back.length < 4 || back[3] > 0)
                        return back.slice(0, 3);
                }
                return [255, 255, 255];
            };
            const texts = [...document.querySelectorAll("main *, header *")].filter((element) =>
                element.checkVisibility() && !element.disabled && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
            return texts.map((element) => [element.outerHTML.slice(0, 90), parse(getComputedStyle(element).color).slice(0, 3), backOf(element)]);
        });
        const worst = pairs.map(([what, text, back]) => [contrast(text, back), what]).sort((a, b) => a[0] - b[0])[0];
        ok(worst[0] >= 4.5, `${worst[0].toFixed(2)} of ${worst[1]}`);
    });
}

await finish();
