// What stint exports, opened in Speedscope, whose table of functions has to have the numbers of the file.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { finish, ok, promise, same, until } from "./check.mjs";

const folder = process.argv[2];
const own = /WebGL|asked for file:/; // what Speedscope does as it starts: the driver warns, and it loads its files

const sum = (pairs) => pairs.reduce((sums, [name, value]) => sums.set(name, (sums.get(name) || 0) + value), new Map());

const readings = {
    "export_collapsed_training.txt": (text) => sum(text.trim().split("\n").map((line) => {
        const [, stack, value] = line.match(/^(.*) (\d+)$/);
        return [stack.split(";").pop(), Number(value)];
    })),
    "export_chrome_gpu.json": (text) => { // the stream that is shown first; nothing is nested in a stream
        const events = JSON.parse(text).traceEvents;
        const isNamed = (event) => event.ph === "M" && event.name === "thread_name" && event.args.name === "stream 7";
        const { pid, tid } = events.find(isNamed);
        return sum(events.filter((event) => event.ph === "X" && event.pid === pid && event.tid === tid)
            .map((event) => [`${event.name} ${JSON.stringify(event.args)}`, event.dur]));
    },
};

// "1,234 (5%)" or "1.23ms (5%)", in units or microseconds.
function value(text) {
    const [, number, unit] = text.match(/^([\d.,]+)(\D*) \(/);
    return Number(number.replaceAll(",", "")) * { "": 1, ns: 1e-3, "µs": 1, ms: 1e3, s: 1e6 }[unit];
}

for (const [file, read] of Object.entries(readings)) {
    const text = readFileSync(`${process.env.GOLDEN}/${file}`);
    writeFileSync(`${folder}/${file}.js`, `speedscope.loadFileFromBase64("${file}", "${text.toString("base64")}")`);
    const address = pathToFileURL(`${folder}/node_modules/speedscope/dist/release/index.html`);
    address.hash = `localProfilePath=${folder}/${file}.js`;

    await promise(`Speedscope has the times of ${file}`, address, {}, async (page) => {
        const expected = read(text.toString());
        await page.getByText("Sandwich").click();
        const rows = await until(() => page.locator("table tr").evaluateAll((all) =>
            all.slice(1).map((row) => [...row.cells].map((cell) => cell.innerText.trim()))), (all) => all.length);
        same("the number of functions", rows.length, expected.size);
        for (const [, self, name] of rows) {
            ok(expected.has(name), `${name} is not in the file`);
            const difference = Math.abs(value(self) / expected.get(name) - 1);
            ok(difference < 0.005, `${name} has ${self}, not ${expected.get(name)}`);
        }
    }, own);
}

await finish();
