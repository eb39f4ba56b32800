// Outlines of shapes: closed polygons of [x, y], in a picture that is 100 wide and 100 high.

const STEPS_PER_CURVE = 12;
const STEPS_AROUND = 64;

/** Corners, unchanged. */
export const polygon = (...points) => [points];

export const box = (left, top, right, bottom) => polygon([left, top], [right, top], [right, bottom], [left, bottom]);

/** A smooth closed curve through points (a Catmull-Rom spline). */
export function curve(...points) {
  const at = (i) => points[(i + points.length) % points.length];
  const outline = [];
  for (let i = 0; i < points.length; ++i) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let step = 0; step < STEPS_PER_CURVE; ++step) {
      const t = step / STEPS_PER_CURVE;
      outline.push([0, 1].map((axis) => spline(before[axis], from[axis], to[axis], after[axis], t)));
    }
  }
  return [outline];
}

function spline(before, from, to, after, t) {
  const tangent = (to - before) / 2;
  const next = (after - from) / 2;
  const cubic = 2 * (from - to) + tangent + next;
  const square = 3 * (to - from) - 2 * tangent - next;
  return ((cubic * t + square) * t + tangent) * t + from;
}

/** Turned by `degrees`, clockwise. */
export function ellipse(x, y, width, height = width, degrees = 0) {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const outline = [];
  for (let step = 0; step < STEPS_AROUND; ++step) {
    const angle = (2 * Math.PI * step) / STEPS_AROUND;
    const [dx, dy] = [width * Math.cos(angle), height * Math.sin(angle)];
    outline.push([x + dx * cosine - dy * sine, y + dx * sine + dy * cosine]);
  }
  return [outline];
}

/** A line that changes its width: points of [x, y, half of the width]. */
export function limb(...points) {
  const parts = points.map(([x, y, radius]) => ellipse(x, y, radius)[0]);
  for (let i = 0; i + 1 < points.length; ++i) {
    const [[x0, y0, r0], [x1, y1, r1]] = [points[i], points[i + 1]];
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const [nx, ny] = [(y0 - y1) / length, (x1 - x0) / length];
    parts.push([
      [x0 + nx * r0, y0 + ny * r0],
      [x1 + nx * r1, y1 + ny * r1],
      [x1 - nx * r1, y1 - ny * r1],
      [x0 - nx * r0, y0 - ny * r0],
    ]);
  }
  return parts;
}

export const together = (...outlines) => outlines.flat();

export const mirrored = (outline, x = 50) => outline.map((part) => part.map(([px, py]) => [2 * x - px, py]));
