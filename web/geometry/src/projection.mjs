// The flat map: a Patterson cylindrical projection, stretched a little upwards so that the crowded north gets height.

import { geoPath, geoProjection } from "d3-geo";

/** Patterson's polynomial: a compromise cylindrical projection without the polar exaggeration of Mercator. */
function pattersonHeight(latitude) {
  const square = latitude * latitude;
  const fourth = square * square;
  return latitude * (1.0148 + fourth * (0.23185 + square * (-0.14499 + square * 0.02406)));
}

const radians = (degrees) => (degrees * Math.PI) / 180;

/** A frame with `size` [width, height], the land inside `margin`, latitudes from `south` to `north`. */
export function createProjection({ size, margin, south, north, centralMeridian }) {
  const [width, height] = size;
  const scaleX = (width - margin.left - margin.right) / (2 * Math.PI);
  const top = pattersonHeight(radians(north));
  const bottom = pattersonHeight(radians(south));
  const scaleY = (height - margin.top - margin.bottom) / (top - bottom);
  const raw = (longitude, latitude) => [
    longitude * scaleX,
    pattersonHeight(latitude) * scaleY,
  ];
  return geoProjection(raw)
    .rotate([-centralMeridian, 0])
    .scale(1)
    .translate([margin.left + Math.PI * scaleX, margin.top + top * scaleY])
    .precision(0.2);
}

/** The rings of a GeoJSON object on the flat map, cut where the map ends, with a point at least every `step`. */
export function projectRings(projection, object, step) {
  const rings = [];
  let ring = [];
  const collector = {
    moveTo: (x, y) => { ring = [[x, y]]; },
    lineTo: (x, y) => ring.push([x, y]),
    closePath: () => rings.push(densify(ring, step)),
    beginPath: () => {},
    arc: () => {},
  };
  geoPath(projection, collector)(object);
  return rings;
}

function densify(ring, step) {
  const dense = [];
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    const pieces = Math.max(1, Math.ceil(Math.hypot(nextX - x, nextY - y) / step));
    for (let k = 0; k < pieces; k++) {
      dense.push([x + ((nextX - x) * k) / pieces, y + ((nextY - y) * k) / pieces]);
    }
  });
  return dense;
}
