// Which land cell belongs to which territory.

import { blur, grow, pieces } from "./raster.mjs";

export const SEA = -1;

/** Smooth repeatable noise between -1 and 1, one value per `wavelength`. */
export function createNoise(wavelength, seed) {
  const corner = (x, y) => {
    let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2246822519);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 2147483648 - 1;
  };
  const ease = (t) => t * t * (3 - 2 * t);
  return (x, y) => {
    const column = Math.floor(x / wavelength);
    const row = Math.floor(y / wavelength);
    const right = ease(x / wavelength - column);
    const down = ease(y / wavelength - row);
    const upper = corner(column, row) * (1 - right) + corner(column + 1, row) * right;
    const lower = corner(column, row + 1) * (1 - right) + corner(column + 1, row + 1) * right;
    return upper * (1 - down) + lower * down;
  };
}

/** The land as a field of 0 and 1, its coast smoothed by `radius`, without necks of land or water thinner than `neck`. */
export function smoothLand(land, radius, neck) {
  const rough = threshold(blur(land, radius));
  const open = grow(grow(rough, 0, neck / 2), 1, neck / 2);
  const closed = grow(grow(open, 1, neck / 2), 0, neck / 2);
  return threshold(blur(closed, radius / 2));
}

function threshold(soft) {
  const hard = soft.like(Uint8Array);
  soft.cells.forEach((value, i) => { hard.cells[i] = value > 0.5 ? 1 : 0; });
  return hard;
}

/**
 * Gives each land cell the territory of its nearest anchor. A piece of land in which some territories have anchors is
 * shared among those alone, so that no cell falls to a territory across a sea; other islands go to the nearest anchor.
 */
export function assignTerritories(land, anchors, wobble) {
  const { pieceOf, found } = pieces(land, 0);
  const inside = found.map(() => []);
  for (const anchor of anchors) {
    const piece = pieceOf[land.index(anchor.x, anchor.y)];
    if (piece >= 0) inside[piece].push(anchor);
  }
  const labels = land.like(Int8Array);
  labels.cells.fill(SEA);
  const noiseX = createNoise(wobble.wavelength, 1);
  const noiseY = createNoise(wobble.wavelength, 2);
  found.forEach((piece, i) => {
    const candidates = inside[i].length > 0 ? inside[i] : anchors;
    for (const cell of piece.cells) {
      const [x, y] = land.centre(cell);
      const movedX = x + wobble.amplitude * noiseX(x, y);
      const movedY = y + wobble.amplitude * noiseY(x, y);
      labels.cells[cell] = nearest(candidates, movedX, movedY);
    }
  });
  return labels;
}

function nearest(anchors, x, y) {
  let best = anchors[0];
  let bestDistance = Infinity;
  for (const anchor of anchors) {
    const distance = (anchor.x - x) ** 2 + (anchor.y - y) ** 2;
    if (distance < bestDistance) {
      best = anchor;
      bestDistance = distance;
    }
  }
  return best.territory;
}

/** Rounds borders off: each land cell goes to the territory that fills most of its surroundings. */
export function smoothBorders(labels, nTerritories, radius) {
  const strongest = labels.like(Float32Array);
  const smooth = labels.like(Int8Array);
  smooth.cells.fill(SEA);
  for (let territory = 0; territory < nTerritories; territory++) {
    const share = labels.like(Float32Array);
    labels.cells.forEach((label, i) => { if (label === territory) share.cells[i] = 1; });
    blur(share, radius).cells.forEach((value, i) => {
      if (labels.cells[i] !== SEA && value > strongest.cells[i]) {
        strongest.cells[i] = value;
        smooth.cells[i] = territory;
      }
    });
  }
  return smooth;
}

/**
 * Drops islands smaller than `minIsland` and hands pieces that hang on a foreign territory, away from their own, to
 * that territory. Returns how many pieces changed hands.
 */
export function removeFragments(labels, minIsland) {
  const { pieceOf, found } = pieces(labels, SEA);
  const largest = new Map();
  found.forEach((piece, i) => {
    const best = largest.get(piece.value);
    if (best === undefined || piece.cells.length > found[best].cells.length) largest.set(piece.value, i);
  });
  let changed = 0;
  found.forEach((piece, i) => {
    if (largest.get(piece.value) === i) return;
    const host = longestContact(labels, piece, pieceOf, i);
    const area = piece.cells.length / labels.scale ** 2;
    if (host === SEA && area >= minIsland) return;
    changed++;
    for (const cell of piece.cells) labels.cells[cell] = host;
  });
  return changed;
}

function longestContact(labels, piece, pieceOf, self) {
  const contact = new Map();
  for (const cell of piece.cells) {
    for (const near of labels.neighbours(cell)) {
      if (pieceOf[near] === self || labels.cells[near] === SEA) continue;
      contact.set(labels.cells[near], (contact.get(labels.cells[near]) ?? 0) + 1);
    }
  }
  let best = SEA;
  for (const [label, length] of contact) if (best === SEA || length > contact.get(best)) best = label;
  return best;
}

/** Fills lakes and bays cut off from the sea that are smaller than `maxLake`. */
export function fillLakes(land, maxLake) {
  const { found } = pieces(land, 1);
  for (const water of found) {
    if (water.cells.length / land.scale ** 2 < maxLake) for (const cell of water.cells) land.cells[cell] = 1;
  }
}

/** Makes cells that touch only at a corner part of one of their neighbours, so that borders never cross. */
export function openCorners(labels) {
  const { width, height, cells } = labels;
  let changed = 0;
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      const i = y * width + x;
      const [a, b, c, d] = [cells[i], cells[i + 1], cells[i + width], cells[i + width + 1]];
      if (a === d && a !== b && a !== c) { cells[i + 1] = a; changed++; }
      else if (b === c && b !== a && b !== d) { cells[i] = b; changed++; }
    }
  }
  return changed;
}

/** Length of the border between each pair of territories, in units of the board; key "a,b" with a < b. */
export function contacts(labels) {
  const lengths = new Map();
  labels.cells.forEach((label, i) => {
    if (label === SEA) return;
    for (const near of [i + 1, i + labels.width]) {
      const other = labels.cells[near];
      if (other === undefined || other === SEA || other === label) continue;
      const key = label < other ? `${label},${other}` : `${other},${label}`;
      lengths.set(key, (lengths.get(key) ?? 0) + 1 / labels.scale);
    }
  });
  return lengths;
}
