// A map of one's own in the page: placed, connected, checked as it grows, tried by bots, saved, and played.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { asked } from "./hands.mjs";
import { launch, person, seriousFaults, Server } from "./harness.mjs";
import { overflow, SIZES } from "./sizes.mjs";

let server;
let browser;
before(async () => {
  server = await new Server().start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Clicks, or taps, on the sheet at a point of its own coordinates. */
async function clickAt(page, x, y, isTouch) {
  const box = await page.getByTestId("sheet").evaluate((sheet, [sx, sy]) => {
    const { x: left, y: top } = new DOMPoint(sx, sy).matrixTransform(sheet.getScreenCTM());
    return [left, top];
  }, [x, y]);
  await (isTouch ? page.touchscreen.tap(...box) : page.mouse.click(...box));
}

/** Draws a line through points of the sheet. */
async function drag(page, points, isTouch) {
  const screen = await page.getByTestId("sheet").evaluate((sheet, all) => all.map(([x, y]) => new DOMPoint(x, y).matrixTransform(sheet.getScreenCTM())).map(({ x, y }) => [x, y]), points);
  if (!isTouch) {
    await page.mouse.move(...screen[0]);
    await page.mouse.down();
    for (const point of screen.slice(1)) await page.mouse.move(...point, { steps: 4 });
    return page.mouse.up();
  }
  const session = await page.context().newCDPSession(page);
  for (const [n, [x, y]] of screen.entries()) await session.send("Input.dispatchTouchEvent", { type: n === 0 ? "touchStart" : "touchMove", touchPoints: [{ x, y }] });
  return session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

const tool = (page, name) => page.getByLabel(name, { exact: true }).check();
const OUTLINE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 64"><path d="M5 5L95 5L95 60L5 60z" fill="#cde"/></svg>';

for (const [size, options] of Object.entries(SIZES)) {
  test(`a map is made and played, on a ${size}`, async () => {
    const isTouch = options.hasTouch === true;
    const { page, context, check } = await person(browser, server, { ...options, acceptDownloads: true });
    await page.goto(`${server.url}/#/new`);
    await page.getByRole("link", { name: "Make a map …" }).click();
    const faults = page.getByTestId("faults");
    await faults.getByText("at least 2 are needed").waitFor();
    await page.getByTestId("picture").setInputFiles({ name: "coast.svg", mimeType: "image/svg+xml", buffer: Buffer.from(OUTLINE) });
    await page.locator("image").waitFor({ state: "attached" });

    await page.getByTestId("sheet").scrollIntoViewIfNeeded();
    for (const [x, y] of [[200, 200], [400, 200], [200, 450]]) await clickAt(page, x, y, isTouch);
    assert.equal(await page.locator("[data-territory]").count(), 3);
    await page.getByTestId("add-continent").click();
    await page.getByTestId("continent-name").nth(1).fill("South");
    await page.getByTestId("sheet").scrollIntoViewIfNeeded();
    for (const [x, y] of [[700, 250], [800, 500]]) await clickAt(page, x, y, isTouch);
    await page.getByTestId("territory-name").fill("Cape");
    await page.getByTestId("territory-name").blur();
    await faults.getByText("Cape").waitFor();

    await tool(page, "Draw");
    await drag(page, [[100, 100], [300, 110], [500, 100]], isTouch);
    assert.equal(await page.locator("path.outline").count(), 1, "a coastline is drawn");

    await tool(page, "Connect");
    for (const [x, y] of [[200, 200], [400, 200], [200, 200], [200, 450], [400, 200], [700, 250], [700, 250], [800, 500]]) await clickAt(page, x, y, isTouch);
    await faults.getByText("No fault; 5 territories.").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    assert.ok((await overflow(page)) <= 0);

    const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("save-map").click()]);
    const saved = JSON.parse(await readFile(await download.path(), "utf8"));
    assert.deepEqual(saved.territories.map(({ continent }) => continent), ["North", "North", "North", "South", "South"]);
    assert.deepEqual(saved.territories[4], { name: "Cape", continent: "South", connections: ["Territory 4"], position: saved.territories[4].position });

    await page.getByTestId("try-map").click();
    await page.getByTestId("trial").getByText(/games of quo/).waitFor();
    await page.reload();
    await faults.getByText("No fault; 5 territories.").waitFor();

    await page.getByTestId("map-name").fill(`Mine ${size}`);
    await page.getByTestId("map-name").blur();
    await faults.getByText("No fault; 5 territories.").waitFor();
    await page.getByTestId("play-map").click();
    await page.locator(".preview path.land").first().waitFor();
    assert.equal(await page.locator("select[name=map]").inputValue(), `Mine ${size}`);
    await page.getByRole("button", { name: "Start game" }).click();
    await page.locator("[data-territory]").first().waitFor();
    await asked(page);
    assert.equal(await page.locator("[data-territory]").count(), 5);
    check();
    await context.close();
  });
}

test("a map is made by keyboard alone, and what was done can be undone", async () => {
  const { page, context, check } = await person(browser, server);
  await page.goto(`${server.url}/#/maps`);
  const add = page.getByRole("button", { name: "Add a territory" });
  for (let n = 0; n < 3; n += 1) {
    await add.focus();
    await page.keyboard.press("Enter");
  }
  await page.getByTestId("near-links").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("faults").getByText("No fault; 3 territories.").waitFor();
  const first = page.locator('[data-territory="0"]');
  const place = () => first.locator(".dot").getAttribute("cx");
  const before = await place();
  await first.focus();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await place(), before);
  await page.keyboard.press("Delete");
  assert.equal(await page.locator("[data-territory]").count(), 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await place(), before);
  check();
  await context.close();
});

test("a shipped map opens in the editor, and a file that is none says so", async () => {
  const { page, context, check } = await person(browser, server);
  await page.goto(`${server.url}/#/maps`);
  const map = new URL("../../maps/ring24.json", import.meta.url);
  await page.getByTestId("open-map").setInputFiles({ name: "map.json", mimeType: "application/json", buffer: await readFile(map) });
  await page.getByTestId("faults").getByText("No fault; 24 territories.").waitFor();
  await page.getByTestId("play-map").click();
  await page.getByRole("alert").getByText("give yours another name").waitFor();
  await page.getByTestId("open-map").setInputFiles({ name: "map.json", mimeType: "application/json", buffer: Buffer.from("[1]") });
  await page.getByRole("alert").getByText("This file is no map.").waitFor();
  check();
  await context.close();
});
