// Imports files into speedscope in a headless browser: node speedscope.mjs BROWSER FOLDER FILE...
// FOLDER is that of speedscope's index.html. Prints a line for each file: its name, a tab, what speedscope shows of it (the
// title, which has the profile's name and the number of profiles), or "failed: " and what it says. With SCREENSHOTS in the
// environment a picture of each is left in that folder.
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';

const [browserPath, folder, ...files] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--allow-file-access-from-files'] });

// What the toolbar says once a profile is shown.
async function shown(page) {
    await page.waitForFunction(() => document.title !== 'speedscope' || document.body.innerText.includes('went wrong') ||
        document.body.innerText.includes('Unrecognized'), undefined, { timeout: 30000 });
    const text = (await page.evaluate(() => document.body.innerText)).replace(/\s+/g, ' ');
    return /went wrong|Unrecognized/.test(text) ? `failed: ${text}` : `${await page.title()} ${text}`;
}

let failed = 0;
for (const file of files) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const complaints = [];
    page.on('dialog', async (dialog) => { complaints.push(dialog.message()); await dialog.dismiss(); });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`file://${join(folder, 'index.html')}`);
    await page.setInputFiles('input[type=file]', file);
    const text = await shown(page).catch((error) => `failed: ${error}`);
    if (process.env.SCREENSHOTS) {
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `${basename(file)}.png`) });
    }
    const line = complaints.length ? `failed: ${complaints.join(' ')}` : text;
    failed |= line.startsWith('failed');
    console.log(`${basename(file)}\t${line}`);
    await page.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
