// A smooth displacement of the flat map that gives each place the area its density asks for.
//
// This is the flow-based density-equalising map of Gastner, Seguy and More (2018): material of the given density flows
// until it is spread evenly, and every point of the map is carried along.

/** Potential whose Laplacian is `source` on a grid with walls (successive over-relaxation; source has mean zero). */
function solvePotential(source, width, height) {
  const potential = new Float64Array(source.length);
  const relaxation = 2 / (1 + Math.sin(Math.PI / Math.max(width, height)));
  for (let sweep = 0; sweep < 6 * Math.max(width, height); sweep++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        let sum = 0;
        let count = 0;
        if (x > 0) { sum += potential[i - 1]; count++; }
        if (x < width - 1) { sum += potential[i + 1]; count++; }
        if (y > 0) { sum += potential[i - width]; count++; }
        if (y < height - 1) { sum += potential[i + width]; count++; }
        potential[i] += relaxation * ((sum - source[i]) / count - potential[i]);
      }
    }
  }
  return potential;
}

/** Value of a field of cell middles at a point given in cells, bilinear, the last cell repeating beyond the ends. */
function sample(field, width, height, x, y) {
  const clampedX = Math.min(width - 1, Math.max(0, x - 0.5));
  const clampedY = Math.min(height - 1, Math.max(0, y - 0.5));
  const column = Math.min(width - 2, Math.floor(clampedX));
  const row = Math.min(height - 2, Math.floor(clampedY));
  const right = clampedX - column;
  const down = clampedY - row;
  const i = row * width + column;
  return (
    (field[i] * (1 - right) + field[i + 1] * right) * (1 - down) +
    (field[i + width] * (1 - right) + field[i + width + 1] * right) * down
  );
}

/** Takes a density raster and returns the map from points of the flat map to points of the board. */
export function createWarp(density) {
  const { width, height, scale } = density;
  const mean = density.cells.reduce((a, b) => a + b, 0) / density.cells.length;
  const source = Float64Array.from(density.cells, (value) => value - mean);
  const { fluxX, fluxY } = gradient(solvePotential(source, width, height), width, height);

  const velocity = (x, y, time) => {
    const now = (1 - time) * sample(density.cells, width, height, x, y) + time * mean;
    return [
      faceSample(fluxX, width + 1, height, x, y - 0.5) / now,
      faceSample(fluxY, width, height + 1, x - 0.5, y) / now,
    ];
  };
  const steps = 60;
  return ([startX, startY]) => {
    let x = startX * scale;
    let y = startY * scale;
    for (let k = 0; k < steps; k++) {
      const [halfX, halfY] = velocity(x, y, k / steps);
      const [vx, vy] = velocity(x + halfX / (2 * steps), y + halfY / (2 * steps), (k + 0.5) / steps);
      x = Math.min(width, Math.max(0, x + vx / steps));
      y = Math.min(height, Math.max(0, y + vy / steps));
    }
    return [x / scale, y / scale];
  };
}

/** Differences of the potential across the faces between cells; nothing passes the walls. */
function gradient(potential, width, height) {
  const fluxX = new Float64Array((width + 1) * height);
  const fluxY = new Float64Array(width * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width; x++) {
      fluxX[y * (width + 1) + x] = potential[y * width + x] - potential[y * width + x - 1];
    }
  }
  for (let y = 1; y < height; y++) {
    for (let x = 0; x < width; x++) {
      fluxY[y * width + x] = potential[y * width + x] - potential[(y - 1) * width + x];
    }
  }
  return { fluxX, fluxY };
}

const faceSample = (field, width, height, x, y) => sample(field, width, height, x + 0.5, y + 0.5);
