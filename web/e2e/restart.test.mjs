// The server is killed in mid-game; the page waits, comes back, and nothing is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, look, mouse, playOn } from "./hands.mjs";
import { launch, person, Server, sitDown } from "./harness.mjs";

test("a game goes on after the server was killed", async (t) => {
  const server = await new Server().start();
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    await server.stop();
  });
  const { page, check } = await person(browser, server);
  const [level] = await server.get("/api/levels");
  const game = await server.create({
    map: "duel6",
    rules: await server.rules("lux", { end: { "turn-limit": 15, "tie-breaks": ["territories", "armies"] } }),
    seats: [{ kind: "human", name: "Ann" }, { kind: "bot", level: level.id }, { kind: "human", name: "Cy" }],
    seed: "9",
  });
  await sitDown(page, server, game, [0, 2]);
  const map = await server.get("/api/maps/duel6");
  let n = 0;
  await playOn(page, mouse(page), map, { stop: () => (n += 1) > 8 });
  const before = await look(page);

  await server.kill();
  await page.getByText("Connection lost").waitFor();
  await server.start();
  await page.getByText("Connection lost").waitFor({ state: "hidden" });
  await asked(page);
  const after = await look(page);
  assert.deepEqual(after.territories.map(({ owner, armies }) => [owner, armies]), before.territories.map(({ owner, armies }) => [owner, armies]));
  assert.equal(after.prompt, before.prompt);

  const over = await playOn(page, mouse(page), map);
  assert.ok(over.isOver);
  check();
});

test("a board whose drawing was asked of a dead server is drawn when there is one again", async (t) => {
  const server = await new Server().start();
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    await server.stop();
  });
  const [level] = await server.get("/api/levels");
  const { page, context, check } = await person(browser, server);
  const game = await server.create({ map: "classic", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "bot", level: level.id }] });
  // Refused, then answered with an error, then sent. Drawings of other maps are made by the page itself.
  const answers = [(route) => route.abort(), (route) => route.fulfill({ status: 503 })];
  let n = 0;
  await context.route("**/assets/classic.json", (route) => {
    n += 1;
    return (answers[n - 1] ?? ((again) => again.continue()))(route);
  });
  await sitDown(page, server, game, [0]);
  await page.locator("[data-territory]").first().waitFor();
  assert.equal(n, 3);
  check();
  await context.close();
});
