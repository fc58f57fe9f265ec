// What makes the classic board: everything that was decided by eye. Points are [longitude, latitude] in degrees.

export const frame = {
  size: [1000, 600],
  margin: { left: 14, right: 14, top: 20, bottom: 22 },
  south: -56,
  north: 83.2,
  centralMeridian: 11,
};

/** How much area a place gets compared with the flat map; what is not named gets 1. */
export const density = {
  sea: 0.55,
  blur: 7,
  territories: {
    "Greenland": 0.75,
    "Northwest Territory": 0.75,
    "Iceland": 11,
    "Great Britain": 8,
    "Scandinavia": 1.9,
    "Northern Europe": 3,
    "Western Europe": 3.2,
    "Southern Europe": 3.6,
    "Ukraine": 1.1,
    "Japan": 9,
    "Central America": 2.6,
    "Madagascar": 6,
    "New Guinea": 4.5,
    "Indonesia": 4.5,
    "Siam": 2.2,
    "Venezuela": 1.3,
    "Egypt": 1.4,
    "Middle East": 1.3,
    "Siberia": 0.8,
    "Yakutsk": 0.8,
    "Ural": 0.9,
    "China": 0.9,
  },
  /** Seas that must not be squeezed between crowded lands: [longitude, latitude, radius on the flat map, density]. */
  seas: [
    [-3, 54, 26, 3.5], // around Great Britain
    [5, 56, 14, 2], // North Sea
    [-20, 64, 24, 2], // around Iceland
    [136, 39, 24, 2.6], // around Japan
    [46, -18, 16, 1.5], // around Madagascar
    [16, 38, 22, 1.6], // Mediterranean
    [8, 38, 14, 1.6],
    [120, -1, 40, 1.2], // Indonesia
    [139, -10, 16, 1.5], // Arafura Sea
    [39, 20, 10, 1.5], // Red Sea
  ],
};

/** Islands left out, as boxes [west, south, east, north]. */
export const leftOut = [
  [-180, -90, 180, -60], // Antarctica
  [-126, 74.2, -60, 84], // Queen Elizabeth Islands
  [5, 74, 36, 82], // Svalbard
  [40, 79, 70, 83], // Franz Josef Land
  [85, 77, 115, 83], // Severnaya Zemlya
  [134, 72.5, 160, 77], // New Siberian Islands
  [141, 45.5, 145, 55], // Sakhalin
  [-64, -54, -56, -50], // Falkland Islands
];

/** Straits that must stay open: [width on the board, points]. */
export const straits = [
  [8, [[34.2, 27.4], [37, 23], [39.5, 18.5], [42.5, 14], [43.3, 12.7], [45, 12], [48, 12.5]]], // Red Sea
  [7, [[-78, 63], [-73, 62.3], [-68, 60.6], [-63, 61]]], // Hudson Strait
  [8, [[-8, 36], [-5.6, 35.95], [-3, 36]]], // Gibraltar
  [9, [[-8, 49], [-4, 49.6], [-1, 50.1], [1.4, 51], [3, 52.2], [4, 54]]], // English Channel
  [6, [[-8, 50.5], [-6, 52], [-5.2, 53.5], [-5.4, 54.7], [-7, 56]]], // Irish Sea
  [7, [[8, 57.8], [10.8, 57.9], [11.3, 56.6], [12.6, 55.6], [13, 54.9], [16, 55.3]]], // Kattegat
  [6, [[20, 58.5], [22.5, 59.4], [25, 59.9], [29, 60]]], // Gulf of Finland
  [12, [[43.2, 68.4], [45.5, 68.2]]], // Kanin, too thin to draw
  [7, [[9.5, 38.5], [11.4, 37.6], [13, 36.4]]], // Strait of Sicily
];

/** Land bridges that must stay closed: [width on the board, points]. */
export const bridges = [
  [9, [[-85.5, 12], [-84, 10], [-82, 8.6], [-80, 8.6], [-78.5, 9], [-77.2, 8], [-75, 7]]], // Panama
  [12, [[32, 30.5], [33.5, 30], [34.5, 30.5]]], // Sinai
  [13, [[-3.6, 57], [-2.6, 55], [-2, 53], [-3.2, 52.3], [-2.6, 51.6]]], // the west of Great Britain
  [9, [[-101, 72.5], [-95, 73], [-96, 70], [-104, 69.5]]], // the straits about Boothia
  [7, [[-117, 70.5], [-114, 69.5]]], // Victoria Island
  [7, [[-5, 50.4], [-3.2, 51.2]]], // Cornwall
  [6, [[99, 13], [98.9, 10], [100.2, 7]]], // Malay Peninsula
  [22, [[-1.6, 53], [-1.2, 52]]], // England
  [9, [[-7, 54.2], [-8.2, 53]]], // Ireland
  [7, [[126.8, 40], [128, 36.5]]], // Korea
  [6, [[-83, 22.6], [-80, 22.6], [-76.5, 20.6]]], // Cuba
  [7, [[-72.5, 19], [-70, 18.8]]], // Hispaniola
  [20, [[137, 36], [139.5, 37.2], [140.4, 38.4]]], // Honshu
  [6, [[12.9, 37.6], [15, 37.4]]], // Sicily
  [5, [[80.6, 7.8], [80.9, 7]]], // Ceylon
  [9, [[131, 33.3], [133, 34], [135, 34.4], [138, 35.6], [140, 37.5]]], // Japan's inland sea
  [8, [[107.5, -6.9], [110, -7.3], [114, -8]]], // Java
  [9, [[120.5, -4], [120.3, -1.5], [121.5, 0.5], [123.5, 0.6]]], // Celebes
  [9, [[122, 11], [125, 8]]], // Philippines
  [9, [[121, 17], [121, 14.5]]], // Luzon
];

export const smoothing = {
  coast: 1.5,
  neck: 4,
  border: 2.5,
  wobble: { amplitude: 2.5, wavelength: 16 },
  arc: 2.2,
  thin: 0.12,
  minIsland: 24,
  maxLake: 60,
};

/**
 * Sea links that need a hand: `from`, `to` and `via` choose landing places and points on the way, `bend` the bulge.
 * All other edges without a border on land are drawn where the coasts are nearest.
 */
export const links = [
  { a: "Alaska", b: "Kamchatka", from: [-167, 65], to: [-172, 65], around: true },
  { a: "Greenland", b: "Ontario", via: [[-60, 61.5], [-68, 60.9], [-76, 62.8], [-84, 60]], to: [-88, 57] },
  { a: "Greenland", b: "Quebec", from: [-46, 60.5], to: [-59, 54.5], bend: -0.12 },
  { a: "Great Britain", b: "Western Europe", from: [-2.5, 50.5], to: [-1.5, 49.5] },
  { a: "Great Britain", b: "Northern Europe", from: [1.5, 53], to: [5.5, 53.3] },
  { a: "Great Britain", b: "Scandinavia", from: [-1.8, 57.3], to: [5.5, 59], bend: 0.12 },
  { a: "Scandinavia", b: "Northern Europe", from: [11.4, 58.4], to: [10.5, 57] },
  { a: "Southern Europe", b: "Egypt", from: [22.5, 36.5], to: [23, 32.5] },
  { a: "Southern Europe", b: "North Africa", from: [12.4, 37.7], to: [10.5, 37] },
  { a: "East Africa", b: "Madagascar", from: [39.5, -7], to: [48.5, -13] },
  { a: "South Africa", b: "Madagascar", from: [35.5, -23], to: [44.5, -22], bend: -0.12 },
  { a: "Brazil", b: "North Africa", from: [-35, -6], to: [-12, 9] },
];

/** Where the names of continents stand, on the board. */
export const continentLabels = {
  "North America": [80, 358],
  "South America": [130, 490],
  "Europe": [440, 36],
  "Africa": [420, 450],
  "Asia": [920, 330],
  "Australia": [820, 566],
};
