// People who play once more: everybody finds the seat, the name and the colour again. How an invited person gets in, and
// that the clock waits for them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, person, seriousFaults, Server, sitDown } from "./harness.mjs";
import { everySize, overflow, SIZES } from "./sizes.mjs";

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

const open = (options) => person(browser, server, options);
const short = () => server.rules("lux", { placement: "even", "first-player": "seat", end: { "turn-limit": 1, "tie-breaks": ["territories", "armies"] } });
const link = (game, seat) => `${server.url}/#/game/${game.id}?token=${game.seats[seat].token}`;
const gameOf = (page) => page.evaluate(() => /game\/(\w+)/.exec(location.hash)?.[1]);

/** Bots play the rest. */
async function resign(page) {
  await page.getByTestId("resign").click();
  await page.getByTestId("resign-yes").click();
}

test("all people of a game meet in its rematch, on their seats, with their names and colours", async () => {
  const [ann, ben, watcher] = [await open(SIZES.desktop), await open(SIZES.phone), await open(SIZES.tablet)];
  const seats = [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Player 2" }, { kind: "bot", level: "recruit" }];
  const game = await server.create({ map: "duel6", rules: await short(), seats, turn_seconds: 3600 });
  await sitDown(ann.page, server, game, [0]);
  await ben.page.goto(link(game, 1));
  await ben.page.getByTestId("join-name").fill("Benno");
  await ben.page.getByRole("radio", { name: "purple" }).check({ force: true });
  await ben.page.getByTestId("join-go").click();
  await ann.page.locator("[data-seat='1']").getByText("Benno").waitFor();
  await watcher.page.goto(`${server.url}/#/game/${game.id}`);
  await resign(ann.page);
  await resign(ben.page);
  for (const { page } of [ann, ben, watcher]) await page.getByTestId("end-card").waitFor();
  assert.equal(await watcher.page.getByTestId("rematch").count(), 0, "who watched asks for no rematch of others");

  // The invited one asks first, and is offered what he had.
  await ben.page.getByTestId("rematch").click();
  await ben.page.getByText("You are Benno, purple").waitFor();
  const next = await gameOf(ben.page);
  assert.notEqual(next, game.id);
  assert.equal(await ben.page.getByTestId("join-name").inputValue(), "Benno");
  await ben.page.getByTestId("join-go").click();
  await ben.page.getByText("Ann has not come yet; the clock waits.").waitFor();

  // The others are told on the card of the old game, after a reload too.
  await ann.page.reload();
  for (const { page } of [ann, watcher]) assert.ok((await overflow(page)) <= 0);
  await watcher.page.getByTestId("watch-rematch").click();
  await ann.page.getByTestId("rematch").getByText("Join the rematch").waitFor();
  await ann.page.getByTestId("rematch").click();
  for (const { page } of [ann, ben, watcher]) {
    await page.waitForFunction((id) => location.hash.includes(id), next);
    await page.getByTestId("clock").waitFor();
    assert.deepEqual(await page.locator("[data-seat] strong").allInnerTexts(), ["Ann", "Benno", game.seats[2].name]);
    assert.equal(await page.evaluate(() => document.documentElement.style.getPropertyValue("--seat-1")), "var(--color-4)");
  }
  await ann.page.locator('[data-state="asked"]').waitFor();
  const stored = await server.get(`/api/games/${next}`);
  assert.deepEqual(stored.seats.map(({ kind, color }) => [kind, color]), [["human", null], ["remote", 4], ["bot", null]]);
  for (const { check, context } of [ann, ben, watcher]) {
    check();
    await context.close();
  }
});

test("a name or colour that is refused can be chosen again, on every screen", async () => {
  await everySize(open, async ({ page, size }) => {
    const seats = [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Player 2" }];
    const game = await server.create({ map: "duel6", rules: "lux", seats });
    await page.goto(link(game, 1));
    await page.getByTestId("join-name").fill("ANN");
    await page.getByTestId("join-go").click();
    await page.getByTestId("join-fault").getByText("Somebody else is called ANN.").waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("join-name").fill("Ben");
    await page.getByTestId("join-go").click();
    await page.getByTestId("join").waitFor({ state: "detached" });
    await page.locator("[data-seat='1']").getByText("Ben").waitFor();
    assert.equal((await server.get(`/api/games/${game.id}`)).seats[1].name, "Ben");
    await page.reload();
    await page.locator("[data-territory]").first().waitFor();
    assert.equal(await page.getByTestId("join").count(), 0, "he has said who he is");
  });
});

test("the clock waits until everybody who is invited has come", async () => {
  await everySize(open, async ({ page, size }) => {
    const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
    const game = await server.create({ map: "duel6", rules, turn_seconds: 30, seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Ben" }] });
    await sitDown(page, server, game, [0]);
    await page.locator('[data-state="asked"]').waitFor();
    await page.getByText("Ben has not come yet; the clock waits.").waitFor();
    assert.equal(await page.getByTestId("clock").count(), 0, size);
    const ben = await open(SIZES.phone);
    await ben.page.goto(link(game, 1));
    await page.getByTestId("clock").waitFor();
    await ben.page.getByTestId("join-go").click();
    await ben.page.getByTestId("clock").waitFor();
    ben.check();
    await ben.context.close();
  });
});
