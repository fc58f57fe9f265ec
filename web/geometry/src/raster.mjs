// Fields of numbers on a grid of square cells, with the few operations the board needs.

export class Raster {
  /** `width` and `height` in cells; `scale` cells make one unit of the board. */
  constructor(width, height, scale, cells) {
    this.width = width;
    this.height = height;
    this.scale = scale;
    this.cells = cells;
  }

  static covering([width, height], scale, Cells = Float32Array) {
    const columns = Math.round(width * scale);
    const rows = Math.round(height * scale);
    return new Raster(columns, rows, scale, new Cells(columns * rows));
  }

  /** Same shape, fresh cells. */
  like(Cells = Float32Array) {
    return new Raster(this.width, this.height, this.scale, new Cells(this.cells.length));
  }

  index(x, y) {
    const column = Math.min(this.width - 1, Math.max(0, Math.floor(x * this.scale)));
    const row = Math.min(this.height - 1, Math.max(0, Math.floor(y * this.scale)));
    return row * this.width + column;
  }

  /** Middle of a cell in units of the board. */
  centre(index) {
    return [
      ((index % this.width) + 0.5) / this.scale,
      (Math.floor(index / this.width) + 0.5) / this.scale,
    ];
  }

  /** The cells to the left, right, above and below, as far as the grid goes. */
  neighbours(index) {
    const column = index % this.width;
    const near = [];
    if (column > 0) near.push(index - 1);
    if (column < this.width - 1) near.push(index + 1);
    if (index >= this.width) near.push(index - this.width);
    if (index < this.cells.length - this.width) near.push(index + this.width);
    return near;
  }
}

/** Sets every cell whose middle lies inside the rings (even-odd) to `value`. */
export function fillRings(raster, rings, value) {
  const crossings = Array.from({ length: raster.height }, () => []);
  for (const ring of rings) {
    ring.forEach(([x0, y0], i) => {
      const [x1, y1] = ring[(i + 1) % ring.length];
      addCrossings(raster, crossings, [x0, y0], [x1, y1]);
    });
  }
  crossings.forEach((row, y) => {
    row.sort((a, b) => a - b);
    for (let i = 0; i + 1 < row.length; i += 2) {
      const first = Math.max(0, Math.ceil(row[i] - 0.5));
      const last = Math.min(raster.width - 1, Math.ceil(row[i + 1] - 0.5) - 1);
      for (let x = first; x <= last; x++) raster.cells[y * raster.width + x] = value;
    }
  });
}

function addCrossings(raster, crossings, start, end) {
  const [x0, y0] = start.map((v) => v * raster.scale);
  const [x1, y1] = end.map((v) => v * raster.scale);
  const first = Math.max(0, Math.ceil(Math.min(y0, y1) - 0.5));
  const last = Math.min(raster.height - 1, Math.ceil(Math.max(y0, y1) - 0.5) - 1);
  for (let row = first; row <= last; row++) {
    crossings[row].push(x0 + ((row + 0.5 - y0) / (y1 - y0)) * (x1 - x0));
  }
}

/** Sets every cell nearer than half of `width` to the polyline to `value`. */
export function strokeLine(raster, points, width, value) {
  for (let i = 0; i + 1 < points.length; i++) {
    const [x0, y0] = points[i];
    const [x1, y1] = points[i + 1];
    const steps = Math.max(1, Math.ceil(Math.hypot(x1 - x0, y1 - y0) * raster.scale * 2));
    for (let k = 0; k <= steps; k++) {
      stampDisc(raster, x0 + ((x1 - x0) * k) / steps, y0 + ((y1 - y0) * k) / steps, width / 2, value);
    }
  }
}

function stampDisc(raster, x, y, radius, value) {
  const { scale, width, height, cells } = raster;
  const reach = radius * scale;
  for (let row = Math.floor(y * scale - reach); row <= y * scale + reach; row++) {
    for (let column = Math.floor(x * scale - reach); column <= x * scale + reach; column++) {
      if (row < 0 || column < 0 || row >= height || column >= width) continue;
      const distance = Math.hypot(column + 0.5 - x * scale, row + 0.5 - y * scale);
      if (distance <= reach) cells[row * width + column] = value;
    }
  }
}

/** Gaussian blur by three box blurs; `radius` is the standard deviation in units of the board. */
export function blur(raster, radius) {
  const half = Math.max(1, Math.round((radius * raster.scale * Math.sqrt(12 / 3 + 1 / (radius * raster.scale) ** 2) - 1) / 2));
  let cells = raster.cells;
  for (let pass = 0; pass < 3; pass++) {
    cells = boxBlur(cells, raster.width, raster.height, half, 1, raster.width);
    cells = boxBlur(cells, raster.height, raster.width, half, raster.width, 1);
  }
  return new Raster(raster.width, raster.height, raster.scale, cells);
}

/** Moving mean along lines of `length` cells `step` apart; beyond the ends the last cell repeats. */
function boxBlur(cells, length, lines, half, step, lineStep) {
  const blurred = new Float32Array(cells.length);
  const share = 1 / (2 * half + 1);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    const at = (i) => cells[start + Math.min(length - 1, Math.max(0, i)) * step];
    let sum = 0;
    for (let i = -half; i <= half; i++) sum += at(i);
    for (let i = 0; i < length; i++) {
      blurred[start + i * step] = sum * share;
      sum += at(i + half + 1) - at(i - half);
    }
  }
  return blurred;
}

/** Connected pieces of equal value: for each cell its piece, for each piece its value and cells. `skip` is no piece. */
export function pieces(raster, skip) {
  const pieceOf = new Int32Array(raster.cells.length).fill(-1);
  const found = [];
  for (let start = 0; start < raster.cells.length; start++) {
    const value = raster.cells[start];
    if (pieceOf[start] >= 0 || value === skip) continue;
    const cells = [start];
    pieceOf[start] = found.length;
    for (let k = 0; k < cells.length; k++) {
      for (const near of raster.neighbours(cells[k])) {
        if (pieceOf[near] < 0 && raster.cells[near] === value) {
          pieceOf[near] = found.length;
          cells.push(near);
        }
      }
    }
    found.push({ value, cells });
  }
  return { pieceOf, found };
}

/** Grows the cells of `value` by `radius` units of the board in every direction. */
export function grow(raster, value, radius) {
  const grown = new Raster(raster.width, raster.height, raster.scale, raster.cells.slice());
  raster.cells.forEach((cell, i) => {
    if (cell !== value || raster.neighbours(i).every((near) => raster.cells[near] === value)) return;
    stampDisc(grown, ...raster.centre(i), radius, value);
  });
  return grown;
}
