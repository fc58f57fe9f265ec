// The lab's report, a page of its own, is as wide as the screen and accessible.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, program, seriousFaults } from "./harness.mjs";
import { overflow, SIZES } from "./sizes.mjs";

/** Where axe looks: what scrolls sideways differs between a narrow page and a wide one, and nothing else. */
const LOOKED_AT = ["phone", "desktop"];

/** Opens a report on every screen; on these sizes axe looks at it too. */
async function fits(browser, file, looked) {
  for (const [size, options] of Object.entries(SIZES)) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("table").first().waitFor();
    assert.ok((await overflow(page)) <= 0, size);
    if (looked.includes(size)) assert.deepEqual(await seriousFaults(page), [], size);
    await context.close();
  }
}

test("the report of the lab fits every screen", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "hegemon-report-"));
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const lab = (...args) => execFileSync(program(), ["lab", ...args, "--scale", "smoke", "--seed", "1", "--store", path.join(folder, "lab.db")], { stdio: "ignore" });
  lab("run", "003-lecture");
  lab("report", "--out", folder);
  await fits(browser, path.join(folder, "report.html"), LOOKED_AT);
  // The one of the documentation has every figure and table that there is.
  await fits(browser, fileURLToPath(new URL("../../docs/lab/report.html", import.meta.url)), []);
});
