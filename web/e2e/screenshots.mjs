// Pictures of the main views for the documentation: `npm run screenshots`, into docs/screenshots or $SCREENSHOTS.
// `npm run screenshots -- NAME...` takes these alone.

import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { asked, mouse, playOn } from "./hands.mjs";
import { launch, person, Server, sitDown } from "./harness.mjs";
import { SIZES } from "./sizes.mjs";

const FOLDER = process.env.SCREENSHOTS ?? fileURLToPath(new URL("../../docs/screenshots", import.meta.url));
const [PHONE, SIDE, TABLET, WIDE] = ["phone", "phone on its side", "tablet", "desktop"].map((size) => SIZES[size].viewport);
const HUGE = { width: 2560, height: 1440 };

const arena = process.env.ARENA_STORE;
const server = await new Server(arena ? ["--arena", path.resolve(arena)] : []).start();
const browser = await launch();
await mkdir(FOLDER, { recursive: true });

const levels = await server.get("/api/levels");
const bots = levels.slice(-3).map(({ id }) => ({ kind: "bot", level: id }));
const map = await server.get("/api/maps/classic");

/** A game of some rounds, stopped where the person may attack. */
async function midGame() {
  const game = await server.create({ map: "classic", rules: await server.rules("lux"), seats: [{ kind: "human", name: "Ann" }, ...bots], seed: "21" });
  const { page, context } = await person(browser, server);
  await sitDown(page, server, game, [0]);
  await playOn(page, mouse(page), map, {
    before: (see) => ({ mayAttack: attacks(see) < 4 }),
    stop: (see) => see.isOver || (see.round >= 4 && see.primary === "Attack" && bestAim(see.territories)?.lead > 2),
  });
  await context.close();
  return game;
}

let lastMover = null;
let n = 0;
/** How often the person has attacked in this turn. */
function attacks(see) {
  if (!see.primary?.startsWith("Attack")) n = 0;
  else if (lastMover === see.mover) n += 1;
  lastMover = see.mover;
  return n;
}

/** The attack with the greatest lead. */
function bestAim(territories) {
  const attacks = territories.flatMap(({ isChoosable, owner, armies }, from) =>
    map.territories[from].neighbors
      .filter((to) => isChoosable && territories[to].owner !== owner)
      .map((to) => ({ from, to, lead: armies - territories[to].armies })),
  );
  return attacks.sort((a, b) => b.lead - a.lead)[0];
}

/** Selects the best attack, so that its odds are shown. */
async function aim(page) {
  const best = bestAim((await asked(page)).territories);
  if (best === undefined) return;
  await mouse(page).pick(best.from);
  await mouse(page).pick(best.to);
  await page.waitForFunction(() => /\d %/.test(document.querySelector('[data-testid="forecast"]')?.textContent ?? ""));
}

const wanted = process.argv.slice(2).filter((name) => !name.startsWith("--"));

async function shoot(name, viewport, colorScheme, open, options = {}) {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const { page, context } = await person(browser, server, { viewport, colorScheme, ...options });
  await open(page);
  await page.evaluate(() => document.activeElement?.blur?.());
  const file = path.join(FOLDER, `${name}.png`);
  await page.screenshot({ path: file });
  // A palette makes the file a third as large; without the program it is only larger.
  spawnSync("pngquant", ["128", "--force", "--output", file, file]);
  console.log(name);
  await context.close();
}

const to = (hash, ready) => async (page) => {
  await page.goto(`${server.url}/#/${hash}`);
  await page.locator(ready).first().waitFor();
};

/** What is made once, when it is first wanted. */
function once(make) {
  let made = null;
  return () => (made ??= make());
}
const game = once(midGame);
const over = once(async () => {
  const finished = await server.create({ map: "classic", rules: await server.rules("lux"), seats: bots, seed: "3" });
  while ((await server.get(`/api/games/${finished.id}`)).status !== "over") await new Promise((resolve) => setTimeout(resolve, 300));
  return finished;
});

const board = async (page) => {
  await sitDown(page, server, await game(), [0]);
  await aim(page);
};
/** The card at the end of a game that Ann lost in no time. */
const end = async (page) => {
  const rules = await server.rules("lux", { placement: "even", end: { "turn-limit": 4, "tie-breaks": ["territories", "armies"] } });
  const finished = await server.create({ map: "classic", rules, seats: [{ kind: "human", name: "Ann" }, ...bots], seed: "21" });
  await sitDown(page, server, finished, [0]);
  await playOn(page, mouse(page), map, { before: (see) => ({ mayAttack: attacks(see) < 3 }) });
  await page.getByTestId("luck").first().waitFor();
};
const replay = async (page) => {
  await to(`replay/${(await over()).id}`, '[data-testid="scrubber"]')(page);
  await page.getByTestId("scrubber").fill(String(Math.floor(0.6 * Number(await page.getByTestId("scrubber").getAttribute("max")))));
};
const views = {
  new: to("new", ".preview path"),
  board,
  replay,
  watch: to("watch", "table"),
  arena: to("arena", "h1"),
  odds: to("odds", '[data-testid="battle-win"]'),
};
const RING = new URL("../../maps/ring24.json", import.meta.url);
/** The map editor with a shipped map that bots have tried. */
const maker = async (page) => {
  await to("maps", '[data-testid="sheet"]')(page);
  await page.getByTestId("open-map").setInputFiles(fileURLToPath(RING));
  await page.locator('[data-territory="3"]').click();
  await page.getByTestId("try-map").click();
  await page.getByTestId("trial").waitFor();
  // A wide screen has room for the verdict beside the map; a narrow one shows the map.
  if (page.viewportSize().width > page.viewportSize().height) await page.getByTestId("trial").scrollIntoViewIfNeeded();
  else await page.evaluate(() => scrollTo(0, 0));
};
/** The place of somebody who was invited. */
const join = async (page) => {
  const seats = ["Ann", "Player 2", "Player 3"].map((name) => ({ kind: "remote", name }));
  const invited = await server.create({ map: "classic", rules: await server.rules("lux", { placement: "even" }), seats });
  await page.goto(`${server.url}/#/game/${invited.id}?token=${invited.seats[1].token}`);
  await page.getByTestId("join-name").fill("Ben");
};
/** Links for others, in a network at home. */
const invite = async (page) => {
  await page.route("**/api/about", async (route) => {
    const about = await (await route.fetch()).json();
    await route.fulfill({ json: { ...about, reach: { is_local: false, addresses: ["http://192.168.1.5:4272", "http://10.7.0.12:4272"] } } });
  });
  await page.goto(server.url);
  for (const n of [2, 3]) await page.getByLabel(`Player ${n}`, { exact: true }).selectOption("remote");
  await page.getByRole("button", { name: "Start game" }).click();
  await page.getByTestId("reach").scrollIntoViewIfNeeded();
};
/** A turn with a time limit, of a game of two. */
const clock = async (page) => {
  const seats = ["Ann", "Ben"].map((name) => ({ kind: "human", name }));
  await sitDown(page, server, await server.create({ map: "classic", rules: await server.rules("lux", { placement: "even" }), seats, seed: "6", turn_seconds: 60 }), [0, 1]);
  await page.getByTestId("clock").waitFor();
};
/** Somebody who was invited and has not come. */
const awaited = async (page) => {
  const seats = [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Ben" }, { kind: "bot", level: levels[4].id }];
  await sitDown(page, server, await server.create({ map: "classic", rules: await server.rules("lux", { placement: "even", "first-player": "seat" }), seats, turn_seconds: 60 }), [0]);
  await page.getByTestId("away").waitFor();
};
const easy = [{ kind: "human", name: "Ann" }, ...Array.from({ length: 2 }, () => ({ kind: "bot", level: levels[0].id }))];
/** A draft in which some territories have been claimed. */
const draft = async (page) => {
  await sitDown(page, server, await server.create({ map: "classic", rules: "draft", seats: easy, seed: "5" }), [0]);
  await playOn(page, mouse(page), map, { stop: ({ territories }) => territories.filter(({ owner }) => owner === 0).length > 3 });
};
const help = async (page) => {
  await sitDown(page, server, await server.create({ map: "classic", rules: "classic", seats: easy, seed: "6" }), [0]);
  await page.getByRole("button", { name: /^Help/ }).click();
};
const guide = async (page) => {
  await to("first", "button")(page);
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator("[data-territory]").first().waitFor();
  await asked(page);
};
const every = process.argv.includes("--all");
await shoot("join-phone", PHONE, "light", join);
await shoot("invite-phone", PHONE, "light", invite);
await shoot("awaited-tablet", TABLET, "light", awaited);
await shoot("clock-side", SIDE, "light", clock, { deviceScaleFactor: 2 });
await shoot("draft-tablet", TABLET, "light", draft);
await shoot("help-phone", PHONE, "light", help);
await shoot("guide-side", SIDE, "light", guide, { deviceScaleFactor: 2 });
await shoot("board", WIDE, "light", board);
await shoot("board-dark", WIDE, "dark", board);
await shoot("board-phone", PHONE, "light", board);
await shoot("board-side", SIDE, "light", board, { deviceScaleFactor: 2 });
await shoot("end", WIDE, "light", end);
await shoot("new", WIDE, "light", views.new);
await shoot("replay", WIDE, "light", replay);
await shoot("replay-side", SIDE, "light", replay, { deviceScaleFactor: 2 });
await shoot("maker", WIDE, "light", maker);
await shoot("maker-phone", PHONE, "light", maker);
await shoot("odds", WIDE, "light", views.odds);
if (arena) await shoot("arena", WIDE, "light", views.arena);
if (every) {
  for (const [name, open] of Object.entries(views)) {
    for (const [size, viewport] of Object.entries({ phone: PHONE, wide: WIDE, huge: HUGE })) {
      for (const scheme of ["light", "dark"]) await shoot(`all-${name}-${size}-${scheme}`, viewport, scheme, open);
    }
  }
}
await browser.close();
await server.stop();
