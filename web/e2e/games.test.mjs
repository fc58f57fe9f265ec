// Whole games through the page: by clicks, by keys, with a draft, with a trade.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, keyboard, look, mouse, moved, playOn, tabTo } from "./hands.mjs";
import { launch, person, Server, sitDown } from "./harness.mjs";
import { everySize } from "./sizes.mjs";

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

const people = (...names) => names.map((name) => ({ kind: "human", name }));

test("three people finish a game by clicks, from the form to the result", async () => {
  const { page, context, check } = await person(browser, server);
  await page.goto(server.url);
  await page.locator("select[name=map]").selectOption("duel6");
  await page.locator("select[name=rules]").selectOption("lux");
  await page.getByLabel("Player 2", { exact: true }).selectOption("human");
  await page.getByLabel("Player 3", { exact: true }).selectOption("human");
  await page.getByText("More: every rule").click();
  await page.getByLabel("Seed").fill("7");
  await page.getByLabel("Turn limit").first().check();
  await page.getByRole("button", { name: "Start game" }).click();
  await page.locator("[data-territory]").first().waitFor();

  const over = await playOn(page, mouse(page), await server.get("/api/maps/duel6"));
  assert.match(over.prompt, /(won|shared the win)/);
  assert.match(await page.getByLabel("Moves").innerText(), /\w/);
  check();
  await context.close();
});

test("three people finish a game by keyboard alone, from the form to the result", async () => {
  const { page, context, check } = await person(browser, server);
  await page.goto(server.url);
  await page.locator(".preview path").first().waitFor();
  for (const [field, keys] of [
    ['select[name="map"]', "triangle3"],
    ['[aria-label="Player 2"]', "Person here"],
    ['[aria-label="Player 3"]', "Person here"],
    ['select[name="rules"]', "lux"],
    ["summary", " "],
    ['input[name="seed"]', "3"],
  ]) {
    await tabTo(page, field);
    if (!(await page.evaluate(() => document.activeElement.tagName === "SELECT"))) await page.keyboard.type(keys);
    else await chooseByArrows(page, keys);
  }
  await page.keyboard.press("Enter");
  await page.locator("[data-territory]").first().waitFor();
  const over = await playOn(page, keyboard(page), await server.get("/api/maps/triangle3"));
  assert.match(over.prompt, /(won|shared the win)/);
  check();
  await context.close();
});

/** Goes down the focused list to what begins so. Typing the word would do too, but letters count as one word only if they come quickly. */
async function chooseByArrows(page, beginning) {
  await page.keyboard.press("Home");
  for (let n = 0; n < 40; n += 1) {
    if (await page.evaluate((words) => document.activeElement.selectedOptions[0].textContent.startsWith(words), beginning)) return;
    await page.keyboard.press("ArrowDown");
  }
  assert.fail(`${beginning} cannot be chosen by arrow keys`);
}

test("arrow keys walk over the board, Escape takes a selection back, ? explains the keys", async () => {
  const { page, context, check } = await person(browser, server);
  const game = await server.create({ map: "classic", rules: "sampling", seats: people("Ann", "Ben"), seed: "1" });
  await sitDown(page, server, game, [0, 1]);
  await asked(page);
  await page.keyboard.press("b");
  const at = () => page.evaluate(() => document.activeElement?.dataset?.territory);
  const first = await at();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await at(), first);
  await page.keyboard.press("n");
  await page.keyboard.press("Enter");
  assert.match((await look(page)).primary, /Place 1 army/);
  await page.keyboard.press("Escape");
  assert.equal((await look(page)).primary, "Place");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByRole("radio", { name: "Keys" }).check({ force: true });
  await page.getByRole("dialog").getByText("go: the main button").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  check();
  await context.close();
});

test("an attack: odds on the target, dice of one roll, and rolls until some are left", async () => {
  const { page, context, check } = await person(browser, server);
  const rules = await server.rules("classic", { start: "deal", placement: "even" });
  const game = await server.create({ map: "classic", rules, seats: [...people("Ann", "Ben", "Cy")], seed: "12" });
  await sitDown(page, server, game, [0, 1, 2]);
  const map = await server.get("/api/maps/classic");
  const hands = mouse(page);
  const see = await playOn(page, hands, map, { stop: ({ primary }) => primary.startsWith("Attack") });
  const { territories } = see;
  const from = territories.findIndex(({ isChoosable, armies }) => isChoosable && armies === Math.max(...territories.map((t) => (t.isChoosable ? t.armies : 0))));
  const to = map.territories[from].neighbors.find((i) => territories[i].owner !== territories[from].owner);

  await hands.pick(from);
  await hands.hover(to);
  assert.match(await page.getByTestId("odds").innerText(), /\d+ % to win/);
  await hands.pick(to);
  await page.getByRole("radio", { name: "Once" }).check({ force: true });
  await hands.act();
  await page.getByLabel("Attacker's dice").locator("svg").first().waitFor();
  const once = await asked(page);
  const lost = territories[from].armies - once.territories[from].armies;
  assert.ok(lost >= 0 && lost <= 2, "one roll costs two armies at most");

  if (once.primary.startsWith("Attack")) {
    await page.getByRole("radio", { name: "Until" }).check({ force: true });
    await page.getByLabel("Armies left").fill("3");
    await hands.act();
    await moved(page, once);
    const until = await asked(page);
    assert.ok(until.territories[from].armies <= 3 || until.territories[to].owner === territories[from].owner);
  }
  check();
  await context.close();
});

test("the dice of a battle do not come back once another target or origin was chosen, on any screen", async () => {
  const map = await server.get("/api/maps/classic");
  const rules = await server.rules("classic", { start: "deal", placement: "even" });
  const enemies = (territories, from) => map.territories[from].neighbors.filter((i) => territories[i].owner !== territories[from].owner);
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    const game = await server.create({ map: "classic", rules, seats: people("Ann", "Ben", "Cy"), seed: "12" });
    await sitDown(page, server, game, [0, 1, 2]);
    const hands = mouse(page);
    const dice = page.getByLabel("Attacker's dice");
    await playOn(page, hands, map, { stop: ({ primary }) => primary.startsWith("Attack") });
    await page.getByRole("radio", { name: "Once" }).check({ force: true });
    for (const other of ["target", "origin"]) {
      const see = await asked(page);
      const { territories } = see;
      const most = (best, { isChoosable, owner, armies }, i) => (isChoosable && owner === see.mover && enemies(territories, i).length > 1 && armies > (territories[best]?.armies ?? 1) ? i : best);
      const from = territories.reduce(most, -1);
      const [to, another] = enemies(territories, from).sort((a, b) => territories[b].armies - territories[a].armies);
      if (!territories[from].label.includes("Selected origin")) await hands.pick(from);
      await hands.pick(to);
      await hands.act();
      await moved(page, see);
      const { territories: now } = await asked(page);
      await dice.waitFor();
      const elsewhere = now.findIndex(({ isChoosable, owner }, i) => isChoosable && owner === see.mover && i !== from);
      await hands.pick(other === "target" ? another : elsewhere);
      await dice.waitFor({ state: "detached" });
      for (let n = 0; n < 2; n += 1) await page.keyboard.press("Escape");
      await page.waitForFunction(() => document.querySelector('[data-testid="forecast"]') === null);
      assert.equal(await dice.count(), 0, `another ${other} on a ${size}`);
    }
  });
});

test("a draft: free territories are claimed in turn with two bots", async () => {
  const { page, context, check } = await person(browser, server);
  const [level] = await server.get("/api/levels");
  const bot = { kind: "bot", level: level.id };
  const game = await server.create({ map: "duel6", rules: "draft", seats: [...people("Ann"), bot, bot], seed: "5" });
  await sitDown(page, server, game, [0]);
  const first = await asked(page);
  assert.match(first.primary, /^Claim/);
  const after = await playOn(page, mouse(page), await server.get("/api/maps/duel6"), { stop: (see) => !see.primary?.startsWith("Claim") });
  assert.equal(after.territories.filter(({ owner }) => owner === 0).length, 2);
  assert.ok(after.territories.every(({ owner }) => owner >= 0));
  check();
  await context.close();
});

test("capitals are chosen, shown and fought for to the end, on every screen", async () => {
  const map = await server.get("/api/maps/duel6");
  const rules = await server.rules("lux", { placement: "even", victory: { capitals: { hold: 2, "extra-die": true } }, end: { "turn-limit": 6, "tie-breaks": ["territories", "armies"] } });
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules, seats: people("Ann", "Ben"), seed: "5" });
    await sitDown(page, server, game, [0, 1]);
    const begun = await playOn(page, mouse(page), map, { stop: ({ primary }) => primary?.startsWith("Place") });
    assert.ok(!begun.isOver, size);
    assert.equal(await page.locator(".counters .capital").count(), 2, `both capitals are marked on a ${size}`);
    const over = await playOn(page, mouse(page), map);
    assert.match(over.prompt, /(won|shared the win)/, size);
  });
});

test("a card trade: a conquest a turn until a set is full, then armies for it", async () => {
  const { page, context, check } = await person(browser, server);
  // Enough wild cards to make nearly any three a set.
  const { cards: usual } = await server.rules("lux");
  const rules = await server.rules("lux", { placement: "even", cards: { ...usual, wild: 40 } });
  const game = await server.create({ map: "classic", rules, seats: people("Ann", "Ben"), seed: "2" });
  await sitDown(page, server, game, [0, 1]);
  // One conquest brings a card; more would only make the game longer.
  let hasConquered = false;
  let nHandOvers = 0;
  const before = async (see) => {
    if (see.primary.startsWith("I am")) {
      nHandOvers += 1;
      assert.equal(await page.getByLabel("Your cards").count(), 0, "no card is shown before the screen has changed hands");
    }
    if (/^(Place|I am)/.test(see.primary)) hasConquered = false;
    if (see.prompt.includes("move in")) hasConquered = true;
    return { mayAttack: !hasConquered };
  };
  const map = await server.get("/api/maps/classic");
  await playOn(page, mouse(page), map, { stop: (see) => see.primary?.startsWith("Trade"), before });

  assert.ok(nHandOvers > 0);
  const hand = page.getByLabel("Your cards");
  const n = await hand.getByRole("listitem").count();
  assert.ok(n >= 3, `${n} cards`);
  await page.getByRole("button", { name: "Select a set" }).click();
  assert.equal(await hand.locator('button[aria-pressed="true"]').count(), 3);
  await page.getByTestId("primary").click();
  await page.waitForFunction((held) => document.querySelectorAll('[aria-label="Your cards"] li').length === held - 3, n);
  check();
  await context.close();
});
