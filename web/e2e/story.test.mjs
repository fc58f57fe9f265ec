// The log as a story, the card at the end, the record of this browser, and the guided first game.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, mouse, playOn } from "./hands.mjs";
import { launch, person, seriousFaults, Server, sitDown } from "./harness.mjs";
import { everySize, overflow, SIZES } from "./sizes.mjs";

let server;
let browser;
let map;
let levels;
before(async () => {
  server = await new Server().start();
  browser = await launch();
  map = await server.get("/api/maps/duel6");
  levels = await server.get("/api/levels");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const ANN = { kind: "human", name: "Ann" };
const bots = (n) => Array.from({ length: n }, () => ({ kind: "bot", level: levels[0].id }));
const short = (turns) => server.rules("lux", { placement: "even", "first-player": "seat", end: { "turn-limit": turns, "tie-breaks": ["territories", "armies"] } });

test("the log has rounds, turns and one line a battle; it can be filtered, shown on the board and shown again", async () => {
  const { page, context, check } = await person(browser, server);
  const game = await server.create({ map: "classic", rules: await short(9), seats: [ANN, ...bots(2)], seed: "6" });
  await sitDown(page, server, game, [0]);
  const classic = await server.get("/api/maps/classic");
  let n = 0;
  await playOn(page, mouse(page), classic, {
    before: (see) => ({ mayAttack: see.primary?.startsWith("Attack") ? (n += 1) < 4 : true }),
    stop: (see) => see.round >= 3 && see.primary?.startsWith("Place"),
  });
  const log = page.getByLabel("Moves");
  const headings = await log.getByRole("heading", { level: 3 }).allInnerTexts();
  assert.ok(headings.includes("Round 2"), headings.join());
  const battles = await log.locator('li[data-kind="battle"]').allInnerTexts();
  assert.ok(battles.length > 0);
  for (const line of battles) assert.match(line, /^.+ (beats|holds against) .+: \d+ against \d+, lost \d+/);
  assert.match(await log.innerText(), /places \d+ in/);

  const all = await log.locator("li").count();
  await page.getByTestId("log-filter").selectOption({ label: "Ann" });
  const own = await log.locator("li").count();
  assert.ok(own > 0 && own < all, `${own} of ${all} lines are about Ann`);
  await page.getByTestId("log-filter").selectOption("");

  await log.locator('li[data-kind="battle"] button').last().click();
  assert.ok((await page.locator("path.touched[d]").count()) > 0, "the line shows its place on the board");

  const since = page.getByTestId("since");
  assert.match(await since.innerText(), /Since your last turn/);
  await since.getByRole("button", { name: "Show again" }).click();
  await page.locator('[data-state="waiting"]').waitFor();
  await page.getByRole("button", { name: /^Skip/ }).first().click();
  await asked(page);
  assert.deepEqual(await seriousFaults(page), []);
  check();
  await context.close();
});

test("on every screen the log is a story, filtered, shown on the board and shown again", async () => {
  const rules = await short(9);
  await everySize((options) => person(browser, server, options), async ({ page, size, options }) => {
    const game = await server.create({ map: "duel6", rules, seats: [ANN, ...bots(1)], seed: "3" });
    await sitDown(page, server, game, [0]);
    await playOn(page, mouse(page), map, { before: () => ({ mayAttack: true }), stop: (see) => see.isOver || (see.round >= 2 && see.primary?.startsWith("Place")) });
    const log = page.getByLabel("Moves");
    for (const line of await log.locator('li[data-kind="battle"]').allInnerTexts()) assert.match(line, /^.+ (beats|holds against) .+: \d+ against \d+, lost \d+/, size);
    assert.ok((await log.getByRole("heading", { level: 3 }).allInnerTexts()).includes("Round 1"), size);
    const turns = (await log.getByRole("heading", { level: 4 }).allInnerTexts()).map((words) => words.trim());
    assert.deepEqual([...new Set(turns)], ["Ann", game.seats[1].name], `a heading for each turn, on a ${size}`);
    const all = await log.locator("li").count();
    await page.getByTestId("log-filter").selectOption({ label: "Ann" });
    const own = await log.locator("li").count();
    assert.ok(own > 0 && own < all, `${own} of ${all} lines are about Ann, on a ${size}`);
    await page.getByTestId("log-filter").selectOption("");
    const line = log.locator("li button").last();
    await (options.hasTouch ? line.tap() : line.click());
    assert.ok((await page.locator("path.touched[d]").count()) > 0, `the line shows its place on the board, on a ${size}`);
    await page.getByTestId("since").getByRole("button", { name: "Show again" }).click();
    await page.locator('[data-state="waiting"]').waitFor();
    await asked(page);
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

test("on every screen the log tells eliminations with their cards, trades with their worth, and continents taken and lost", async () => {
  const rivals = ["killbot", "quo", "boscoe"].map((spec) => ({ kind: "bot", spec }));
  const game = await server.create({ map: "classic", rules: "lux", seats: rivals, seed: "9" });
  await server.playedOut(game);
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    await page.goto(`${server.url}/#/replay/${game.id}`);
    const scrubber = page.getByTestId("scrubber");
    await scrubber.waitFor();
    await scrubber.fill(await scrubber.getAttribute("max"));
    const log = page.getByLabel("Moves");
    const earlier = page.getByRole("button", { name: "Show earlier" });
    for (let n = 0; n < 100 && (await earlier.count()) > 0; n += 1) await earlier.click();
    const words = await log.innerText();
    for (const line of [/eliminates \S+ and takes \d+ cards?/, /trades .+, .+ and .+ for \d+ armies/, /takes [A-Z].+ \(\+\d+\)/, /\S+ loses [A-Z].+ \(\+\d+\)/, /draws a card/]) assert.match(words, line, size);
    const before = await scrubber.inputValue();
    await log.locator("li button").filter({ hasText: /eliminates/ }).first().click();
    assert.notEqual(await scrubber.inputValue(), before, `the line leads to its moment, on a ${size}`);
  });
});

/** In the browser: looks at every frame that is painted whether the panel of the players agrees with the board and with the log, and keeps what does not. */
function watchTogether({ continents, income: { divisor, minimum } }) {
  window.disagreements = [];
  window.counted = new Set();
  const lines = (kind) => document.querySelectorAll(`li[data-kind="${kind}"]`).length;
  const incomeOf = (board, seat, land) => {
    const held = continents.filter(({ territories }) => territories.every((place) => board[place][0] === seat));
    return Math.max(minimum, Math.floor(land / divisor)) + held.reduce((sum, { bonus }) => sum + bonus, 0);
  };
  const look = () => {
    let nCards = 0;
    const board = [...document.querySelectorAll("[data-territory]")].map(({ dataset }) => [Number(dataset.owner), Number(dataset.armies)]);
    for (const row of document.querySelectorAll("[data-seat]")) {
      const own = board.filter(([owner]) => owner === Number(row.dataset.seat));
      const [land, armies, income, cards] = [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent));
      nCards += cards;
      const due = incomeOf(board, Number(row.dataset.seat), own.length);
      if (own.length > 0 && income !== due) window.disagreements.push(`seat ${row.dataset.seat}: income of ${income} and not ${due}`);
      const sum = own.reduce((total, [, n]) => total + n, 0);
      if (land !== own.length || armies !== sum) window.disagreements.push(`seat ${row.dataset.seat}: ${land} and ${armies} beside ${own.length} and ${sum}`);
      window.counted.add(row.textContent);
    }
    const nDrawn = lines("card") - 3 * lines("trade");
    if (nCards !== nDrawn) window.disagreements.push(`${nCards} cards beside ${nDrawn} in the log`);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

test("counts, cards and income change together with the board, and no dice of an old battle are shown, on every screen", async () => {
  const rules = await short(6);
  await everySize((options) => person(browser, server, options), async ({ page, context, size }) => {
    await context.addInitScript(() => localStorage.setItem("hegemon.preferences", JSON.stringify({ speed: "rapid", attack: "end", threshold: 0 })));
    const game = await server.create({ map: "duel6", rules, seats: [ANN, ...bots(1)], seed: "3" });
    await sitDown(page, server, game, [0]);
    await page.evaluate(watchTogether, { continents: map.continents, income: rules.income });
    await playOn(page, mouse(page), map, { stop: (see) => see.round >= 2 && see.primary?.startsWith("Place") });
    assert.equal(await page.getByLabel("Attacker's dice").count(), 0, "placing shows no dice");
    const [disagreements, counted] = await page.evaluate(() => [window.disagreements, window.counted.size]);
    assert.deepEqual(disagreements, [], size);
    assert.ok(counted > 6, `${counted} rows of the panel were seen on a ${size}`);
    assert.ok((await page.locator('li[data-kind="card"]').count()) > 0, `a card was drawn on a ${size}`);
  });
});

for (const [size, options] of Object.entries(SIZES)) {
  test(`the end is a card with places, luck and a rematch, on a ${size}`, async () => {
    const { page, context, check } = await person(browser, server, options);
    const game = await server.create({ map: "duel6", rules: await short(2), seats: [ANN, ...bots(1)], seed: "5" });
    await sitDown(page, server, game, [0]);
    await playOn(page, mouse(page), map);
    const card = page.getByTestId("end-card");
    await card.getByTestId("luck").first().waitFor();
    const words = await card.innerText();
    assert.match(words, /You win!|Place 2 of 2/);
    for (const luck of await card.getByTestId("luck").allInnerTexts()) assert.match(luck, /^([+−]\d+\.\d|–)$/);
    assert.equal(await card.locator("tbody tr").count(), 2);
    assert.equal(await card.locator("figure").count(), 2, "two charts");
    assert.deepEqual(await card.locator("thead th").allInnerTexts(), ["Place", "Player", "Conquests", "Lost", "Luck"]);
    assert.equal(await card.getByRole("link", { name: "Replay" }).getAttribute("href"), `#/replay/${game.id}`);
    const record = card.getByTestId("record");
    assert.match(await record.innerText(), /Your rating: [+−]?\d+ \([+−]?\d+ to [+−]?\d+\), from 1 game\./);
    assert.match(await record.innerText(), /[01] of 1 game won/);
    assert.ok((await overflow(page)) <= 0);
    assert.deepEqual(await seriousFaults(page), []);

    await card.getByRole("button", { name: "See the board" }).click();
    await card.waitFor({ state: "hidden" });
    await page.getByTestId("result").click();
    await page.getByTestId("rematch").click();
    await page.waitForFunction((id) => !location.hash.includes(id), game.id);
    const next = await asked(page);
    assert.ok(!next.isOver);
    assert.deepEqual(await page.locator("[data-seat] strong").allInnerTexts(), ["Ann", game.seats[1].name]);
    check();
    await context.close();
  });
}

test("the next level is one level harder", async () => {
  const rules = await short(1);
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules, seats: [ANN, ...bots(1)], seed: "5" });
    await sitDown(page, server, game, [0]);
    await playOn(page, mouse(page), map);
    await page.getByTestId("next-level").click();
    await page.waitForFunction((id) => !location.hash.includes(id), game.id);
    await asked(page);
    assert.deepEqual(await page.locator("[data-seat] strong").allInnerTexts(), ["Ann", levels[1].name], size);
  });
});

test("the end tells who eliminated whom and when", async () => {
  // One against six armies each: Ann is gone in the first round.
  const rules = await server.rules("lux", { placement: "even", "first-player": "seat", "initial-armies": { "by-players": [6, 6, 6, 6, 6] } });
  rules.income = { ...rules.income, minimum: 60 };
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules, seats: [ANN, { kind: "bot", spec: "killbot" }], seed: "5" });
    await sitDown(page, server, game, [0]);
    await playOn(page, mouse(page), map, { before: () => ({ mayAttack: false }) });
    const card = page.getByTestId("end-card");
    await card.getByText(/eliminated by \S.* in round \d+/).waitFor();
    assert.match(await card.innerText(), /still there/, size);
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

test("who has resigned has not won, whatever the bot made of it", async () => {
  // All armies of the first turn are Ann's, or those of the bot that plays for her.
  const rules = await short(1);
  rules.income = { ...rules.income, minimum: 60 };
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules, seats: [ANN, ...bots(1)], seed: "5" });
    await sitDown(page, server, game, [0]);
    await page.getByTestId("resign").click();
    await page.getByTestId("resign-yes").click();
    const card = page.getByTestId("end-card");
    await card.getByRole("heading", { level: 2, name: "You resigned" }).waitFor();
    assert.match(await card.innerText(), /Ann won/, `the bot wins for her, on a ${size}`);
    const { y, height } = await card.getByRole("heading", { level: 2, name: "You resigned" }).boundingBox();
    assert.ok(y >= 0 && y + height <= page.viewportSize().height, `the head of the card is on the screen of a ${size}`);
    await card.getByTestId("record").getByText("0 of 1 game won").waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

for (const [size, options] of Object.entries(SIZES)) test(`a first game is guided from the first army to the end, on a ${size}`, async (t) => {
  const { page, context, check } = await person(browser, server, options);
  await page.goto(server.url);
  const link = page.getByTestId("first-game");
  const { y, height } = await link.boundingBox();
  assert.ok(y + height <= options.viewport.height, "whoever opens the page sees that there is a first game");
  await (options.hasTouch ? link.tap() : link.click());
  await page.getByRole("heading", { level: 1, name: "Your first game" }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator("[data-territory]").first().waitFor();
  const steps = new Set();
  let n = 0;
  const note = async () => {
    n += 1;
    steps.add(await page.getByTestId("guide").getAttribute("data-step"));
    return {};
  };
  await playOn(page, mouse(page), map, { before: note });
  await note();
  t.diagnostic(`${n} decisions; steps: ${[...steps].join(", ")}`);
  for (const step of ["guide.place", "guide.attack", "guide.over"]) assert.ok(steps.has(step), step);
  assert.ok(n < 40, "about a minute");
  assert.ok((await overflow(page)) <= 0);
  check();
  await context.close();
});

test("help tells the rules of this game", async () => {
  const game = await server.create({ map: "classic", rules: "classic", seats: [ANN, ...bots(2)], seed: "6" });
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    await sitDown(page, server, game, [0]);
    await page.getByRole("button", { name: /^Help/ }).click();
    const words = await page.getByRole("dialog").innerText();
    for (const sentence of ["Whoever conquers every territory wins.", "The next sets are worth 4, 6, 8, 10, 12 armies.", "Asia +7", "Once, armies may be moved to a neighbouring territory"]) assert.ok(words.includes(sentence), `${sentence} on a ${size}`);
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

test("levels have plain names, a rating, a style and a sentence; specs and seeds are behind a word", async () => {
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    await page.goto(server.url);
    const level = page.getByLabel("Level of player 2");
    await level.selectOption("hegemon");
    const row = page.locator("li").filter({ has: level });
    assert.match(await row.innerText(), /The champion: looks ahead[^]*Rating [+−]\d+ \([+−]\d+ to [+−]\d+\)/, size);
    const names = await level.locator("option").allInnerTexts();
    assert.match(names[0], /easy/i);
    assert.ok(names.every((name) => !/[(=]/.test(name)), names.join());
    assert.equal(await page.locator("input[name=seed]").isVisible(), false, "the seed is behind “more”");
    await page.getByText("More: every rule").click();
    assert.equal(await page.locator("input[name=seed]").isVisible(), true);
    const start = await page.getByRole("button", { name: "Start game" }).boundingBox();
    assert.ok(start.y + start.height <= page.viewportSize().height, `the button is on the screen of a ${size}`);
  });
});
