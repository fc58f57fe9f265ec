// The arena page shows a pool, and follows it while it is being played.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { launch, person, program, seriousFaults, Server } from "./harness.mjs";
import { overflow, SIZES } from "./sizes.mjs";

test("ratings, intervals and the cross table appear and grow", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "hegemon-arena-"));
  const store = path.join(folder, "pool.db");
  const arena = (...args) => execFileSync(program(), ["arena", "--store", store, ...args], { stdio: "ignore" });
  const limit = ["--set", "end.turn-limit=5"];
  // A program is called by the name and version that it states.
  const stated = `{"type":"hello","protocol":1,"name":"Mine","version":"2.1"}`;
  const mine = `cmd('${program()}' bot baseline | sed -u '1s/.*/${stated}/')`;
  arena("add", "baseline", mine, "random", "--map", "duel6", "--rules", "lux", ...limit);
  arena("run", "--games", "40");
  const server = await new Server(["--arena", store]).start();
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const { page, check } = await person(browser, server);
  await page.goto(`${server.url}/#/arena`);
  const facts = page.locator(".facts");
  await facts.getByText(/\d+ games/).waitFor();
  const nGames = async () => Number(/(\d+) games/.exec(await facts.innerText())[1]);
  const before = await nGames();
  assert.ok(before >= 40);
  assert.equal(await page.getByLabel("Ratings with 95 % intervals").getByRole("row").count(), 4);
  assert.equal(await page.getByRole("region", { name: "Results of every pair" }).getByRole("row").count(), 4);
  await page.getByLabel("Ratings with 95 % intervals").getByText("Mine 2.1").waitFor();
  assert.ok(!(await page.locator("#main").innerText()).includes("cmd("), "nobody reads the command");
  assert.deepEqual(await seriousFaults(page), []);

  const cell = page.getByRole("link", { name: /^baseline against random/ });
  await cell.click();
  const games = page.getByTestId("pair-games").getByRole("link");
  await games.first().waitFor();
  for (const [size, options] of Object.entries(SIZES)) {
    const other = await person(browser, server, options);
    await other.page.goto(page.url());
    await other.page.getByTestId("pair-games").getByRole("link").first().waitFor();
    assert.ok((await overflow(other.page)) <= 0, size);
    other.check();
    await other.context.close();
  }
  assert.deepEqual(await seriousFaults(page), []);
  await games.first().click();
  await page.getByTestId("scrubber").waitFor();
  await page.goBack();
  await page.getByTestId("pair-games").waitFor();

  arena("run", "--games", String(before + 40));
  await page.waitForFunction((n) => Number(/(\d+) games/.exec(document.querySelector(".facts").innerText)[1]) > n, before);
  check();
});
