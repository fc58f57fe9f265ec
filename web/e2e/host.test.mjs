// A program and a map of the host: the map is offered, and the program plays under its own name, in the rematch too, and its
// author sees what it writes.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { asked, mouse, playOn } from "./hands.mjs";
import { launch, person, program, seriousFaults, Server, sitDown } from "./harness.mjs";
import { everySize, overflow, SIZES } from "./sizes.mjs";

let server;
let browser;
let folder;
before(async () => {
  const map = JSON.parse(await readFile(new URL("../../maps/ring24.json", import.meta.url), "utf8"));
  folder = mkdtempSync(path.join(tmpdir(), "hegemon-host-"));
  await writeFile(path.join(folder, "own.json"), JSON.stringify({ ...map, name: "my ring" }));
  server = await new Server(["--map", path.join(folder, "own.json"), "--bot", "Broken=cmd(echo no module named brain >&2; exit 3)", "--bot", `Mine=cmd(while read -r line; do echo heard a line >&2; echo "$line"; done | '${program()}' bot baseline)`]).start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const [size, options] of Object.entries(SIZES)) {
  test(`the error output of a program stands in a panel, on a ${size}`, async () => {
    const { page, context, check } = await person(browser, server, options);
    await page.goto(`${server.url}/#/new`);
    await page.getByLabel("Level of player 2").selectOption({ label: "Mine" });
    await page.locator("select[name=map]").selectOption("my ring");
    await page.locator(".preview path").first().waitFor();
    const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
    const game = await server.create({ map: "duel6", rules, seats: [{ kind: "human", name: "Ann" }, { kind: "bot", host_bot: "Mine" }], seed: String(options.viewport.width) });
    await sitDown(page, server, game, [0]);
    await asked(page);
    await page.locator("[data-seat] strong").getByText("Mine").waitFor();
    await playOn(page, mouse(page), await server.get("/api/maps/duel6"), { before: () => ({ mayAttack: false }), stop: (see) => see.round >= 4 || see.isOver });
    const panel = page.getByTestId("error-output");
    if (!(await panel.evaluate((details) => details.open))) await panel.getByText("Output of Mine").click();
    await panel.getByText("heard a line").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    assert.ok((await overflow(page)) <= 0);
    check();
    await context.close();
  });
}

test("what a program writes that ends at its start stands in its panel, on every screen", async () => {
  await everySize((options) => person(browser, server, options), async ({ page }) => {
    const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
    const game = await server.create({ map: "duel6", rules, seats: [{ kind: "bot", host_bot: "Broken" }, { kind: "human", name: "Ann" }], seed: "4" });
    await sitDown(page, server, game, [1]);
    const panel = page.getByTestId("error-output");
    await panel.getByText("Output of Broken").click();
    await panel.getByText("no module named brain").waitFor();
  });
});

test("a rematch is against the same program, with the same time for a turn", async () => {
  await everySize((options) => person(browser, server, options), async ({ page }) => {
    const rules = await server.rules("lux", { placement: "even", "first-player": "seat", end: { "turn-limit": 1, "tie-breaks": ["territories", "armies"] } });
    const seats = [{ kind: "human", name: "Ann" }, { kind: "bot", host_bot: "Mine" }];
    const game = await server.create({ map: "duel6", rules, seats, turn_seconds: 3600 });
    await sitDown(page, server, game, [0]);
    await playOn(page, mouse(page), await server.get("/api/maps/duel6"), { before: () => ({ mayAttack: false }) });
    await page.getByTestId("rematch").click();
    await page.waitForFunction((id) => !location.hash.includes(id), game.id);
    await asked(page);
    await page.getByTestId("clock").waitFor();
    const next = await server.get(`/api/games/${await page.evaluate(() => /game\/(\w+)/.exec(location.hash)[1])}`);
    assert.deepEqual(next.seats.map(({ name, host_bot }) => [name, host_bot]), [["Ann", null], ["Mine", "Mine"]]);
  });
});
