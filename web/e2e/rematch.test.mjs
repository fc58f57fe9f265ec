// People who play once more: everybody finds the seat, the name and the colour again. How an invited person gets in, and
// that the clock waits for them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, PATIENCE, person, seriousFaults, Server, sitDown } from "./harness.mjs";
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

/** The same where a bot may end the game in a single turn, just while somebody is about to resign. */
async function resignUnlessOver(page) {
  const card = page.getByTestId("end-card");
  for (let n = 0; n < 30 && (await card.count()) === 0; n += 1) {
    for (const button of ["resign", "resign-yes"]) await page.getByTestId(button).click({ timeout: 1000 }).catch(() => {});
  }
  await card.waitFor();
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

  // The invited one asks first, and is offered what he had; who looks at the board just then is told, too.
  await watcher.page.getByRole("button", { name: "See the board" }).click();
  await watcher.page.getByTestId("end-card").waitFor({ state: "detached" });
  await ben.page.getByTestId("rematch").click();
  await ben.page.getByText("You are Benno, purple").waitFor();
  const next = await gameOf(ben.page);
  assert.notEqual(next, game.id);
  assert.equal(await ben.page.getByTestId("join-name").inputValue(), "Benno");
  await ben.page.getByTestId("join-go").click();
  await ben.page.getByText(/Ann has not come yet; the clock waits, at most [45]:\d\d\./).waitFor();

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

test("a rematch that was deleted is offered no longer, and can be made anew", async () => {
  await everySize(open, async ({ page, size }) => {
    const seats = [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }];
    const game = await server.create({ map: "duel6", rules: await short(), seats });
    const { token } = game.seats[1];
    await sitDown(page, server, game, [0, 1]);
    await resign(page);
    await resignUnlessOver(page);
    const button = page.getByTestId("rematch");
    await button.getByText("Rematch", { exact: true }).waitFor();
    const ask = (method, path, body) => fetch(new URL(path, server.url), { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const next = await (await ask("POST", `/api/games/${game.id}/rematch`, { token })).json();
    await button.getByText("Join the rematch").waitFor();
    assert.equal((await ask("DELETE", `/api/games/${next.id}`, { tokens: game.seats.map((seat) => seat.token) })).status, 204);
    await button.getByText("Rematch", { exact: true }).waitFor();
    await button.click();
    await page.waitForFunction((id) => location.hash.includes(id), next.id);
    await page.locator('[data-state="asked"]').waitFor();
    assert.deepEqual(await page.locator("[data-seat] strong").allInnerTexts(), ["Ann", "Ben"], size);
  });
});

test("after a restart of the server the card at the end counts, and a game on a map of one's own is played once more", async (t) => {
  const mortal = await new Server().start();
  t.after(() => mortal.stop());
  const sound = JSON.parse(readFileSync(new URL("../../maps/duel6.json", import.meta.url), "utf8"));
  let n = 0;
  await everySize((options) => person(browser, mortal, options), async ({ page, size }) => {
    const map = `isles ${(n += 1)}`;
    await fetch(new URL("/api/maps", mortal.url), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...sound, name: map }) });
    const rules = await short();
    const game = await mortal.create({ map, rules, seats: [{ kind: "human", name: "Ann" }, { kind: "bot", level: "recruit" }] });
    await sitDown(page, mortal, game, [0]);
    // The server dies at the very end: the card is there, and what it counts is not.
    await page.route("**/replay", (route) => route.abort());
    await resign(page);
    const card = page.getByTestId("end-card");
    await card.getByTestId("count-again").waitFor();
    assert.equal(await card.getByText("Counting …").count(), 0, size);
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.unroute("**/replay");
    await mortal.kill();
    await page.getByText("Connection lost").waitFor();
    await mortal.start();
    await card.getByTestId("luck").first().waitFor();
    assert.ok(!(await mortal.get("/api/maps")).some(({ name }) => name === map), "the map is not offered any longer");
    await page.getByTestId("rematch").click();
    await page.waitForFunction((id) => !location.hash.includes(id), game.id);
    await page.locator('[data-state="asked"]').waitFor();
    assert.equal((await mortal.get(`/api/games/${await gameOf(page)}`)).map, map, size);
  });
});

test("what could not be counted is counted on demand", async () => {
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: await short(), seats: [{ kind: "human", name: "Ann" }, { kind: "bot", level: "recruit" }] });
    await sitDown(page, server, game, [0]);
    await page.route("**/replay", (route) => route.abort(), { times: 1 });
    await resign(page);
    await page.getByTestId("count-again").click();
    await page.getByTestId("luck").nth(1).waitFor();
    assert.equal(await page.getByTestId("count-again").count(), 0, size);
  });
});

test("the next level is offered to who plays alone, and not where it would be decided for others", async () => {
  const game = await server.create({ map: "duel6", rules: await short(), seats: [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }, { kind: "bot", level: "recruit" }] });
  await everySize(open, async ({ page, size }) => {
    await page.goto(link(game, 0));
    if (size === "phone") await resign(page);
    const other = await open();
    await other.page.goto(link(game, 1));
    if (size === "phone") await resign(other.page);
    await page.getByTestId("rematch").waitFor();
    await page.getByTestId("luck").first().waitFor();
    assert.equal(await page.getByTestId("next-level").count(), 0, size);
    await other.context.close();
  });
});

test("no key closes the question who one is, on any screen", async () => {
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Player 2" }] });
    await page.goto(link(game, 1));
    const dialog = page.getByTestId("join");
    await dialog.waitFor();
    for (let n = 0; n < 5; n += 1) {
      await page.keyboard.press("Escape");
      await page.waitForTimeout(50);
    }
    assert.ok(await dialog.evaluate((element) => element.open && element.matches(":modal")), size);
    // Browsers that close it all the same, by a gesture, find it open again.
    await dialog.evaluate((element) => element.close());
    await page.waitForFunction(() => document.querySelector('[data-testid="join"]').matches(":modal"));
    await page.getByTestId("join-name").fill("Ben");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
  });
});

test("a name that was on its way when the server died arrives when it is back", async (t) => {
  const mortal = await new Server().start();
  t.after(() => mortal.stop());
  await everySize((options) => person(browser, mortal, options), async ({ page, size }) => {
    const game = await mortal.create({ map: "duel6", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Player 2" }] });
    await page.goto(`${mortal.url}/#/game/${game.id}?token=${game.seats[1].token}`);
    await page.getByTestId("join-name").fill("Ben");
    // It hears the name no more, and dies with it.
    mortal.process.kill("SIGSTOP");
    await page.getByTestId("join-go").click();
    await mortal.kill();
    await page.getByTestId("join-fault").getByText("Connection lost").waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
    await mortal.start();
    await page.getByTestId("join").waitFor({ state: "detached" });
    await page.locator("[data-seat='1']").getByText("Ben").waitFor();
    assert.equal((await mortal.get(`/api/games/${game.id}`)).seats[1].name, "Ben", size);
  });
});

test("a second link of one game opens its own seat in the same window, and both people are asked once", async () => {
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: "lux", seats: ["Player 1", "Player 2"].map((name) => ({ kind: "remote", name })) });
    for (const [seat, name] of [[0, "Ann"], [1, "Ben"]]) {
      await page.goto(link(game, seat));
      await page.getByText(`You are Player ${seat + 1}, `).waitFor();
      await page.getByTestId("join-name").fill(name);
      await page.getByTestId("join-go").click();
      await page.getByTestId("join").waitFor({ state: "detached" });
    }
    await page.goto(`${server.url}/#/game/${game.id}`);
    await page.locator('[data-state="asked"]').waitFor();
    assert.deepEqual(await page.locator("[data-seat] strong").allInnerTexts(), ["Ann", "Ben"], size);
    assert.equal(await page.getByTestId("join").count(), 0, size);
  });
});

test("who is asked for a name can take back a seat that was opened elsewhere", async () => {
  await everySize(open, async ({ page, context, size }) => {
    const game = await server.create({ map: "duel6", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Player 2" }] });
    await page.goto(link(game, 1));
    await page.getByTestId("join").waitFor();
    const second = await context.newPage();
    await second.goto(link(game, 1));
    await second.getByTestId("join").waitFor();
    await page.getByRole("button", { name: "Take it back" }).click();
    await second.getByText("Opened elsewhere").waitFor();
    await page.getByTestId("join-go").click();
    await page.getByTestId("join").waitFor({ state: "detached" });
    assert.equal(await second.getByTestId("join").count(), 0, size);
  });
});

test("people say something to each other, and who is here and does not move is replaced by a vote of the others, on every screen, and plays on when they like", async () => {
  // Ann, on each screen in turn, would take four minutes; so all four screens sit at one board.
  const people = [];
  for (const options of Object.values(SIZES)) people.push(await open(options));
  const pages = people.map(({ page }) => page);
  const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
  const game = await server.create({ map: "classic", rules, seats: ["Ann", "Ben", "Cy", "Di"].map((name) => ({ kind: "human", name })) });
  for (const [seat, page] of pages.entries()) await page.goto(link(game, seat));
  await pages[0].locator('[data-state="asked"]').waitFor();
  // Meanwhile everybody says something, and everybody hears it.
  for (const [seat, phrase, words] of [[0, "hello", "Hello!"], [1, "thanks", "Thank you!"], [2, "sorry", "Sorry!"], [3, "your_turn", "It is your turn."]]) {
    await pages[seat].getByText("Say …").click();
    await pages[seat].locator(`[data-phrase=${phrase}]`).click();
    for (const page of pages) await page.getByTestId("said").getByText(words).waitFor();
  }
  for (const page of pages.slice(1)) {
    await page.getByTestId("away").getByText("Ann is here but does not move.").waitFor({ timeout: 3 * PATIENCE });
    assert.ok((await overflow(page)) <= 0);
  }
  await pages[1].getByTestId("replace").click();
  await pages[0].getByTestId("pressed").getByText("1 of 2 votes").waitFor();
  for (const page of pages) assert.deepEqual(await seriousFaults(page), []);
  await pages[2].getByTestId("replace").click();
  await pages[0].getByTestId("return").waitFor();
  await pages[3].getByText("Ann did not move; a bot plays until they are back.").waitFor();
  assert.ok((await overflow(pages[0])) <= 0);
  assert.deepEqual(await seriousFaults(pages[0]), []);
  await pages[1].locator('[data-state="asked"]').waitFor();
  await pages[0].getByTestId("return").click();
  await pages[0].getByTestId("return").waitFor({ state: "detached" });
  for (const page of pages.slice(1)) await page.getByTestId("away").waitFor({ state: "detached" });
  assert.equal((await server.get(`/api/games/${game.id}`)).seats[0].hands, "own");
  for (const { check, context } of people) {
    check();
    await context.close();
  }
});

test("a name or colour that is refused can be chosen again, on every screen", async () => {
  await everySize(open, async ({ page, size }) => {
    const seats = [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Player 2" }];
    const game = await server.create({ map: "duel6", rules: "lux", seats });
    await page.goto(link(game, 1));
    await page.getByText("You are Player 2, red").waitFor();
    assert.equal(await page.getByTestId("join-color").evaluate((dot) => dot.style.background), "var(--color-1)");
    await page.getByTestId("join-name").fill("ANN");
    await page.getByTestId("join-go").click();
    await page.getByTestId("join-fault").getByText("Somebody else is called ANN.").waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("join-name").fill("Ben");
    await page.getByRole("radio", { name: "green" }).check({ force: true });
    await page.getByText("You are Ben, green").waitFor();
    assert.ok((await overflow(page)) <= 0);
    await page.getByTestId("join-go").click();
    await page.getByTestId("join").waitFor({ state: "detached" });
    await page.locator("[data-seat='1']").getByText("Ben").waitFor();
    const { name, color } = (await server.get(`/api/games/${game.id}`)).seats[1];
    assert.deepEqual([name, color], ["Ben", 2]);
    await page.reload();
    await page.locator("[data-territory]").first().waitFor();
    assert.equal(await page.getByTestId("join").count(), 0, "he has said who he is");
  });
});

/** In the browser: says who somebody else is, without the page. */
const introduceElsewhere = ([address, introduction]) =>
  new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => socket.send(JSON.stringify({ type: "introduce", ...introduction }));
    socket.onmessage = ({ data }) => {
      const { type, seats } = JSON.parse(data);
      if (type === "seats" && seats.some(({ name }) => name === introduction.name)) resolve();
    };
  });

test("a colour that somebody else takes first is chosen no longer, on any screen", async () => {
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: "lux", seats: ["Player 1", "Player 2"].map((name) => ({ kind: "remote", name })) });
    await page.goto(link(game, 1));
    await page.getByRole("radio", { name: "purple" }).check({ force: true });
    await page.getByText("You are Player 2, purple").waitFor();
    const address = `${server.url.replace("http", "ws")}/api/games/${game.id}/socket?token=${game.seats[0].token}`;
    await page.evaluate(introduceElsewhere, [address, { name: "Ann", color: 4 }]);
    await page.getByText("You are Player 2, red").waitFor();
    assert.ok(await page.getByRole("radio", { name: "red" }).isChecked(), size);
    await page.getByTestId("join-go").click();
    await page.getByTestId("join").waitFor({ state: "detached" });
  });
});

test("the clock waits until everybody who is invited has come", async () => {
  await everySize(open, async ({ page, size }) => {
    const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
    const game = await server.create({ map: "duel6", rules, turn_seconds: 30, seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Ben" }] });
    await sitDown(page, server, game, [0]);
    await page.locator('[data-state="asked"]').waitFor();
    await page.getByText(/Ben has not come yet; the clock waits, at most [45]:\d\d\./).waitFor();
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
