// Plays all tests, two files at a time. A file with a failure is played once more, alone: a fault of the page fails again,
// a machine that was too slow does not. Both outcomes are told.

import { readdirSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { tap } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** The failures of these files, as `[file, name]`. */
function failures(files, concurrency) {
  return new Promise((resolve, reject) => {
    const failed = [];
    const tests = run({ files, concurrency });
    tests.on("test:fail", ({ name, file, todo }) => todo === undefined && failed.push([file, name]));
    tests.on("error", reject);
    tests.compose(tap).on("end", () => resolve(failed)).pipe(process.stdout, { end: false });
  });
}

const names = process.argv.slice(2);
const files = readdirSync(HERE).filter((name) => name.endsWith(".test.mjs") && (names.length === 0 || names.includes(name)));
const first = await failures(files.map((name) => path.join(HERE, name)), 2);
if (first.length > 0) {
  const again = [...new Set(first.map(([file]) => file))];
  console.log(`# ${first.length} failed; once more, alone: ${again.map((file) => path.basename(file)).join(", ")}`);
  const second = await failures(again, 1);
  const passed = first.filter(([, name]) => !second.some(([, other]) => other === name));
  for (const [file, name] of passed) console.log(`# unsteady: failed at first and then passed: ${path.basename(file)}: ${name}`);
  process.exitCode = second.length > 0 ? 1 : 0;
}
