#!/usr/bin/env node
// A complete hegemon bot, without packages. The protocol: docs/protocol.md.
"use strict";
let game = null; // what new_game said
let view = null; // what the last choose said

const mine = (t) => view.owners[t] === game.seat;
const enemies = (t) => game.map.territories[t].neighbors.filter((n) => !mine(n));

// The element with the highest value, the first one if several have it.
function best(list, value) {
  let [found, highest] = [undefined, -Infinity];
  for (const item of list) {
    const v = value(item);
    if (v > highest) [found, highest] = [item, v];
  }
  return found;
}

// Most for a small continent of which much is ours.
function worth(t) {
  const land = game.map.continents[game.map.territories[t].continent];
  const held = land.territories.filter(mine).length;
  return ((land.bonus + 1) * (held + 1)) / land.territories.length ** 2;
}

// A move for each kind; `groups` holds the legal moves of that kind.
const choose = {
  claim: (groups) => `c${best(groups[0].to, worth)}`,
  capital: (groups) => `k${best(groups[0].to, (t) => -enemies(t).length)}`,
  trade: (groups) => groups[0].move,
  // All on one, where the best target is near and can be taken.
  place(groups) {
    const most = groups[0].armies[1];
    const chance = (t, n) => worth(n) * Math.min(4, (view.armies[t] + most) / view.armies[n]);
    const value = (t) => (mine(t) ? Math.max(0, ...enemies(t).map((n) => chance(t, n))) : 0);
    return `p${best(groups[0].to, value)}x${most}`;
  },
  // The best target among those that are weaker.
  attack(groups) {
    const all = groups.flatMap((g) => g.to.map((to) => ({ from: g.from, to, n: g.armies[1] })));
    const good = all.filter(({ from, to }) => view.armies[from] > view.armies[to] + 1);
    const one = best(good, ({ to }) => worth(to));
    return one && `a${one.from}>${one.to}x${one.n}`;
  },
  // All go on, unless only the old place still has enemies around it.
  occupy([{ armies }]) {
    const { from, to } = view.front;
    return `o${enemies(from).length > 0 && enemies(to).length === 0 ? armies[0] : armies[1]}`;
  },
  // The largest army without an enemy around it goes where there are some.
  fortify(groups) {
    const idle = best(groups.filter((g) => enemies(g.from).length === 0), (g) => g.armies[1]);
    const to = idle && best(idle.to, (t) => enemies(t).length);
    return idle && enemies(to).length > 0 && `f${idle.from}>${to}x${idle.armies[1]}`;
  },
};

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return say({ type: "error", message: "that was not JSON" });
  }
  if (message.type === "hello") say({ type: "hello", protocol: 1, name: "example.js" });
  if (message.type === "new_game") game = message;
  if (message.type === "choose") {
    view = message.view;
    const groups = message.groups.filter((g) => g.kind !== "end");
    const move = (groups.length > 0 && choose[groups[0].kind](groups)) || "end";
    say({ type: "move", id: message.id, move });
  }
});
