// Watching a game of bots, and going through its replay.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, person, program, seriousFaults, Server } from "./harness.mjs";
import { everySize, excess } from "./sizes.mjs";

let server;
let browser;
let game;
before(async () => {
  server = await new Server().start();
  browser = await launch();
  const [level] = await server.get("/api/levels");
  const bot = { kind: "bot", level: level.id };
  const rules = await server.rules("lux", { end: { "turn-limit": 6, "tie-breaks": ["territories", "armies"] } });
  game = await server.create({ map: "duel6", rules, seats: [bot, bot, bot], seed: "4" });
  await server.playedOut(game);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const board = (page) => page.evaluate(() => [...document.querySelectorAll("[data-territory]")].map((element) => `${element.dataset.owner}:${element.dataset.armies}`).join());

test("a replay is scrubbed, stepped, played and shared", async () => {
  const { page, context, check } = await person(browser, server);
  await page.goto(`${server.url}/#/watch`);
  await page.getByRole("link", { name: /^Replay the game/ }).first().click();
  const scrubber = page.getByTestId("scrubber");
  await scrubber.waitFor();
  const last = Number(await scrubber.getAttribute("max"));
  assert.ok(last > 20);

  const seen = new Set();
  for (const position of [0, Math.floor(last / 2), last]) {
    await scrubber.fill(String(position));
    seen.add(await board(page));
    assert.equal(await page.getByText(`${position + 1} of ${last + 1}`).count(), 1);
  }
  assert.equal(seen.size, 3, "three moments, three boards");

  await scrubber.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByText(`${last} of ${last + 1}`).waitFor();
  await page.getByRole("button", { name: "One step forward" }).click();
  await page.getByText(`${last + 1} of ${last + 1}`).waitFor();

  await scrubber.fill("0");
  await page.getByLabel("Speed").selectOption("200");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByText(`${last + 1} of ${last + 1}`).waitFor();
  assert.equal(await page.locator("figure").count(), 3, "three charts");
  const seed = page.getByText("seed 4", { exact: true });
  assert.equal(await seed.isVisible(), false, "seed and specs are behind a word");
  await page.getByText("More: bots and seed").click();
  await seed.waitFor();

  await page.goto(`${server.url}/#/odds`);
  for (const frame of [5, 9]) {
    await page.goto(`${server.url}/#/replay/${game.id}?frame=${frame}`);
    await page.getByText(`${frame + 1} of ${last + 1}`).waitFor();
  }
  check();
  await context.close();
});

test("on every screen board and tape are there together, and a line of the log leads to its moment", async () => {
  await everySize((options) => person(browser, server, options), async ({ page, size, options }) => {
    await page.goto(`${server.url}/#/replay/${game.id}`);
    const scrubber = page.getByTestId("scrubber");
    await scrubber.waitFor();
    await scrubber.fill(await scrubber.getAttribute("max"));
    if (options.viewport.width > options.viewport.height) {
      for (const part of [page.locator("svg[role=group]"), scrubber, page.getByRole("button", { name: "Play", exact: true })]) {
        const { x, y, width, height } = await part.boundingBox();
        assert.ok(x >= 0 && y >= 0 && x + width <= options.viewport.width && y + height <= options.viewport.height, `all is on the screen of a ${size}`);
      }
      assert.ok((await excess(page)) <= 0, `nothing scrolls the board away on a ${size}`);
    }
    const battle = page.getByLabel("Moves").locator('li[data-kind="battle"] button').first();
    const before = await scrubber.inputValue();
    await battle.click();
    assert.notEqual(await scrubber.inputValue(), before, `the line leads elsewhere, on a ${size}`);
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

test("games of a match open in the page by one command", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "hegemon-records-"));
  execFileSync(program(), ["match", "killbot", "quo", "--map", "duel6", "--rules", "lux", "--games", "2", "--records", folder], { stdio: "ignore" });
  const records = await new Server([], ["replay", folder]).start();
  t.after(async () => {
    await records.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await everySize((options) => person(browser, records, options), async ({ page, size }) => {
    await page.goto(`${records.url}/#/records`);
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("records").getByRole("link").last().click();
    await page.getByTestId("scrubber").waitFor();
    await page.getByText("killbot").first().waitFor();
  });
});

test("a record is downloaded and opened again; a damaged one is refused with a sentence", async () => {
  const { page, context, check } = await person(browser, server, { acceptDownloads: true });
  await page.goto(`${server.url}/#/replay/${game.id}`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download record" }).click()]);
  const text = await readFile(await download.path(), "utf8");
  const file = (content) => ({ name: "game.txt", mimeType: "text/plain", buffer: Buffer.from(content) });

  await page.goto(`${server.url}/#/watch`);
  await page.getByTestId("upload").setInputFiles(file(text));
  await page.getByTestId("scrubber").waitFor();
  await page.goto(`${server.url}/#/watch`);
  await page.getByTestId("upload").setInputFiles(file(text.split("\n").slice(0, -3).join("\n")));
  assert.match(await page.getByRole("alert").innerText(), /game\.txt: \S/);
  check();
  await context.close();
});

test("a running game of bots can be watched without a seat", async () => {
  const { page, context, check } = await person(browser, server);
  const [level] = await server.get("/api/levels");
  const bot = { kind: "bot", level: level.id };
  const running = await server.create({ map: "duel6", rules: await server.rules("lux", { end: { "turn-limit": 4, "tie-breaks": ["armies"] } }), seats: [bot, bot], seed: "6" });
  await page.goto(`${server.url}/#/game/${running.id}`);
  await page.getByText("watching").waitFor();
  await page.getByRole("link", { name: "Replay" }).waitFor();
  check();
  await context.close();
});
