// Two phones and a desktop in one game: one leaves, a bot takes over, he comes back. Names, colours, phrases, resigning,
// the clock, invitations and the list of games.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { asked, decide, look, mouse, moved, playOn } from "./hands.mjs";
import { launch, PATIENCE, person, seriousFaults, Server, sitDown } from "./harness.mjs";
import { everySize, overflow, SIZES } from "./sizes.mjs";
import { assertOwnCards, eventsOf, handsByEvent, messagesOf, tapWires, watchedBy } from "./wires.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const FLAT_PHONE = { viewport: { width: 844, height: 390 }, hasTouch: true };
const DESKTOP = { viewport: { width: 1366, height: 768 } };

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

/** A picture for whoever wants to look, if a folder is named. */
async function picture(page, name) {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/** Plays for whichever of these pages is asked, until `stop` says so. One conquest a turn brings a card; more would only take longer. */
async function playTogether(pages, map, stop, most = 300) {
  let hasConquered = false;
  for (let n = 0; n < most; n += 1) {
    if (await stop()) return;
    const seat = await Promise.race(pages.map((page, i) => asked(page).then(() => i)));
    const see = await look(pages[seat]);
    assert.ok(!see.isOver, "the game ended too early");
    if (see.primary?.startsWith("Place")) hasConquered = false;
    if (see.prompt.includes("move in")) hasConquered = true;
    await decide(pages[seat], mouse(pages[seat]), map, see, { n, mayAttack: !hasConquered });
    await moved(pages[seat], see);
  }
  assert.fail("it did not come to that");
}

const board = async (page) => (await look(page)).territories.map(({ owner, armies }) => [owner, armies]);

test("one of three leaves, a bot plays for him, and he comes back; no card is ever on the wrong wire", async (t) => {
  const [ann, ben, cy] = [await person(browser, server, DESKTOP), await person(browser, server, PHONE), await person(browser, server, FLAT_PHONE)];
  const watcher = await person(browser, server, SIZES.tablet);
  const wires = [ann, ben, cy].map(({ page }) => tapWires(page));
  const watched = tapWires(watcher.page);
  const rules = await server.rules("lux", { placement: "even", end: { "turn-limit": 12, "tie-breaks": ["territories", "armies"] } });
  const game = await server.create({ map: "classic", rules, seats: ["Ann", "Player 2", "Player 3"].map((name) => ({ kind: "remote", name })) });
  const link = (seat) => `${server.url}/#/game/${game.id}?token=${game.seats[seat].token}`;

  await watcher.page.goto(`${server.url}/#/game/${game.id}`);
  await watcher.page.locator("[data-territory]").first().waitFor();
  // Each says who he is; a colour that another person has is not offered.
  await ann.page.goto(link(0));
  await ann.page.getByTestId("join-go").click();
  await ben.page.goto(link(1));
  await ben.page.getByTestId("join-name").fill("Ben");
  await ben.page.getByText("You are Ben, red").waitFor();
  await picture(ben.page, "join-390x844");
  assert.deepEqual(await seriousFaults(ben.page), []);
  assert.equal(await ben.page.getByRole("radio", { name: "blue" }).count(), 0, "Ann is blue");
  await ben.page.getByRole("radio", { name: "purple" }).check({ force: true });
  await ben.page.getByText("You are Ben, purple").waitFor();
  assert.equal(await ben.page.getByTestId("join-color").evaluate((dot) => dot.style.background), "var(--color-4)");
  await ben.page.getByTestId("join-go").click();
  await cy.page.goto(link(2));
  await cy.page.getByTestId("join-name").fill("Cy");
  await cy.page.getByTestId("join-go").click();
  const pages = [ann.page, ben.page, cy.page];
  for (const page of pages) {
    await page.locator("[data-seat='1']").getByText("Ben").waitFor();
    await page.locator("[data-seat='2']").getByText("Cy").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.style.getPropertyValue("--seat-1")), "var(--color-4)");
  }

  // Phrases come to everybody.
  await ann.page.getByText("Say …").click();
  await ann.page.locator("[data-phrase=good_luck]").click();
  for (const page of [ben.page, cy.page]) await page.getByTestId("said").getByText("Good luck!").waitFor();

  const map = await server.get("/api/maps/classic");
  const cards = (page) => page.getByLabel("Your cards").getByRole("listitem").count();
  await playTogether(pages, map, async () => (await cards(ben.page)) > 0 && (await cards(ann.page)) > 0);
  const hand = await ben.page.getByLabel("Your cards").getByRole("listitem").allTextContents();

  // Ben leaves; two of the two others want a bot to play.
  await ben.page.close();
  await ann.page.getByTestId("away").waitFor();
  await picture(ann.page, "away-1366x768");
  assert.deepEqual(await seriousFaults(ann.page), []);
  // Who has only just left may be loading his page again: until then a vote is answered by a sentence.
  const votes = ann.page.getByText("1 of 2 votes");
  for (let tries = 0; tries < 20 && !(await votes.isVisible()); tries += 1) {
    await ann.page.getByTestId("replace").click();
    await votes.or(ann.page.getByText("has only just left")).first().waitFor();
    await ann.page.waitForTimeout(500);
  }
  await votes.waitFor();
  await cy.page.getByTestId("replace").click();
  await ann.page.getByText("Ben is away; a bot plays until they are back.").waitFor();
  await picture(cy.page, "stand-in-844x390");
  const heardBefore = wires[0].length;
  const botDrew = () => eventsOf(wires[0].slice(heardBefore)).some(({ kind, seat }) => kind === "card" && seat === 1);
  await playTogether([ann.page, cy.page], map, botDrew);

  // He comes back, finds the game on the start page, and it is his seat again.
  const back = await ben.context.newPage();
  wires.push(tapWires(back));
  await back.goto(server.url);
  await back.getByTestId("unfinished").getByRole("link", { name: /Play on/ }).click();
  await back.locator("[data-territory]").first().waitFor();
  assert.equal(await back.getByTestId("join").count(), 0, "he has said who he is");
  await ann.page.getByTestId("away").waitFor({ state: "detached" });
  await playTogether([ann.page, back, cy.page], map, async () => (await look(back)).primary !== null && messagesOf(wires[3]).some(({ type, choose }) => type === "state" && choose !== null));
  await picture(back, "back-390x844");
  await asked(ann.page).catch(() => undefined);
  await ann.page.waitForFunction(() => true);
  assert.deepEqual(await board(back), await board(ann.page), "both see one board");
  assert.ok(hand.length > 0);

  // Bots play the rest; then the record tells who held which card, and when.
  for (const page of [ann.page, back, cy.page]) {
    await page.getByTestId("resign").click();
    await page.getByTestId("resign-yes").click();
  }
  for (const page of [ann.page, back, cy.page, watcher.page]) await page.getByTestId("end-card").waitFor({ timeout: 2 * PATIENCE });
  const record = await (await server.ask(`/api/games/${game.id}/record`)).text();
  const hands = handsByEvent(record, eventsOf(watched), 3);
  const whole = watchedBy(watched, (text) => text.replaceAll("Player 2", "Ben").replaceAll("Player 3", "Cy"));
  const compared = wires.map((frames, n) => assertOwnCards(frames, [0, 1, 2, 1][n], whole, hands));
  t.diagnostic(`${compared.join(", ")} hands compared with the record, of ${wires.map(({ length }) => length).join(", ")} frames`);
  assert.ok(Math.min(...compared) > 0 && Math.max(...[...hands.values()].flat().map(({ length }) => length)) > 1, "there were cards to be seen");
  for (const text of watched) assert.deepEqual(JSON.parse(text).view?.cards ?? [], [], "who watches sees no card");
  // The check itself notices a single card that is not the seat's own, wherever it stands.
  const [seq, [, foreign]] = [...hands].find(([, [own, other]]) => own.length > 0 && other.length > 0);
  const state = wires[0].findLast((text) => text.startsWith('{"type":"state"') && JSON.parse(text).seq >= seq);
  for (const forged of [state.replace('"cards":[', `"cards":["${foreign[0]}",`), state.replace(/}$/, `,"x":"${foreign[0]}"}`), `{"type":"pong","of":"${foreign[0]}"}`]) {
    assert.throws(() => assertOwnCards([forged], 0, whole, hands), forged.slice(0, 40));
  }
  // Nothing was lost: events that anybody saw are numbered without a gap.
  for (const frames of wires) {
    const seqs = eventsOf(frames).map((event) => event.seq);
    for (let i = 1; i < seqs.length; i += 1) assert.ok(seqs[i] === seqs[i - 1] + 1 || seqs[i] <= seqs[i - 1], `${seqs[i - 1]} then ${seqs[i]}`);
  }
  // Who was away is told all that he missed.
  const told = new Set(eventsOf(wires[3]).map((event) => event.seq));
  const seen = Math.max(...eventsOf(wires[1]).map((event) => event.seq));
  for (const event of eventsOf(wires[0])) assert.ok(event.seq <= seen || told.has(event.seq), `event ${event.seq}`);
  for (const one of [ann, cy, watcher]) one.check();
  for (const one of [ann, ben, cy, watcher]) await one.context.close();
});

const open = (options) => person(browser, server, options);

test("who resigns is played by a bot, and may watch", async () => {
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }] });
    await page.goto(`${server.url}/#/game/${game.id}?token=${game.seats[0].token}`);
    await page.getByTestId("resign").click();
    await picture(page, `resign-${size}`);
    await page.getByTestId("resign-yes").click();
    await page.getByTestId("resigned").waitFor();
    const state = await server.get(`/api/games/${game.id}`);
    assert.equal(state.seats[0].hands, "resigned");
  });
});

test("where several people share a screen, who was asked resigns, though another's turn has begun", async () => {
  const map = await server.get("/api/maps/duel6");
  const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules, seats: ["Ann", "Ben", "Cy"].map((name) => ({ kind: "human", name })) });
    await sitDown(page, server, game, [0, 1, 2]);
    await asked(page);
    await page.getByTestId("resign").click();
    await page.getByText("A bot will play on for Ann.").waitFor();
    await playOn(page, mouse(page), map, { before: () => ({ mayAttack: false }), stop: ({ prompt }) => prompt.startsWith("Ben:") });
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("resign-yes").click();
    await page.getByTestId("resign").waitFor();
    const { seats } = await server.get(`/api/games/${game.id}`);
    assert.deepEqual(seats.map(({ hands }) => hands), ["resigned", "own", "own"], size);
  });
});

test("a turn has its time, which everybody sees beside the board", async () => {
  await everySize(open, async ({ page, size, options }) => {
    await page.goto(server.url);
    await page.locator("select[name=turn-time]").selectOption("30");
    await page.getByRole("button", { name: "Start game" }).click();
    await page.getByTestId("clock").waitFor();
    assert.match(await page.getByTestId("clock").textContent(), /Ann: 0:(30|[0-2]\d) left/, "never more than a turn has");
    await page.locator('[data-state="asked"]').waitFor();
    const { x, y, width, height } = await page.getByTestId("clock").boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= options.viewport.width && y + height <= options.viewport.height, `the clock is on the screen of a ${size}`);
    await picture(page, `clock-${size}`);
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

test("invitations say that only this machine is reached, and how to change that", async () => {
  await everySize(open, async ({ page, size }) => {
    await page.goto(server.url);
    await page.getByLabel("Player 2", { exact: true }).selectOption("remote");
    await page.getByRole("button", { name: "Start game" }).click();
    await page.getByTestId("local-only").getByText("hegemon play --host 0.0.0.0").waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("local-only").scrollIntoViewIfNeeded();
    await picture(page, `local-only-${size}`);
  });
});

test("invitations list the addresses of this machine, and the page opens by the one that is chosen", async (t) => {
  const open = await new Server(["--host", "0.0.0.0"]).start();
  t.after(() => open.stop());
  const { port } = open;
  const local = { url: `http://127.0.0.1:${port}` };
  const { reach } = await (await fetch(`${local.url}/api/about`)).json();
  const own = Object.values(networkInterfaces()).flat().filter(({ family, internal }) => family === "IPv4" && !internal);
  for (const { address } of own) assert.ok(reach.addresses.includes(`http://${address}:${port}`), `${address} in ${reach.addresses}`);
  assert.ok(!reach.addresses.some((address) => address.includes("127.0.0.1") || !address.endsWith(`:${port}`)), reach.addresses.join());
  assert.equal(reach.is_local, false);
  await everySize((options) => person(browser, local, options), async ({ page, size, options }) => {
    const link = await invite(page, local.url);
    if (reach.addresses.length > 1) assert.deepEqual(await page.getByTestId("reach").locator("option").allInnerTexts(), reach.addresses, size);
    assert.equal(await page.getByTestId("local-only").count(), 0);
    if (reach.addresses.length === 0) return;
    assert.ok((await link.inputValue()).startsWith(`${reach.addresses[0]}/#/game/`), await link.inputValue());
    // Somebody else follows the link.
    const guest = await person(browser, { url: reach.addresses[0] }, options);
    await guest.page.goto(await link.inputValue());
    await guest.page.getByTestId("join-go").click();
    await guest.page.locator("[data-territory]").first().waitFor();
    guest.check();
    await guest.context.close();
  });
});

/** Makes a game with a place for somebody elsewhere; answers with the field of its link. */
async function invite(page, url) {
  await page.goto(url);
  await page.getByLabel("Player 2", { exact: true }).selectOption("remote");
  await page.getByRole("button", { name: "Start game" }).click();
  const link = page.getByTestId("invitation");
  await link.waitFor();
  return link;
}

/** Makes a game with a place for somebody elsewhere, and looks at the addresses of its link. */
async function listsAddresses({ page, size }, url, addresses) {
  const link = await invite(page, url);
  const list = page.getByTestId("reach");
  await list.waitFor();
  assert.deepEqual(await list.locator("option").allInnerTexts(), addresses, size);
  for (const address of addresses) {
    await list.selectOption(address);
    assert.ok((await link.inputValue()).startsWith(`${address}/#/game/`), `${await link.inputValue()} on a ${size}`);
  }
  assert.equal(await page.getByTestId("local-only").count(), 0);
  assert.deepEqual(await seriousFaults(page), [], size);
  await list.scrollIntoViewIfNeeded();
  await picture(page, `addresses-${size}`);
}

test("names that the host gives are in the list of addresses, and a link by a name is answered", async (t) => {
  const named = await new Server(["--name", "den.test", "--name", "games.test:8080"]).start();
  t.after(() => named.stop());
  const port = new URL(named.url).port;
  await everySize((options) => person(browser, named, options), (one) => listsAddresses(one, named.url, [`http://den.test:${port}`, "http://games.test:8080"]));
  assert.equal(await statusFor(port, `den.test:${port}`), 200);
  assert.equal(await statusFor(port, "foreign.test"), 403, "no other name is answered");
});

/** The status of an answer to a request under a name. */
const statusFor = (port, host) =>
  new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/api/about", headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });

test("who is away when the time is up is played by a bot, on every screen, and takes the seat back", async () => {
  const names = ["Ann", "Ben", "Cy", "Di"];
  const screens = Object.values(SIZES);
  const people = [];
  // Ben's is a phone; the others see it on a desktop, a tablet and a phone on its side.
  for (const n of [3, 0, 2, 1]) people.push(await open(screens[n]));
  const rules = await server.rules("lux", { placement: "even", "first-player": "seat" });
  const game = await server.create({ map: "classic", rules, turn_seconds: 10, seats: names.map((name) => ({ kind: "remote", name })) });
  const link = (seat) => `${server.url}/#/game/${game.id}?token=${game.seats[seat].token}`;
  const pages = people.map(({ page }) => page);
  const wires = pages.map(tapWires);
  for (const [seat, page] of pages.entries()) {
    await page.goto(link(seat));
    await page.getByTestId("join-go").click();
  }
  for (const page of pages) await page.getByTestId("clock").waitFor();
  // Ben leaves while Ann plays, or while her time runs out; then his own time runs out.
  await pages[1].close();
  for (const seat of [0, 2, 3]) await pages[seat].getByText("Ben is away; a bot plays until they are back.").waitFor({ timeout: 2 * PATIENCE });
  assert.equal((await server.get(`/api/games/${game.id}`)).seats[1].hands, "stand_in");
  for (const seat of [0, 2, 3]) {
    await pages[seat].locator("[data-seat='1']").getByText("away, a bot plays").waitFor();
    assert.ok((await overflow(pages[seat])) <= 0);
    assert.deepEqual(await seriousFaults(pages[seat]), []);
    await picture(pages[seat], `timer-${pages[seat].viewportSize().width}`);
  }
  await pages[2].waitForFunction(() => document.querySelector("[data-seat='1'][aria-current]") === null, null, { timeout: PATIENCE });

  const back = await people[1].context.newPage();
  const returned = tapWires(back);
  await back.goto(link(1));
  await back.locator("[data-territory]").first().waitFor();
  for (const seat of [0, 2, 3]) await pages[seat].getByTestId("away").waitFor({ state: "detached" });
  assert.equal((await server.get(`/api/games/${game.id}`)).seats[1].hands, "own");
  await back.getByText(/Ben (went away|came back)/).first().waitFor();
  const nothing = { events: new Map(), states: new Map() };
  for (const [seat, frames] of [...wires, returned].entries()) assertOwnCards(frames, seat === 4 ? 1 : seat, nothing, new Map());
  for (const { check, context } of people) {
    check();
    await context.close();
  }
});

test("games are found, go on from the start page, and are deleted", async () => {
  await everySize(open, async ({ page, size }) => {
    await page.goto(server.url);
    await page.getByLabel("Name of player 1").fill("Zenobia");
    await page.getByRole("button", { name: "Start game" }).click();
    await page.locator("[data-territory]").first().waitFor();
    await page.goto(server.url);
    await page.getByTestId("unfinished").getByRole("link", { name: /Play on/ }).first().waitFor();
    await page.goto(`${server.url}/#/watch`);
    await page.getByTestId("search").fill("zenob");
    await page.locator("[data-game]").getByText("Zenobia").waitFor();
    await page.waitForFunction(() => document.querySelectorAll("[data-game]").length === 1, null, { timeout: PATIENCE });
    await picture(page, `games-${size}`);
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("remove").click();
    await page.getByTestId("remove-yes").click();
    await page.locator("[data-game]").waitFor({ state: "detached" });
    assert.deepEqual(await server.get("/api/games?search=zenobia"), []);
  });
});

test("who plays a game that is removed is told so, and not that it is tried again", async () => {
  await everySize(open, async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }] });
    await page.goto(`${server.url}/#/game/${game.id}?token=${game.seats[0].token}`);
    await page.locator("[data-territory]").first().waitFor();
    const tokens = game.seats.map(({ token }) => token);
    await fetch(new URL(`/api/games/${game.id}`, server.url), { method: "DELETE", headers: { "content-type": "application/json" }, body: JSON.stringify({ tokens }) });
    await page.getByRole("alert").getByText("There is no such game.").waitFor();
    await page.getByText("Connection lost").waitFor({ state: "detached" });
    assert.deepEqual(await seriousFaults(page), [], size);
  });
});

test("the list of games has no end at a hundred", async (t) => {
  // One client may make a hundred at once; behind a proxy there are several.
  const crowded = await new Server(["--behind-proxy"]).start();
  t.after(() => crowded.stop());
  const seats = ["Ann", "Ben"].map((name) => ({ kind: "human", name }));
  const make = (names, n) => crowded.create({ map: "line4", rules: "sampling", seats: names }, { "x-forwarded-for": `10.0.0.${n % 2}` });
  const oldest = await make([{ ...seats[0], name: "Oldest" }, seats[1]], 0);
  for (let n = 1; n < 105; n += 1) await make(seats, n);
  await everySize((options) => person(browser, crowded, options), async ({ page, size }) => {
    await page.goto(`${crowded.url}/#/watch`);
    const rows = page.locator("[data-game]");
    await page.waitForFunction(() => document.querySelectorAll("[data-game]").length === 100);
    assert.equal(await page.getByText("Oldest").count(), 0);
    await page.getByRole("button", { name: "Older games" }).click();
    await page.waitForFunction(() => document.querySelectorAll("[data-game]").length === 105);
    assert.equal(await page.getByRole("button", { name: "Older games" }).count(), 0, size);
    await page.getByTestId("search").fill("oldest");
    await page.waitForFunction(() => document.querySelectorAll("[data-game]").length === 1);
    await rows.getByText("Oldest").waitFor();
    // Whoever holds it finds it on the start page, too.
    await page.evaluate(([id, value]) => localStorage.setItem(`hegemon.game.${id}`, value), [oldest.id, JSON.stringify({ here: oldest.seats, invitations: [] })]);
    await page.goto(crowded.url);
    await page.getByTestId("unfinished").getByText("Oldest").waitFor();
    assert.equal(await page.getByTestId("unfinished").locator("[data-game]").count(), 1, size);
  });
});

test("the list of games says that the server is away, as long as it is", async (t) => {
  const mortal = await new Server(["--behind-proxy"]).start();
  t.after(() => mortal.stop());
  const seats = ["Ann", "Ben"].map((name) => ({ kind: "human", name }));
  for (let n = 0; n < 101; n += 1) await mortal.create({ map: "line4", rules: "sampling", seats }, { "x-forwarded-for": `10.0.0.${n % 2}` });
  await everySize((options) => person(browser, mortal, options), async ({ page, size }) => {
    await page.goto(`${mortal.url}/#/watch`);
    await page.waitForFunction(() => document.querySelectorAll("[data-game]").length === 100);
    await mortal.kill();
    await page.getByRole("button", { name: "Older games" }).click();
    await page.getByRole("alert").waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
    await mortal.start();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });
});

test("a map of one's own is checked and played", async () => {
  const sound = JSON.parse(readFileSync(new URL("../../maps/duel6.json", import.meta.url), "utf8"));
  const file = (map) => ({ name: "map.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(map)) });
  await everySize(open, async ({ page, size }) => {
    await page.goto(server.url);
    await page.getByTestId("own-map").setInputFiles(file({ name: "two isles", continents: [{ name: "A", bonus: 1, color: "reddish" }], territories: [] }));
    // The validator's own sentences, all at once.
    for (const words of ["at least 2 are needed", "reddish"]) await page.getByTestId("map-faults").getByText(words).first().waitFor();
    assert.deepEqual(await seriousFaults(page), [], size);
    await page.getByTestId("own-map").setInputFiles(file({ ...sound, name: `isles ${size}` }));
    await page.getByTestId("map-faults").waitFor({ state: "detached" });
    assert.equal(await page.locator("select[name=map]").inputValue(), `isles ${size}`);
    await page.getByRole("button", { name: "Start game" }).click();
    await page.locator("[data-territory]").nth(5).waitFor();
  });
});
