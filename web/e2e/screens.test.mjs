// Every screen: the whole board on a phone's side, zoom by wheel and fingers, a draft that can be read, German, sounds, and the installed page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, look, mouse, playOn } from "./hands.mjs";
import { launch, person, seriousFaults, Server, sitDown } from "./harness.mjs";
import { everySize, excess, overflow, SIZES } from "./sizes.mjs";

let server;
let browser;
let levels;
before(async () => {
  server = await new Server().start();
  browser = await launch();
  levels = await server.get("/api/levels");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const ANN = { kind: "human", name: "Ann" };
const bot = () => ({ kind: "bot", level: levels[0].id });
const lux = () => server.rules("lux", { placement: "even", "first-player": "seat" });
const box = (page, selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().toJSON());

for (const [size, options] of Object.entries(SIZES)) {
  test(`board and bar are on the screen together, on a ${size}`, async () => {
    const { page, context, check } = await person(browser, server, options);
    const game = await server.create({ map: "classic", rules: await lux(), seats: [ANN, bot(), bot()], seed: "6" });
    await sitDown(page, server, game, [0]);
    await asked(page);
    const { width, height } = options.viewport;
    const primary = await box(page, '[data-testid="primary"]');
    assert.ok(primary.bottom <= height && primary.right <= width && primary.top >= 0, `the main button is on the screen: ${JSON.stringify(primary)}`);
    if (width > height) {
      const board = await box(page, "svg[role=group]");
      assert.ok(board.left >= 0 && board.right <= width && board.top >= 0 && board.bottom <= height, `the whole board is visible: ${JSON.stringify(board)}`);
      assert.ok((await excess(page)) <= 0, "nothing scrolls the board away");
    }
    assert.deepEqual(await page.evaluate(namesOverCounts), [], "names of continents stand over no count");
    assert.ok((await overflow(page)) <= 0);
    assert.deepEqual(await seriousFaults(page), []);
    check();
    await context.close();
  });
}

test("the guide of the first game leaves the main button and the name of the phase on the screen, in both languages", async () => {
  for (const locale of ["en-US", "de-DE"]) {
    await everySize((options) => person(browser, server, { ...options, locale }), async ({ page, size, options }) => {
      const fits = async (step) => {
        await page.evaluate(() => scrollTo(0, 0));
        await page.waitForFunction((wanted) => document.querySelector('[data-testid="guide"]')?.dataset.step === wanted, step);
        const { bottom } = await box(page, '[data-testid="primary"]');
        assert.ok(bottom <= options.viewport.height, `the main button ends at ${bottom} on a ${size}, ${locale}, ${step}`);
        assert.ok(await page.getByTestId("round").evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), `no phase is cut on a ${size}, ${locale}, ${step}`);
      };
      await page.goto(`${server.url}/#/first`);
      await page.locator("main button").first().click();
      await asked(page);
      await fits("guide.place");
      await page.keyboard.press("3");
      await mouse(page).pick((await look(page)).territories.findIndex(({ isChoosable }) => isChoosable));
      await fits("guide.place_confirm");
      await page.getByTestId("primary").click();
      await fits("guide.attack");
    });
  }
});

test("the wheel and two fingers zoom, about the point under them", async () => {
  const game = await server.create({ map: "classic", rules: await lux(), seats: [ANN, bot()], seed: "6" });
  await everySize((options) => person(browser, server, options), async ({ page, context, size, options }) => {
    await sitDown(page, server, game, [0]);
    await asked(page);
    const before = await box(page, "svg[role=group]");
    const frame = await box(page, ".board");
    const [x, y] = [frame.left + frame.width / 2, frame.top + frame.height / 2];
    if (options.isMobile !== true) {
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, -120);
      await page.waitForFunction((width) => document.querySelector("svg[role=group]").getBoundingClientRect().width > width * 1.2, before.width);
      return;
    }
    const session = await context.newCDPSession(page);
    const fingers = (gap) => [{ x: x - gap, y }, { x: x + gap, y }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(40) });
    for (const gap of [50, 60, 80]) await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(gap) });
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.waitForFunction((width) => document.querySelector("svg[role=group]").getBoundingClientRect().width > width * 1.5, before.width).catch(() => assert.fail(`two fingers do not zoom on a ${size}`));
  });
});

test("in a draft free land has the colour of its continent, and no phase is called by a raw word", async () => {
  const map = await server.get("/api/maps/classic");
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    const game = await server.create({ map: "classic", rules: "draft", seats: [ANN, bot(), bot()], seed: "5" });
    await sitDown(page, server, game, [0]);
    await asked(page);
    const fills = await page.locator(".land.free").evaluateAll((lands) => lands.map((land) => [Number(land.parentElement.dataset.territory), getComputedStyle(land).fill]));
    const byContinent = new Map();
    for (const [territory, fill] of fills) byContinent.set(map.territories[territory].continent, (byContinent.get(map.territories[territory].continent) ?? new Set()).add(fill));
    for (const colours of byContinent.values()) assert.equal(colours.size, 1, "one colour a continent");
    assert.equal(new Set([...byContinent.values()].map(([colour]) => colour)).size, byContinent.size, "another for each");
    assert.match(await page.getByTestId("round").innerText(), /^Draft/);
    await playOn(page, mouse(page), map, { stop: ({ territories }) => territories.some(({ owner }) => owner === 0) });
    assert.match(await page.getByLabel("Moves").innerText(), /Ann: claims \S/, `the log says who claims what, on a ${size}`);
  });
});

/** In the browser: names of continents that lie over a count. */
function namesOverCounts() {
  const counts = [...document.querySelectorAll(".counters > g")].map((count) => count.getBoundingClientRect());
  const names = [...document.querySelectorAll("text.continent")];
  return names.flatMap((name) => {
    const { left, right, top, bottom } = name.getBoundingClientRect();
    const [x, y] = [2, (bottom - top) / 4];
    return counts.some((count) => count.left < right - x && count.right > left + x && count.top < bottom - y && count.bottom > top + y) ? [name.textContent.trim()] : [];
  });
}

test("the game speaks German where the reader does", async () => {
  await everySize((options) => person(browser, server, { ...options, locale: "de-DE" }), async ({ page, size }) => {
    const game = await server.create({ map: "duel6", rules: await lux(), seats: [ANN, bot()], seed: "5" });
    await sitDown(page, server, game, [0]);
    await page.locator('[data-state="asked"]').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    const words = await page.locator("#main").innerText();
    assert.match(words, /Setze \d+ Armeen auf deine Gebiete\./);
    for (const english of ["Place", "Players", "Income", "Round", "Your cards", "Log"]) assert.ok(!words.includes(english), `${english} on a ${size} in: ${words.slice(0, 400)}`);
    await page.goto(server.url);
    await page.locator(".preview path").first().waitFor();
  });
});

/** Rules whose every roll is shown; those of Lux fight a battle in one go. */
const rolled = (change = {}) => server.rules("classic", { start: "deal", placement: "even", neutral: false, "first-player": "seat", ...change });

/** In the browser: counts sounds and the rolling of dice. */
function countSoundsAndRolls() {
  window.sounds = 0;
  window.rolls = 0;
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function (...args) {
    window.sounds += 1;
    return start.apply(this, args);
  };
  document.addEventListener("animationstart", ({ target }) => {
    if (target.classList?.contains("die")) window.rolls += 1;
  });
}

for (const [size, options] of Object.entries(SIZES)) test(`dice sound and roll, but not for those who want no motion or switched it off, on a ${size}`, async () => {
  const duel = await server.get("/api/maps/duel6");
  const seen = async (reducedMotion, preferences) => {
    const { page, context, check } = await person(browser, server, { ...options, reducedMotion });
    await context.addInitScript(countSoundsAndRolls);
    await context.addInitScript((value) => localStorage.setItem("hegemon.preferences", JSON.stringify(value)), { speed: "rapid", threshold: 0, ...preferences });
    const game = await server.create({ map: "duel6", rules: await rolled(), seats: [ANN, bot()], seed: "5" });
    await sitDown(page, server, game, [0]);
    // A battle or two tell it all.
    let attacks = 0;
    await playOn(page, mouse(page), duel, { stop: (see) => see.round >= 2 || see.isOver || (see.primary?.startsWith("Attack") && (attacks += 1) > 2) });
    await page.getByLabel("Moves").locator('li[data-kind="battle"]').filter({ hasText: "lost" }).first().waitFor();
    await asked(page);
    const counted = await page.evaluate(() => [window.sounds > 0, window.rolls > 0]);
    check();
    await context.close();
    return counted;
  };
  assert.deepEqual(await seen("no-preference", {}), [true, true]);
  assert.deepEqual(await seen("no-preference", { sound: false }), [false, true]);
  assert.deepEqual(await seen("no-preference", { motion: false }), [true, false]);
  assert.deepEqual(await seen("reduce", {}), [false, false]);
});

test("sounds and rolling dice are switched off in the settings, on every screen", async () => {
  const game = await server.create({ map: "duel6", rules: await lux(), seats: [ANN, bot()], seed: "5" });
  await everySize((options) => person(browser, server, options), async ({ page, size }) => {
    await sitDown(page, server, game, [0]);
    await page.getByRole("button", { name: /^Help/ }).click();
    await page.getByRole("radio", { name: "Settings" }).check({ force: true });
    for (const name of ["Sounds", "Dice that roll"]) await page.getByRole("checkbox", { name }).uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("hegemon.preferences")));
    assert.deepEqual([kept.sound, kept.motion], [false, false], size);
  });
});

test("the dice of a replay roll too, unless that is switched off", async () => {
  const game = await server.create({ map: "duel6", rules: await rolled({ end: { "turn-limit": 3, "tie-breaks": ["armies"] } }), seats: [bot(), bot()], seed: "5" });
  await server.playedOut(game);
  for (const motion of [true, false]) {
    await everySize((options) => person(browser, server, { ...options, reducedMotion: "no-preference" }), async ({ page, context, size }) => {
      await context.addInitScript(countSoundsAndRolls);
      await context.addInitScript((value) => localStorage.setItem("hegemon.preferences", JSON.stringify({ motion: value })), motion);
      await page.goto(`${server.url}/#/replay/${game.id}`);
      const scrubber = page.getByTestId("scrubber");
      await scrubber.waitFor();
      await scrubber.fill(await scrubber.getAttribute("max"));
      await page.getByLabel("Moves").locator('li[data-kind="battle"] button').first().click();
      for (let n = 0; n < 20 && (await page.locator(".die").count()) === 0; n += 1) await page.getByRole("button", { name: "One step back" }).click();
      await page.locator(".die").first().waitFor();
      await page.waitForTimeout(200);
      assert.equal(await page.evaluate(() => window.rolls > 0), motion, size);
    });
  }
});

test("the page can be installed, and its shell opens without the server", { skip: process.env.HEGEMON_DIST !== undefined && "the worker fetches from the program itself" }, async () => {
  for (const options of Object.values(SIZES)) await installs(options);
});

async function installs(options) {
  const { page, context } = await person(browser, server, { ...options, serviceWorkers: "allow" });
  await page.goto(server.url);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  assert.equal(manifest.display, "standalone");
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await fetch(new URL(src, server.url));
    assert.equal(icon.headers.get("content-type"), type, sizes);
  }
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const session = await context.newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A browser of a test is a private one, which installs nothing; else it would.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
  // One visit is enough.
  await context.setOffline(true);
  await page.reload();
  await page.getByRole("banner").waitFor();
  await page.getByRole("alert").waitFor();
  assert.ok((await overflow(page)) <= 0);
  await context.close();
}
