// Luck and skill in the replay, the review, hints against bots, the editor, campaigns and the trainer.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, person, PATIENCE, Server, seriousFaults, sitDown } from "./harness.mjs";

const SIZES = [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
];

let server;
let browser;
let game;
before(async () => {
  server = await new Server().start();
  browser = await launch();
  const rules = await server.rules("lux", { end: { "turn-limit": 8, "tie-breaks": ["territories", "armies"] } });
  const bot = (spec) => ({ kind: "bot", spec });
  game = await server.create({ map: "classic", rules, seats: [bot("killbot"), bot("random"), bot("baseline")], seed: "4" });
  await server.playedOut(game);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A picture for people, where a folder is named. */
const picture = (page, name, viewport) =>
  process.env.PICTURES ? page.screenshot({ path: `${process.env.PICTURES}/${name}-${viewport.width}.png`, fullPage: viewport.width < 500 }) : undefined;

/** The page does not scroll sideways, and axe finds nothing serious. */
async function isSound(page) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "nothing hangs over the edge");
  assert.deepEqual(await seriousFaults(page), []);
}

test("the trainer has puzzles of its own and makes more from the games played here", async () => {
  const viewport = SIZES[0];
  const { page, context, check } = await person(browser, server, { viewport });
  const shipped = (await server.get("/api/puzzles")).length;
  assert.ok(shipped >= 20, "puzzles come with the program");
  await page.goto(`${server.url}/#/trainer`);
  await page.locator(".option").first().waitFor({ timeout: 4 * PATIENCE });
  const more = page.getByRole("button", { name: "Puzzles from games here" });
  await more.click();
  await page.getByRole("button", { name: /Analysing/ }).waitFor();
  await more.waitFor({ timeout: 4 * PATIENCE });
  assert.ok((await server.get("/api/puzzles")).length > shipped, "a random player's game has some");
  await isSound(page);
  check();
  await context.close();
});

test("a record that is opened as a file is analysed", async () => {
  const { page, context, check } = await person(browser, server, { viewport: SIZES[1] });
  const text = await (await server.ask(`/api/games/${game.id}/record`)).text();
  await page.goto(`${server.url}/#/watch`);
  await page.getByTestId("upload").setInputFiles({ name: "game.hegemon", mimeType: "text/plain", buffer: Buffer.from(text) });
  const panel = page.getByTestId("analysis");
  await panel.getByRole("combobox").selectOption("fast");
  await panel.getByRole("button", { name: "Analyse" }).click();
  await page.getByTestId("chances").waitFor({ timeout: 4 * PATIENCE });
  assert.equal(await page.getByTestId("totals").locator("tbody tr").count(), 3);
  await page.getByTestId("next-mistake").click();
  // A moment of a file is tried as one of a game of the server is.
  await page.getByTestId("scrubber").fill("120");
  await page.getByRole("button", { name: "Try from here" }).click();
  await page.locator("[data-territory]").first().waitFor();
  const { text: stored } = await server.get(`/api/games/${game.id}/position?frame=120`);
  assert.equal(await page.getByTestId("position").inputValue(), stored);
  check();
  await context.close();
});

test("what a bot did for somebody who resigned is told apart in the review", async () => {
  const { page, context, check } = await person(browser, server, { viewport: SIZES[0] });
  const rules = await server.rules("lux", { end: { "turn-limit": 3, "tie-breaks": ["territories", "armies"] } });
  const own = await server.create({ map: "classic", rules, seats: [{ kind: "human", name: "Ann" }, { kind: "bot", spec: "random" }], seed: "6" });
  await sitDown(page, server, own, [0]);
  await page.locator('[data-state="asked"]').waitFor();
  await page.getByTestId("resign").click();
  await page.getByTestId("resign-yes").click();
  const review = page.getByTestId("end-card").getByTestId("review");
  await review.getByRole("button", { name: "Review this game" }).click({ timeout: 2 * PATIENCE });
  await review.getByText(/decisions of a bot that stood in are not counted\.$/).waitFor({ timeout: 4 * PATIENCE });
  await isSound(page);
  await page.goto(`${server.url}/#/replay/${own.id}`);
  const { points } = (await server.get(`/api/games/${own.id}/analysis?level=fast`)).analysis;
  const { frame } = points.find(({ skill }) => skill?.by_stand_in);
  await page.getByTestId("chances").waitFor();
  await page.getByTestId("scrubber").fill(String(frame));
  await page.getByText("A bot played for Ann; this counts for nobody.").waitFor();
  check();
  await context.close();
});

test("a link whose position was cut or changed says so and opens nothing", async () => {
  const { page, context, check } = await person(browser, server, { viewport: SIZES[0] });
  await page.goto(`${server.url}/#/replay/${game.id}?frame=120`);
  await page.getByRole("button", { name: "Try from here" }).click();
  await page.waitForURL(/#\/editor.*position=/);
  await page.locator("[data-territory]").first().waitFor();
  const whole = page.url();
  const byHand = `${server.url}/#/editor?map=classic&rules=lux&players=3&position=`;
  const changed = [whole.slice(0, -20), whole.slice(0, whole.indexOf("&position")), whole.replace("board%3Da", "board%3Db"), whole.replace(/players=\d/, "players=4"), `${byHand}board%3Da9b1+phase%3Dattack+player%3D0`, `${byHand}nonsense`];
  for (const link of changed) {
    assert.notEqual(link, whole);
    await page.goto(`${server.url}/#/odds`);
    await page.goto(link);
    await page.getByRole("alert").getByText("This link is damaged").waitFor();
    assert.equal(await page.locator("[data-territory]").count(), 0, link);
    assert.equal(await page.getByTestId("position").count(), 0, link);
  }
  await isSound(page);
  await page.getByRole("link", { name: "Begin a new position" }).click();
  await page.locator("[data-territory]").first().waitFor();
  check();
  await context.close();
});

test("where nobody decides the editor says why nothing can be asked", async () => {
  const { page, context, check } = await person(browser, server, { viewport: SIZES[0] });
  const { frames } = await server.get(`/api/games/${game.id}/replay`);
  const attack = frames.findIndex(({ move }) => move?.startsWith("a"));
  for (const [frame, why] of [[attack, /^Dice or cards come next/], [frames.length - 1, /^The game is over/]]) {
    await page.goto(`${server.url}/#/replay/${game.id}?frame=${frame}`);
    await page.getByRole("button", { name: "Try from here" }).click();
    const quiet = page.getByTestId("quiet");
    await quiet.waitFor();
    assert.match(await quiet.innerText(), why);
    for (const button of [page.getByRole("button", { name: "Best plans" }), page.getByRole("button", { name: "Threat map" }), page.getByTestId("play-on")]) {
      assert.ok(await button.isDisabled());
      assert.match(await button.getAttribute("title"), why);
    }
    await isSound(page);
  }
  await page.goto(`${server.url}/#/replay/${game.id}?frame=${attack + 1}`);
  await page.getByRole("button", { name: "Try from here" }).click();
  await page.locator("[data-territory]").first().waitFor();
  await page.getByTestId("quiet").waitFor({ state: "detached" });
  check();
  await context.close();
});

test("who has lost is offered no seat to play on", async () => {
  const { page, context, check } = await person(browser, server, { viewport: SIZES[1] });
  const at = new URLSearchParams({ map: "classic", rules: "lux", players: "3", position: `board=${"b3c2".repeat(21)} phase=attack player=1 round=9 out=0@0.1` });
  await page.goto(`${server.url}/#/editor?${at}`);
  await page.locator("[data-territory]").first().waitFor();
  const seat = page.getByTestId("own-seat");
  await seat.getByText("Player 1").waitFor({ state: "detached" });
  assert.deepEqual(await seat.locator("option").allInnerTexts(), ["Player 2", "Player 3"]);
  assert.equal(await seat.inputValue(), "1", "whose turn it is");
  await page.getByTestId("play-on").click();
  await page.waitForURL(/#\/game\//);
  await page.locator('[data-state="asked"]').waitFor();
  check();
  await context.close();
});

for (const viewport of SIZES) {
  test(`a game is analysed in the replay at ${viewport.width}`, async () => {
    const { page, context, check } = await person(browser, server, { viewport });
    await page.goto(`${server.url}/#/replay/${game.id}`);
    const panel = page.getByTestId("analysis");
    const start = panel.getByRole("button", { name: "Analyse" });
    await start.or(page.getByTestId("totals")).waitFor();
    await panel.getByRole("combobox").selectOption("deep");
    await start.click();
    await panel.getByRole("button", { name: "Cancel" }).click();
    await start.waitFor();
    await panel.getByRole("combobox").selectOption("fast");
    // Where the analysis is there already, the button goes away by itself.
    start.click().catch(() => undefined);
    await page.getByTestId("chances").waitFor({ timeout: 4 * PATIENCE });
    assert.equal(await page.getByTestId("totals").locator("tbody tr").count(), 3);
    assert.ok((await page.getByTestId("marks").locator("span").count()) > 0, "a random player makes mistakes");

    const before = await page.getByTestId("scrubber").inputValue();
    await page.getByTestId("next-mistake").click();
    assert.notEqual(await page.getByTestId("scrubber").inputValue(), before);
    const verdict = await page.getByTestId("verdict").innerText();
    assert.match(verdict, /\?/);
    assert.match(verdict, /Better/);
    let hasArrow = false;
    for (let i = 0; i < 20 && !hasArrow; i += 1) {
      hasArrow = (await page.locator('[data-testid="overlay"] path').count()) > 0;
      if (!hasArrow) await page.getByTestId("next-mistake").click();
    }
    assert.ok(hasArrow, "the better plan is drawn on the board");
    const review = await page.getByTestId("review").innerText();
    assert.match(review, /Accuracy \d+ %/);
    assert.match(review, /luckiest roll/);
    await page.getByTestId("review").getByRole("link").first().click();
    assert.ok(Number(await page.getByTestId("scrubber").inputValue()) > 0);
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, "replay", viewport);
    await isSound(page);
    check();
    await context.close();
  });

  test(`a moment of a replay is tried in the editor and played on at ${viewport.width}`, async () => {
    const { page, context, check } = await person(browser, server, { viewport });
    await page.goto(`${server.url}/#/replay/${game.id}?frame=120`);
    await page.getByRole("button", { name: "Try from here" }).click();
    const text = page.getByTestId("position");
    await text.waitFor();
    assert.match(await text.inputValue(), /^board=/);
    assert.match(page.url(), /#\/editor\?.*position=board/);
    await page.locator("[data-territory]").first().waitFor();

    await text.fill("board=a1 phase=attack player=0");
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /position is wrong/);
    await page.reload();
    await page.locator("[data-territory]").first().waitFor();
    await page.getByRole("button", { name: "Best plans" }).click();
    await page.getByTestId("plans").waitFor({ timeout: 4 * PATIENCE });
    await page.getByRole("button", { name: "Threat map" }).click();
    await page.getByTestId("threat").waitFor({ timeout: 2 * PATIENCE });
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, "editor", viewport);
    await isSound(page);

    await page.getByTestId("play-on").click();
    await page.waitForURL(/#\/game\//);
    await page.locator('[data-state="asked"], [data-state="waiting"], [data-state="over"]').first().waitFor();
    check();
    await context.close();
  });

  test(`a board is painted, shared and asked for a campaign at ${viewport.width}`, async () => {
    const { page, context, check } = await person(browser, server, { viewport });
    await page.goto(`${server.url}/#/odds`);
    await page.getByRole("link", { name: "Campaigns on the board" }).click();
    await page.locator("[data-territory]").first().waitFor();
    await page.getByRole("button", { name: "Player 1", exact: true }).click();
    const brazil = page.getByRole("button", { name: /^Brazil/ });
    await brazil.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByTestId("armies").fill("40");
    await page.getByTestId("armies").blur();
    await page.waitForFunction(() => [...document.querySelectorAll("[data-territory]")].some((land) => land.dataset.armies === "40"));
    const campaign = page.getByTestId("campaign");
    await campaign.getByLabel("Take").selectOption({ label: "Africa" });
    await campaign.getByRole("button", { name: "Odds" }).click();
    await campaign.getByText("to take everything").waitFor();
    assert.match(await campaign.innerText(), /armies are enough for 80 %/);
    assert.ok((await page.locator('[data-testid="overlay"] .arrow').count()) >= 3, "the best order is drawn");
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, "campaign", viewport);
    await isSound(page);
    // The same of a route, one territory after the other.
    await campaign.getByLabel("Take").selectOption({ label: "a route, in order" });
    await campaign.getByText("to take everything").waitFor({ state: "detached" });
    assert.ok(await campaign.getByRole("button", { name: "Odds" }).isDisabled(), "a route has a territory");
    const then = campaign.getByLabel("Then");
    const back = campaign.getByRole("button", { name: "Take back" });
    const goOn = async (n) => {
      const place = await then.locator("option").nth(n).innerText();
      await then.selectOption({ index: n });
      await campaign.locator(".places", { hasText: place }).waitFor();
      return place;
    };
    // A way may end where all around is one's own: another one is tried.
    let route = [];
    const nFirst = await then.locator("option").count();
    for (let n = 1; n < nFirst && route.length < 2; n += 1) {
      const first = await goOn(n);
      if ((await then.count()) > 0) {
        assert.equal(await then.inputValue(), "", "nothing of the next ones is chosen yet");
        route = [first, await goOn(1)];
      } else await back.click();
    }
    await campaign.getByRole("button", { name: "Odds" }).click();
    await campaign.getByText("to take everything").waitFor();
    assert.ok((await campaign.innerText()).includes(["Brazil", ...route].join(" → ")), route.join());
    assert.equal(await campaign.locator("ol li").count(), 2);
    await back.click();
    await campaign.getByText("to take everything").waitFor({ state: "detached" });
    await campaign.getByRole("button", { name: "Odds" }).click();
    await campaign.getByText("to take everything").waitFor();
    await isSound(page);
    // What was said was about 40 armies.
    await page.getByTestId("armies").fill("3");
    await page.getByTestId("armies").blur();
    await campaign.getByText("to take everything").waitFor({ state: "detached" });
    check();
    await context.close();
  });

  test(`a hint in a game against bots is drawn and noted at ${viewport.width}`, async () => {
    const { page, context, check } = await person(browser, server, { viewport });
    const [level] = await server.get("/api/levels");
    const own = await server.create({ map: "classic", rules: "lux", seats: [{ kind: "human", name: "Ann" }, { kind: "bot", level: level.id }], seed: "6" });
    await sitDown(page, server, own, [0]);
    await page.locator('[data-state="asked"]').waitFor();
    await page.getByTestId("ask-hint").click();
    await page.getByTestId("plans").waitFor({ timeout: 4 * PATIENCE });
    assert.ok((await page.locator('[data-testid="overlay"] path').count()) > 0, "the plan is drawn on the board");
    await page.getByText("Ann took a hint.").first().waitFor();
    await page.getByLabel(/Shade what may fall/).check();
    assert.ok((await page.locator('[data-testid="overlay"] .shade').count()) > 0, "threats are shaded");
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, "hint", viewport);
    await isSound(page);
    check();
    await context.close();
  });

  test(`the trainer asks, shows why and keeps the score at ${viewport.width}`, async () => {
    const { page, context, check } = await person(browser, server, { viewport });
    await page.goto(`${server.url}/#/watch`);
    // Whoever has answered all before it is asked a puzzle whose player holds cards.
    const puzzles = await server.get("/api/puzzles");
    const asked = puzzles.findIndex(({ position }) => position.cards.length > 1);
    const known = puzzles.slice(0, asked).map(({ id }, time) => ({ puzzle: id, time, loss: 0 }));
    await page.evaluate((all) => localStorage.setItem("hegemon.trainer", JSON.stringify(all)), known);
    await page.getByRole("link", { name: "Trainer" }).click();
    const option = page.locator(".option").first();
    await option.waitFor({ timeout: 2 * PATIENCE });
    assert.equal(await page.locator(".chance").count(), 0, "nothing is told before the answer");
    const { cards, frame } = puzzles[asked].position;
    assert.equal(await page.getByTestId("cards").locator("li").count(), cards.length, "the cards of who decides");
    const mover = await page.locator("tr.moves td").allInnerTexts();
    assert.deepEqual(mover.slice(-2), [`+${frame.income[frame.mover]}`, String(cards.length)]);
    await option.click();
    await page.locator(".verdict").waitFor();
    assert.ok((await page.locator(".option.right").count()) > 0, "the best is shown");
    assert.match(await page.getByTestId("score").innerText(), new RegExp(`of ${asked + 1} right`));
    await picture(page, "trainer", viewport);
    await isSound(page);
    await page.getByRole("button", { name: "Next puzzle" }).click();
    await option.waitFor({ timeout: 2 * PATIENCE });
    await page.reload();
    assert.match(await page.getByTestId("score").innerText(), new RegExp(`of ${asked + 1} right`), "kept in this browser");
    check();
    await context.close();
  });
}
