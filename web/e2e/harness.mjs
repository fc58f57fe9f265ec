// A server of its own for each test file, and a real browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Slow machines are no fault of the page. */
export const PATIENCE = 30_000;

const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const AXE = fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url));

export const program = () => {
  const binary = process.env.HEGEMON_BIN;
  assert.ok(binary, "HEGEMON_BIN names the program to test, for example target/debug/hegemon");
  return path.resolve(binary);
};

/** The program with a store in a folder of its own. */
export class Server {
  constructor(more = [], command = null) {
    this.command = command;
    this.folder = mkdtempSync(path.join(tmpdir(), "hegemon-e2e-"));
    this.more = more;
    this.port = 0;
  }

  async start() {
    const store = path.join(this.folder, "games.db");
    const command = this.command ?? ["play", "--store", store];
    this.process = spawn(program(), [...command, "--port", String(this.port), ...this.more], { stdio: ["ignore", "pipe", "inherit"] });
    this.url = await firstAddress(this.process);
    this.port = Number(new URL(this.url).port);
    return this;
  }

  /** Without any chance to tidy up. */
  async kill() {
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGKILL");
    await gone;
  }

  async stop() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The answer to a question, which is asked again, as the page does, while the server works on others of this machine. */
  async ask(address) {
    for (const end = Date.now() + PATIENCE; ; ) {
      const answer = await fetch(new URL(address, this.url));
      if (answer.status !== 429 || Date.now() > end) return answer;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  async get(address) {
    return (await this.ask(address)).json();
  }

  async create(game, headers = {}) {
    const answer = await fetch(new URL("/api/games", this.url), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(game),
    });
    const body = await answer.json();
    assert.equal(answer.status, 201, JSON.stringify(body));
    return body;
  }

  /** Waits until a game of bots is over: its replay is refused before, and a busy machine takes its time. */
  async playedOut(game) {
    const end = Date.now() + PATIENCE;
    while ((await this.get(`/api/games/${game.id}`)).status !== "over") {
      assert.ok(Date.now() < end, "bots finish a short game");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** The rules of a preset with some axes changed. */
  async rules(preset, change = {}) {
    const presets = await this.get("/api/rules");
    return { ...presets.find(({ name }) => name === preset).rules, ...change };
  }
}

function firstAddress(process) {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`the program did not say its address: ${said}`)), PATIENCE);
    process.stdout.on("data", (chunk) => {
      said += chunk;
      const address = /http:\/\/[\w.:[\]]+\d/.exec(said)?.[0];
      if (address) {
        clearTimeout(timer);
        resolve(address);
      }
    });
    process.once("exit", (code) => reject(new Error(`the program ended with status ${code}: ${said}`)));
  });
}

export async function launch() {
  const executablePath = CHROMIUM.find((candidate) => candidate && existsSync(candidate));
  assert.ok(executablePath, "no Chromium found; install Debian's package chromium-headless-shell or chromium, or set CHROMIUM");
  const args = ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"];
  // A page served by `serveFrom` has no address, so its sockets to this machine would be refused.
  if (process.env.HEGEMON_DIST) args.push("--disable-features=LocalNetworkAccessChecks");
  return chromium.launch({ executablePath, args });
}

/** A browser of one person; every fault on its page, and every request to elsewhere, fails the test at `check`. */
export async function person(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", serviceWorkers: "block", ...options });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(() => localStorage.setItem("hegemon.preferences", JSON.stringify({ speed: "instant", attack: "end", shortcuts: true, threshold: 0 })));
  if (process.env.HEGEMON_DIST) await serveFrom(context, path.resolve(process.env.HEGEMON_DIST), server);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error on the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) faults.push(message.text());
  });
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(server.url).origin) faults.push(`request to ${origin}`);
  });
  const check = () => assert.deepEqual(faults, []);
  return { context, page, check };
}

/** Files of a folder instead of those in the program: to try a change of the page without compiling the program. */
async function serveFrom(context, folder, server) {
  const policy = (await fetch(server.url)).headers.get("content-security-policy") ?? "";
  await context.route(
    (url) => !url.pathname.startsWith("/api/"),
    (route) => {
      const name = new URL(route.request().url()).pathname.replace(/\/$/, "/index.html");
      return route.fulfill({ path: path.join(folder, name), headers: { "content-security-policy": policy } });
    },
  );
}

/** What axe finds on the page, as far as it is serious. */
export async function seriousFaults(page) {
  await page.evaluate(await readFile(AXE, "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).slice(0, 3).join(" | ")}`);
}

/** Opens a game in which this browser holds these seats. */
export async function sitDown(page, server, game, seats) {
  const here = game.seats.filter(({ seat }) => seats.includes(seat)).map(({ seat, token }) => ({ seat, token }));
  await page.goto(`${server.url}/#/odds`);
  await page.evaluate(([id, value]) => localStorage.setItem(`hegemon.game.${id}`, value), [game.id, JSON.stringify({ here, invitations: [] })]);
  await page.goto(`${server.url}/#/game/${game.id}`);
  await page.locator("[data-territory]").first().waitFor();
}
