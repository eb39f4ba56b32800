// Shows images in a terminal: each character is two pixels, one above the other.
import { decodePicture } from './decode_picture.mjs';
import { columns } from './terminal.mjs';

const SIDE = 24;
const GAP = 2;

/** Images { bytes, captions: [{ text, style }] }, as many side by side as fit, with captions below. */
export async function sideBySide(pictures) {
  const perRow = Math.max(Math.floor((columns + GAP) / (SIDE + GAP)), 1);
  const cells = await Promise.all(pictures.map(cellOf));
  const rows = [];
  for (let first = 0; first < cells.length; first += perRow) {
    const row = cells.slice(first, first + perRow);
    rows.push(row[0].map((_, line) => row.map((cell) => cell[line]).join(' '.repeat(GAP))).join('\n'));
  }
  return rows.join('\n\n');
}

/** The lines of one image, all equally wide. */
async function cellOf({ bytes, captions }) {
  const pixels = reduced(await decodePicture(bytes));
  const lines = [];
  for (let y = 0; y < SIDE; y += 2) {
    let line = '';
    for (let x = 0; x < SIDE; ++x) line += `\x1b[38;2;${pixels(x, y)};48;2;${pixels(x, y + 1)}m▀`;
    lines.push(`${line}\x1b[0m`);
  }
  return [...lines, ...captions.map(({ text, style }) => style(text) + ' '.repeat(Math.max(SIDE - text.length, 0)))];
}

/** The image reduced to SIDE x SIDE averages: 'red;green;blue' at x and y. */
function reduced({ data, width, height }) {
  const edge = (i, length) => Math.floor((i * length) / SIDE);
  return (column, row) => {
    const sums = [0, 0, 0];
    let count = 0;
    for (let y = edge(row, height); y < edge(row + 1, height); ++y) {
      for (let x = edge(column, width); x < edge(column + 1, width); ++x) {
        for (let c = 0; c < 3; ++c) sums[c] += data[(y * width + x) * 3 + c];
        count += 1;
      }
    }
    return sums.map((sum) => Math.round(sum / count)).join(';');
  };
}
