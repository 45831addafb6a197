// Uses the playground in a browser: `node browser.mjs BROWSER PAGE PICTURES PROGRAMS`. `scripts/playground` calls it.
//
// Each check says what a reader of the page would expect, and fails by itself; pictures are left for the eye.
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [browser_path, page_path, pictures, programs] = process.argv.slice(2);
const address = pathToFileURL(resolve(page_path)).href;
mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({ executablePath: browser_path, args: ["--no-sandbox", "--disable-gpu"] });
let failures = 0;

function expect(what, holds, seen) {
  console.log(`${holds ? "ok    " : "FAILED"}  ${what}${holds ? "" : `: ${JSON.stringify(seen)}`}`);
  failures += holds ? 0 : 1;
}

// A page without a network, with a text in its editor.
async function open({ hash = "", width = 1400, height = 950, scheme = "light" } = {}) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => expect("no error on the page", false, error.message));
  await page.setOfflineMode(true);
  await page.setViewport({ width, height, hasTouch: width < 600 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(address + hash);
  await page.waitForFunction(() => window.playground?.ready, { timeout: 30000 });
  return page;
}

const state = (page) => page.evaluate(() => playground.state());
const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
const settled = (page, holds) => page.waitForFunction(holds, { timeout: 20000 }).then(() => true, () => false);
const picture = (page, name) => page.screenshot({ path: `${pictures}/${name}.png` });

async function type(page, program) {
  await page.$eval("#source", (element, program) => {
    element.value = program;
    element.dispatchEvent(new Event("input"));
  }, program);
  await new Promise((resolve) => setTimeout(resolve, 600));
}

// The page opens with a program of the gallery; keys step it.
{
  const page = await open();
  await settled(page, () => playground.state()?.position === 0 && document.getElementById("scrubber").max > 100);
  for (let i = 0; i < 7; i++) await page.keyboard.press("F8");
  expect("F8 steps", await settled(page, () => playground.state().position === 7), await state(page));
  const line = await page.$$eval("#backdrop .row.now", (rows) => rows.map((row) => row.innerText));
  expect("the statement that runs next is marked", line.length === 1 && line[0].includes("v[i - 1] += pull"), line);
  expect("the inverse is that of the procedure around it", (await text(page, "#inverse")).includes("uncall_kick"), await text(page, "#inverse"));
  const derived = await page.$$eval("#inverse .row.now", (rows) => rows.map((row) => row.innerText));
  expect("the same statement is marked in the inverse", derived.some((row) => row.includes("v[i - 1] -= pull")), derived);
  expect("and in the diagram", (await page.$$("#diagram .now")).length === 1, await page.$$eval("#diagram .now", (all) => all.length));
  await picture(page, "wide-light");
  await page.keyboard.down("Shift");
  await page.keyboard.press("F8");
  await page.keyboard.up("Shift");
  expect("Shift F8 steps back", await settled(page, () => playground.state().position === 6), await state(page));
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  expect("there and back ends at the beginning", await settled(page, () => playground.state().position === 0 && playground.state().drift.measured), await state(page));
  expect("and has measured a small drift", (await state(page)).drift.worst < 1e-14, (await state(page)).drift);
  await page.$eval("#scrubber", (element) => { element.value = 100; element.dispatchEvent(new Event("input")); });
  expect("the scrubber goes to a stop", await settled(page, () => playground.state().position === 100), await state(page));
  await page.select("#mission", "adjoint x");
  await settled(page, () => playground.state()?.position === 0);
  await page.keyboard.press("F9");
  expect("an adjoint run ends", await settled(page, () => playground.state()?.ended), await state(page));
  const adjoints = await page.$$eval("#values tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
  expect("with adjoints beside values", adjoints.some(([name, , adjoint]) => name === "x" && adjoint.startsWith("[")), adjoints);
  await page.close();
}

// Errors as one types, and programs that are derived within a tenth of a second.
{
  const page = await open({ scheme: "dark" });
  await type(page, "#[reversible]\nfn f(x: &mut f64, y: f64) {\n    *x = y;\n}\n");
  const messages = await text(page, "#messages");
  expect("a message has line and column", messages.includes("3:5"), messages);
  expect("its line is marked", (await page.$$("#backdrop .row.wrong")).length === 1, messages);
  await picture(page, "wide-dark-error");
  await type(page, "#[reversible]\nfn f(x: &mut f64, y: f64) {\n    *x += y;\n}\n");
  expect("without errors, there are none", (await text(page, "#messages")) === "", await text(page, "#messages"));
  expect("and there is an inverse", (await text(page, "#inverse")).includes("*x -= y"), await text(page, "#inverse"));
  await page.focus("#source");
  await page.keyboard.type(" ");
  await settled(page, () => playground.key_ms !== null);
  await page.close();
}

// An endless loop can be stopped.
{
  const page = await open();
  await type(page, "#[reversible]\nfn f(x: &mut i64) {\n    while (*x >= 0, *x > 0) {\n        *x += 1;\n    }\n}\n");
  await page.$eval("#arguments input", (input) => { input.value = "0"; input.dispatchEvent(new Event("input")); });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await page.keyboard.press("F9");
  await settled(page, () => playground.state()?.position > 4000);
  await page.click("#stop");
  const at = (await state(page)).position;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect("the stop button stops", at > 4000 && (await state(page)).position === at, [at, (await state(page)).position]);
  await page.close();
}

// Links carry a program; damaged ones say so.
{
  const page = await open();
  await type(page, "#[reversible]\nfn linked(x: &mut f64) {\n    *x += 2.5;\n}\n");
  await page.click("#share");
  const hash = await page.evaluate(() => location.hash);
  await page.close();
  const other = await open({ hash });
  expect("a link carries the program", (await other.$eval("#source", (element) => element.value)).includes("*x += 2.5"), hash);
  await other.close();
  for (const damaged of [hash.slice(0, -7), hash.replace(/.(?=.{9}$)/, (c) => (c === "A" ? "B" : "A")), "#p=", "#p=%%%"]) {
    const broken = await open({ hash: damaged });
    const [value, note] = [await broken.$eval("#source", (element) => element.value), await text(broken, "#note")];
    expect("a damaged link leaves an empty editor and a note", value === "" && note.includes("damaged"), [damaged, value, note]);
    await broken.close();
  }
}

// On a phone nothing is wider than the screen.
{
  const page = await open({ width: 390, height: 844 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect("a phone does not scroll sideways", width <= 390, width);
  await picture(page, "phone-light");
  for (const pane of ["inverse", "adjoint", "diagram"]) {
    await page.click(`#tabs [data-pane=${pane}]`);
    const shown = await page.$eval(`#${pane}-pane`, (element) => element.offsetHeight > 0);
    expect(`its tab shows the ${pane}`, shown, pane);
  }
  await picture(page, "phone-diagram");
  await page.close();
}

// Every program of the gallery, there and back; and how long it takes from a key to the inverse of ADBench's programs.
{
  const page = await open();
  const count = await page.$$eval("#gallery option", (all) => all.length);
  for (let i = 0; i < count; i++) {
    await page.select("#gallery", String(i));
    await settled(page, () => playground.state()?.position === 0);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await page.click("#trip");
    const back = await settled(page, () => playground.state()?.position === 0 && playground.state().drift.measured);
    const title = await page.$eval("#gallery", (select) => select.selectedOptions[0].text);
    expect(`${title}: there and back`, back, await text(page, "#failures"));
  }
  for (const program of ["gaussian_mixture", "bundle_adjustment", "hand_tracking", "lstm"]) {
    const times = [];
    await type(page, readFileSync(`${programs}/${program}.rs`, "utf8"));
    const messages = await text(page, "#messages");
    expect(`${program}: no errors`, messages === "", messages);
    for (let i = 0; i < 5; i++) {
      await page.evaluate(() => { playground.key_ms = null; });
      await page.focus("#source");
      await page.keyboard.type(" ");
      await settled(page, () => playground.key_ms !== null);
      times.push(await page.evaluate(() => playground.key_ms));
    }
    times.sort((a, b) => a - b);
    console.log(`from a key to the inverse, ${program}: ${times[2].toFixed(1)} ms (median of ${times.length})`);
  }
  await page.close();
}

await browser.close();
console.log(failures === 0 ? "all checks hold" : `${failures} checks failed`);
process.exit(failures === 0 ? 0 : 1);
