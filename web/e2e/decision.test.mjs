// The decision bar: odds by mouse, touch and keyboard, doubts, previews, and how many clicks a turn takes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, keyboard, look, mouse, moved, pointOn } from "./hands.mjs";
import { launch, person, seriousFaults, Server, sitDown } from "./harness.mjs";
import { everySize, overflow, SIZES } from "./sizes.mjs";

let server;
let browser;
let map;
before(async () => {
  server = await new Server().start();
  browser = await launch();
  map = await server.get("/api/maps/classic");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Two people at one screen, Ann with a great army in Brazil: a turn in which nothing can go wrong. */
async function greatArmy(change = {}) {
  const rules = await server.rules("classic", { start: "deal", placement: "even", neutral: false, "first-player": "seat", "initial-armies": { "by-players": [42, 42, 42, 42, 42] }, ...change });
  rules.income = { ...rules.income, minimum: 60 };
  return server.create({ map: "classic", rules, seats: [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }], seed: "11" });
}

const enemies = (territories, from) => map.territories[from].neighbors.filter((to) => territories[to].owner !== territories[from].owner);

/** Puts all armies of the turn where a chain of three targets begins. */
async function reinforce(page) {
  const hands = mouse(page);
  const { territories } = await asked(page);
  assert.match(await page.locator("section.bar").innerText(), /\b60 left/, "placing says how many armies remain");
  const chains = territories.flatMap(({ owner }, from) => (owner === 0 ? chainsFrom(territories, from, []) : []));
  const [chain] = chains.filter((list) => list.length === 4);
  assert.ok(chain, "somewhere three enemies stand in a row");
  await hands.all();
  await hands.pick(chain[0]);
  await hands.act();
  await page.waitForFunction(() => document.querySelector('[data-testid="primary"]')?.textContent?.includes("Attack"));
  return chain;
}

function chainsFrom(territories, from, before) {
  const path = [...before, from];
  if (path.length === 4) return [path];
  const next = map.territories[from].neighbors.filter((to) => territories[to].owner === 1 && !path.includes(to));
  return next.flatMap((to) => chainsFrom(territories, to, path));
}

async function tap(page, territory) {
  const point = await page.evaluate(pointOn, territory);
  assert.ok(point, `territory ${territory} can be tapped`);
  await page.touchscreen.tap(...point);
}

for (const [size, options] of Object.entries(SIZES)) {
  test(`a target brings the odds, on a ${size}`, async () => {
    const { page, context, check } = await person(browser, server, options);
    const game = await greatArmy();
    await sitDown(page, server, game, [0, 1]);
    const [from, to] = await reinforce(page);
    const pick = options.hasTouch ? (territory) => tap(page, territory) : mouse(page).pick;
    await pick(from);
    await pick(to);
    const forecast = page.getByTestId("forecast");
    await page.waitForFunction(() => /\d %/.test(document.querySelector('[data-testid="forecast"]')?.textContent ?? ""));
    const words = await forecast.innerText();
    assert.match(words, /^\s*(> )?\d+ % · you lose \d+\.\d, they lose \d+\.\d on average · you keep \d+/);
    assert.equal(await tone(page), await colour(page, "--good"), "good odds have their colour");
    assert.equal(await page.getByTestId("primary").getAttribute("aria-describedby"), await forecast.getAttribute("id"));
    assert.equal(await forecast.evaluate((element) => element.closest("[aria-live]")?.getAttribute("aria-live")), "polite");

    if (options.hasTouch) {
      const tip = page.getByTestId("tip");
      const place = map.territories[to];
      assert.match(await tip.innerText(), new RegExp(`${place.name}[^]*${map.continents[place.continent].name}[^]*Ben`), "a tap names territory, continent and owner");
      assert.deepEqual(await hiddenCounts(page, to), [], "no neighbour's count is hidden");
      await tip.waitFor({ state: "detached" });
    } else {
      assert.equal(await page.getByTestId("tip").count(), 0, "the tip is gone after the click");
    }

    await page.getByRole("radio", { name: "Once" }).check({ force: true });
    await page.getByText("this roll: you lose").waitFor();
    assert.notEqual(await forecast.innerText(), words, "the form of the attack changes the odds");
    assert.ok((await overflow(page)) <= 0, "nothing is wider than the screen");
    assert.deepEqual(await seriousFaults(page), []);
    check();
    await context.close();
  });
}

/** The colour of the chance in the bar, and one of the page's colours. */
const tone = (page) => page.locator('[data-testid="forecast"] b').evaluate((element) => getComputedStyle(element).color);
const colour = (page, name) =>
  page.evaluate((token) => {
    const probe = document.body.appendChild(Object.assign(document.createElement("i"), { style: `color: var(${token})` }));
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

/** Names of neighbours whose counts lie under the tip. */
function hiddenCounts(page, territory) {
  return page.evaluate(
    ([at, near]) => {
      const tip = document.querySelector('[data-testid="tip"]').getBoundingClientRect();
      const chips = [...document.querySelectorAll(".counters > g")];
      const all = [...document.querySelectorAll("[data-territory]")];
      return [at, ...near].filter((i) => {
        const chip = chips[all.findIndex((element) => Number(element.dataset.territory) === i)]?.getBoundingClientRect();
        return chip && chip.left < tip.right && chip.right > tip.left && chip.top < tip.bottom && chip.bottom > tip.top;
      });
    },
    [territory, map.territories[territory].neighbors],
  );
}

const doubtful = "a doubtful attack is asked about once, and the threshold is a setting";
for (const [size, options] of Object.entries(SIZES)) test(`${doubtful}, on a ${size}`, async () => {
  const { page, context, check } = await person(browser, server, options);
  await context.addInitScript(() => localStorage.setItem("hegemon.preferences", JSON.stringify({ speed: "instant", threshold: 40 })));
  const rules = await server.rules("classic", { start: "deal", placement: "even", neutral: false, "first-player": "seat", "initial-armies": { "by-players": [84, 84, 84, 84, 84] } });
  const game = await server.create({ map: "classic", rules, seats: [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }], seed: "11" });
  await sitDown(page, server, game, [0, 1]);
  const [from, to] = await reinforceElsewhere(page);
  const hands = mouse(page);
  await hands.pick(from);
  await hands.pick(to);
  await hands.act();
  await page.getByText(/Only \d+ % to take .* Attack anyway\?$/).waitFor();
  const doubt = await look(page);
  assert.equal(doubt.primary, "Attack anyway");
  assert.equal(await tone(page), await colour(page, "--warn"), "poor odds have another colour than good ones");
  await hands.act();
  await moved(page, doubt);

  await page.getByRole("button", { name: /^Help/ }).click();
  await page.getByRole("radio", { name: "Settings" }).check({ force: true });
  assert.deepEqual(await seriousFaults(page), []);
  assert.ok((await overflow(page)) <= 0);
  await page.getByTestId("threshold").fill("0");
  await page.getByTestId("threshold").blur();
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("hegemon.preferences")).threshold), 0);
  check();
  await context.close();
});

/** Places everything on one territory and answers with an even fight somewhere else. */
async function reinforceElsewhere(page) {
  const hands = mouse(page);
  const { territories } = await asked(page);
  const own = territories.flatMap(({ owner }, i) => (owner === 0 ? [i] : []));
  const pairs = own.flatMap((from) => enemies(territories, from).map((to) => [from, to]));
  const even = pairs.find(([from, to]) => territories[from].armies === territories[to].armies) ?? pairs[0];
  await hands.all();
  await hands.pick(own.find((i) => i !== even[0]));
  await hands.act();
  await page.waitForFunction(() => document.querySelector('[data-testid="primary"]')?.textContent?.includes("Attack"));
  return even;
}

for (const [size, options] of Object.entries(SIZES)) test(`a double click is one roll, or asks where battles are fought to the end, on a ${size}`, async () => {
  const { page, context, check } = await person(browser, server, options);
  const { battle } = await server.rules("classic");
  const whole = await greatArmy({ battle: { ...battle, attack: "to-the-end" } });
  await sitDown(page, server, whole, [0, 1]);
  const [, target] = await reinforce(page);
  await pickTwice(page, target, options);
  await page.getByText(/Attack anyway\?$/).waitFor();
  assert.equal((await look(page)).territories[target].owner, 1, "nothing is fought yet");
  const game = await greatArmy();
  await sitDown(page, server, game, [0, 1]);
  const [from, to] = await reinforce(page);
  const before = await look(page);
  await mouse(page).pick(from);
  await pickTwice(page, to, options);
  await moved(page, before);
  const { territories } = await asked(page);
  assert.ok(before.territories[from].armies - territories[from].armies <= 2, "at most what one roll costs");
  check();
  await context.close();
});

/** A double click, or two taps a twentieth of a second apart, however slow the machine is. */
async function pickTwice(page, territory, { hasTouch }) {
  const [x, y] = await page.evaluate(pointOn, territory);
  if (!hasTouch) return page.mouse.dblclick(x, y);
  const session = await page.context().newCDPSession(page);
  const begin = Date.now() / 1000;
  for (const [n, touchPoints] of [[{ x, y }], [], [{ x, y }], []].entries()) {
    await session.send("Input.dispatchTouchEvent", { type: n % 2 === 0 ? "touchStart" : "touchEnd", touchPoints, timestamp: begin + n / 40 });
  }
}

/** From the end of three conquests: a march, which is four clicks. */
async function march(page, hands, chain) {
  await hands.act();
  const conquered = await asked(page);
  for (const place of chain) assert.equal(conquered.territories[place].owner, 0);
  const forThree = hands.clicks;
  await hands.end();
  await page.waitForFunction(() => document.querySelector('[data-testid="primary"]')?.textContent?.startsWith("Move"));
  const last = chain.at(-1);
  const home = map.territories[last].neighbors.find((i) => conquered.territories[i].owner === 0);
  await hands.pick(last);
  await hands.pick(home);
  const before = await look(page);
  await hands.act();
  await moved(page, before);
  return forThree;
}

const begins = (page, word) => page.waitForFunction((start) => document.querySelector('[data-testid="primary"]')?.textContent?.startsWith(start), word);

for (const [size, options] of Object.entries(SIZES)) test(`three conquests in a row and a march take eleven clicks, on a ${size}; before they took sixteen`, async (t) => {
  const { page, context, check } = await person(browser, server, options);
  const counted = () => counting(options.hasTouch ? finger(page) : mouse(page));

  await sitDown(page, server, await greatArmy(), [0, 1]);
  let chain = await reinforce(page);
  const now = counted();
  for (const [i, target] of chain.slice(1).entries()) {
    await now.pick(target);
    if (i > 0) await begins(page, "Attack ");
    await now.act();
    await page.waitForFunction(() => document.querySelector('[data-testid="primary"]')?.textContent?.includes(" in"));
    // Both counts are shown as they will be, and add up.
    const counts = await page.locator(".counters .preview + text").allInnerTexts();
    assert.equal(counts.length, 2);
    const amount = await page.locator(".slider output").evaluate((element) => [element.getBoundingClientRect().right, element.closest(".bar").getBoundingClientRect().right]);
    assert.ok(amount[0] <= amount[1], "the number of armies stands within the bar");
  }
  const forThree = await march(page, now, chain);

  // The way of the first page, which still works: origin, target, attack, move in.
  await sitDown(page, server, await greatArmy(), [0, 1]);
  chain = await reinforce(page);
  const then = counted();
  for (const [i, target] of chain.slice(1).entries()) {
    // The conquered territory is selected now; before it was a click.
    if (i === 0) await then.pick(chain[0]);
    else then.clicks += 1;
    await then.pick(target);
    await begins(page, "Attack ");
    await then.act();
    await page.waitForFunction(() => document.querySelector('[data-testid="primary"]')?.textContent?.includes(" in"));
    if (i < 2) {
      await then.act();
      await begins(page, "Attack");
    }
  }
  const thenForThree = await march(page, then, chain);
  t.diagnostic(`${forThree} clicks for three conquests, ${now.clicks} with the march; before ${thenForThree} and ${then.clicks}`);
  assert.deepEqual([forThree, now.clicks, thenForThree, then.clicks], [7, 11, 12, 16]);
  check();
  await context.close();
});

/** A finger. */
const finger = (page) => ({
  pick: (territory) => tap(page, territory),
  act: () => page.getByTestId("primary").tap(),
  end: () => page.getByTestId("end").tap(),
});

/** Hands that count. */
function counting(hands) {
  const counted = { clicks: 0 };
  for (const name of ["pick", "act", "end"]) {
    counted[name] = (...args) => {
      counted.clicks += 1;
      return hands[name](...args);
    };
  }
  return counted;
}

for (const [size, options] of Object.entries(SIZES)) test(`by keyboard alone the odds come too, and the target again attacks, on a ${size}`, async () => {
  const { page, context, check } = await person(browser, server, options);
  const game = await greatArmy();
  await sitDown(page, server, game, [0, 1]);
  const chain = await reinforce(page);
  for (const territory of chain.slice(0, 2)) await keyboard(page).pick(territory);
  await page.waitForFunction(() => /\d %/.test(document.querySelector('[data-testid="forecast"]')?.textContent ?? ""));
  assert.equal(await page.getByTestId("primary").getAttribute("aria-describedby"), "forecast", "the button is described by the odds");
  assert.match(await page.getByTestId("forecast").innerText(), /you lose \d+\.\d, they lose \d+\.\d on average · you keep \d+/);
  const before = await look(page);
  await page.keyboard.press("Enter");
  await moved(page, before);
  assert.ok((await overflow(page)) <= 0);
  check();
  await context.close();
});

/** One army everywhere, and all new ones behind the front: nobody can attack, but Ann can march. Answers when they are placed. */
async function placeBehindTheFront(page) {
  const line = await server.get("/api/maps/line4");
  const rules = await server.rules("sampling", { "first-player": "seat", "initial-armies": { "by-players": [2, 2, 2, 2, 2] } });
  const seats = [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }];
  const behindTheFront = (territories) => territories.findIndex(({ owner }, i) => owner === 0 && line.territories[i].neighbors.every((j) => territories[j].owner === 0));
  let behind = -1;
  for (let seed = 1; behind < 0; seed += 1) {
    await sitDown(page, server, await server.create({ map: "line4", rules, seats, seed: String(seed) }), [0, 1]);
    behind = behindTheFront((await asked(page)).territories);
  }
  await mouse(page).all();
  await mouse(page).pick(behind);
  await mouse(page).act();
}

/** In the browser: the connection is lost with the first end of a phase that is sent. */
function loseFirstEnd() {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (window.isLost || !text.includes('"move":"end"')) return send.call(this, text);
    window.isLost = true;
    this.close();
  };
}

test("a phase ends by itself although the connection was lost at that moment", async () => {
  await everySize((options) => person(browser, server, options), async ({ page, context, size }) => {
    await context.addInitScript(loseFirstEnd);
    await placeBehindTheFront(page);
    await page.waitForFunction(() => document.querySelector('[data-testid="round"]')?.textContent?.includes("Fortify")).catch(() => assert.fail(`the game stands still on a ${size}`));
    assert.equal(await page.evaluate(() => window.isLost), true);
  });
});

test("a phase in which nothing can be done ends by itself, unless the setting says no", async () => {
  for (const advances of [true, false]) {
    await everySize((options) => person(browser, server, options), async ({ page, context, size }) => {
      await context.addInitScript((value) => localStorage.setItem("hegemon.preferences", JSON.stringify({ speed: "instant", threshold: 0, advances: value })), advances);
      await placeBehindTheFront(page);
      const phase = advances ? "Fortify" : "Attack";
      await page.waitForFunction((word) => document.querySelector('[data-testid="round"]')?.textContent?.includes(word), phase).catch(() => assert.fail(`it is not time for ${phase} on a ${size}`));
    });
  }
});
