// Draws the committed board as SVG files, light and dark, to look at: node web/geometry/preview.mjs FOLDER

import { readFileSync, writeFileSync } from "node:fs";

const folder = process.argv[2] ?? ".";
const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const board = read(process.argv[3] ?? "../src/board/classic.json");
const map = read(process.argv[4] ?? "../../maps/classic.json");

const themes = {
  light: { sea: "#dfe9f1", edge: "#33424f", link: "#41576a", disc: "#ffffff", ink: "#1b242c", label: "#5b7282" },
  dark: { sea: "#16212b", edge: "#0c1319", link: "#9db6c8", disc: "#10181f", ink: "#f2f5f7", label: "#8aa2b3" },
};

function draw(theme) {
  const [, , width, height] = board.viewBox;
  const continentOf = new Map(map.territories.map((t) => [t.name, t.continent]));
  const colorOf = new Map(map.continents.map((c) => [c.name, c.color]));
  const lands = board.territories.map((t) =>
    `<path d="${t.path}" fill="${colorOf.get(continentOf.get(t.name))}" fill-opacity="0.82" fill-rule="evenodd"/>`);
  const borders = board.territories.map((t) => `<path d="${t.path}"/>`);
  const outlines = board.continents.filter((c) => c.path).map((c) => `<path d="${c.path}"/>`);
  const links = board.links.map((l) => `<path d="${l.path}"/>`);
  const counts = board.territories.map((t, i) => {
    const [x, y] = t.label;
    return `<circle cx="${x}" cy="${y}" r="11" fill="${theme.disc}" stroke="${theme.edge}"/>` +
      `<text x="${x}" y="${y + 4}" font-size="11.5" font-weight="600" fill="${theme.ink}">${i % 5 === 0 ? 100 + i : i}</text>`;
  });
  const titles = board.continents.map((c) =>
    `<text x="${c.label[0]}" y="${c.label[1]}" fill="${theme.label}" font-size="13" font-weight="600" letter-spacing="1.5">${c.name.toUpperCase()}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${board.viewBox.join(" ")}" width="${width}" height="${height}"
    font-family="DejaVu Sans, sans-serif" text-anchor="middle"><rect width="100%" height="100%" fill="${theme.sea}"/>
    <g fill="${theme.sea}">${borders.join("")}</g>${lands.join("\n")}
    <g fill="none" stroke="${theme.edge}" stroke-width="0.9" stroke-linejoin="round">${borders.join("")}</g>
    <g fill="none" stroke="${theme.edge}" stroke-width="1.6" stroke-linejoin="round">${outlines.join("")}</g>
    <g fill="none" stroke="${theme.sea}" stroke-opacity="0.55" stroke-width="3.4" stroke-linecap="round">${links.join("")}</g>
    <g fill="none" stroke="${theme.link}" stroke-width="2" stroke-dasharray="0.1 4.2" stroke-linecap="round">${links.join("")}</g>
    ${counts.join("\n")}${titles.join("\n")}</svg>\n`;
}

for (const [name, theme] of Object.entries(themes)) writeFileSync(`${folder}/board-${name}.svg`, draw(theme));
