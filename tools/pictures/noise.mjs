// Smooth noise that is the same on every machine.

const OCTAVES = 4;

/** A value of about 0..1 that varies over distances of one and less. */
export function noise(x, y, seed) {
  let [sum, amplitude, total] = [0, 1, 0];
  for (let octave = 0; octave < OCTAVES; ++octave) {
    sum += amplitude * smooth(x * 2 ** octave, y * 2 ** octave, seed + octave);
    total += amplitude;
    amplitude /= 2;
  }
  return sum / total;
}

function smooth(x, y, seed) {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [tx, ty] = [eased(x - column), eased(y - row)];
  const top = lattice(column, row, seed) * (1 - tx) + lattice(column + 1, row, seed) * tx;
  const bottom = lattice(column, row + 1, seed) * (1 - tx) + lattice(column + 1, row + 1, seed) * tx;
  return top * (1 - ty) + bottom * ty;
}

const eased = (t) => t * t * (3 - 2 * t);

function lattice(column, row, seed) {
  let hash = Math.imul(column, 374761393) ^ Math.imul(row, 668265263) ^ Math.imul(seed, 1442695041);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
