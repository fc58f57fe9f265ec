// Playing through the page alone: what is read is on the screen, what is done is a click or a key.

import assert from "node:assert/strict";
import { PATIENCE } from "./harness.mjs";

/** What the page shows at this moment. */
export function look(page) {
  return page.evaluate(() => {
    const text = (id) => document.querySelector(`[data-testid="${id}"]`)?.textContent?.trim() ?? null;
    const primary = document.querySelector('[data-testid="primary"]');
    const territories = [...document.querySelectorAll("[data-territory]")].map((element) => ({
      owner: Number(element.dataset.owner),
      armies: Number(element.dataset.armies),
      isChoosable: element.classList.contains("choosable"),
      label: element.getAttribute("aria-label"),
    }));
    return {
      prompt: text("prompt"),
      primary: text("primary"),
      canAct: primary !== null && !primary.disabled,
      end: text("end"),
      seq: document.querySelector("[data-state]")?.dataset.seq,
      round: Number(/Round (\d+)/.exec(text("round"))?.[1] ?? 0),
      isOver: primary?.tagName === "A",
      mover: Number(document.querySelector("[data-seat][aria-current]")?.dataset.seat ?? -1),
      territories,
    };
  });
}

/** Waits until the page asks for something, or the game is over. */
export async function asked(page) {
  await page.locator('[data-state="asked"], [data-state="over"]').waitFor({ timeout: PATIENCE });
  return look(page);
}

/** Waits until the page no longer shows this moment; the log grows with every event. */
export async function moved(page, before) {
  await page.waitForFunction(
    ([primary, seq]) => {
      const confirmed = primary.startsWith("I am") && document.querySelector('[data-testid="primary"]')?.textContent?.trim() !== primary;
      return confirmed || document.querySelector("[data-state]")?.dataset.seq !== seq;
    },
    [before.primary, before.seq],
    { timeout: PATIENCE },
  );
}

/** In the browser: a point of the screen at which a click hits the land of a territory; outlines are not convex. */
export function pointOn(territory) {
  const element = document.querySelector(`[data-territory="${territory}"]`);
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const steps = [8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14];
  for (const i of steps) {
    for (const j of steps) {
      const [x, y] = [left + (width * i) / 16, top + (height * j) / 16];
      if (document.elementFromPoint(x, y)?.closest("[data-territory]") === element) return [x, y];
    }
  }
  return null;
}

/** A mouse. */
export const mouse = (page) => ({
  async hover(territory) {
    const point = await page.evaluate(pointOn, territory);
    await page.mouse.move(...point);
  },
  async pick(territory) {
    const point = await page.evaluate(pointOn, territory);
    assert.ok(point, `territory ${territory} cannot be hit with the mouse`);
    await page.mouse.click(...point);
  },
  act: () => page.getByTestId("primary").click(),
  end: () => page.getByTestId("end").click(),
  async all() {
    const radio = page.getByRole("radio", { name: "All" });
    // While the bar still grows, a click may miss it.
    for (let n = 0; n < 10 && !(await radio.isChecked()); n += 1) await radio.click({ force: true });
  },
  aSet: () => page.getByRole("button", { name: "Select a set" }).click(),
});

/** Goes on with Tab until the focus is on what the selector names. */
export async function tabTo(page, selector) {
  for (let i = 0; i < 80; i += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} cannot be reached with Tab`);
}

/** A keyboard and nothing else. */
export const keyboard = (page) => ({
  async pick(territory) {
    await page.keyboard.press("b");
    for (let i = 0; i < 200; i += 1) {
      const at = await page.evaluate(() => Number(document.activeElement?.dataset?.territory ?? -1));
      if (at === territory) return page.keyboard.press("Enter");
      await page.keyboard.press("n");
    }
    assert.fail(`territory ${territory} cannot be reached by keyboard`);
  },
  act: () => page.keyboard.press("g"),
  end: () => page.keyboard.press("e"),
  all: () => page.keyboard.press("3"),
  async aSet() {
    await tabTo(page, '[data-testid="select-set"]');
    await page.keyboard.press("Enter");
  },
});

const indices = (territories, test) => territories.flatMap((territory, i) => (test(territory, i) ? [i] : []));

/** One decision of a hasty general. `conquests` bounds the attacks of a turn. */
export async function decide(page, hands, map, see, memory) {
  const { territories, primary, end } = see;
  const choosable = indices(territories, ({ isChoosable }) => isChoosable);
  const enemies = (i) => map.territories[i].neighbors.filter((j) => territories[j].owner !== territories[i].owner);
  if (primary?.startsWith("I am")) return hands.act();
  if (primary?.startsWith("Trade")) {
    await hands.aSet();
    return hands.act();
  }
  if (/^(Claim|Choose capital)/.test(primary ?? "")) {
    await hands.pick(choosable[memory.n % choosable.length]);
    return hands.act();
  }
  if (primary?.startsWith("Place")) {
    const front = choosable.filter((i) => enemies(i).length > 0);
    const best = (front.length > 0 ? front : choosable).sort((a, b) => territories[b].armies - territories[a].armies)[0];
    const isSingle = / 1 (neutral )?army /.test(see.prompt);
    if (!isSingle) await hands.all();
    await hands.pick(best);
    if (!isSingle) await hands.act();
    return;
  }
  if (primary?.startsWith("Attack")) {
    // The targets of a selected origin can be chosen too.
    const origins = choosable.filter((i) => territories[i].owner === see.mover);
    const chance = memory.mayAttack === false ? null : bestAttack(origins, territories, enemies);
    if (chance === null) return hands.end();
    if (!territories[chance.from].label.includes("Selected origin")) await hands.pick(chance.from);
    await hands.pick(chance.to);
    return hands.act();
  }
  // Occupy, or the end of the phase where nothing else is left; fortifying is not for the hasty.
  return end === null ? hands.act() : hands.end();
}

function bestAttack(choosable, territories, enemies) {
  const chances = choosable.flatMap((from) => enemies(from).map((to) => ({ from, to, odds: territories[from].armies - territories[to].armies })));
  const best = chances.sort((a, b) => b.odds - a.odds)[0];
  return best && best.odds > 0 ? best : null;
}

/** Plays until the page says that the game is over, or until `stop` says so. */
export async function playOn(page, hands, map, { stop = () => false, most = 600, before = () => ({}) } = {}) {
  for (let n = 0; n < most; n += 1) {
    const see = await asked(page);
    if (see.isOver || stop(see)) return see;
    await decide(page, hands, map, see, { n, ...(await before(see)) });
    await moved(page, see);
  }
  assert.fail(`the game was not over after ${most} decisions`);
}
