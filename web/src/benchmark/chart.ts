// A bar chart, redrawn for every width. The table has the same figures, so screen readers only announce the title of
// the chart.
import type { Library } from './contestant.js';

export interface Bar {
  library: Library;
  /** 'quintet, 2 threads' */
  name: string;
  value: number;
  words: string;
}

/** Bars with the same unit and scale. */
export interface Group {
  title: string;
  note: string;
  bars: Bar[];
}

const SVG = 'http://www.w3.org/2000/svg';
const TITLE = 30;
const GAP = 22;
const BAR = 16;
const ROW = 26;
/** In less width than this, the names are above their bars. */
const WIDE = 560;
const NAMES = 215;
const NUMBERS = 70;
const LINE = 20;

export class Chart {
  #groups: readonly Group[] = [];

  constructor(private readonly host: HTMLElement) {
    new ResizeObserver(() => this.#draw()).observe(host);
  }

  show(groups: readonly Group[]): void {
    this.#groups = groups;
    this.#draw();
  }

  #draw(): void {
    const width = this.host.clientWidth;
    if (width === 0) return;
    const svg = shape('svg', { role: 'img', 'aria-label': 'Chart of the figures in the table below', width });
    let top = 0;
    for (const group of this.#groups) top = drawGroup(svg, group, top, width) + GAP;
    svg.setAttribute('height', String(Math.max(top - GAP, 0)));
    this.host.replaceChildren(svg);
  }
}

/** Returns where it ends. */
function drawGroup(svg: SVGElement, { title, note, bars }: Group, top: number, width: number): number {
  const wide = width >= WIDE;
  svg.append(text(title, 0, top + 16, 'title'));
  if (note) svg.append(wide ? text(note, width, top + 16, 'note', 'end') : text(note, 0, top + 16 + LINE, 'note'));
  let y = top + TITLE + (note && !wide ? LINE : 0);
  const longest = Math.max(...bars.map(({ value }) => value));
  for (const { library, name, value, words } of bars) {
    const [left, room] = wide ? [NAMES, width - NAMES - NUMBERS] : [0, width];
    const length = Math.max((value / longest) * room, 2);
    const barTop = wide ? y : y + LINE;
    svg.append(text(name, 0, wide ? y + 13 : y + 14, 'name'));
    svg.append(shape('rect', { class: library, x: left, y: barTop, width: length, height: BAR, rx: 4 }));
    svg.append(wide ? text(words, left + length + 8, y + 13, 'number') : text(words, width, y + 14, 'number', 'end'));
    y = barTop + ROW;
  }
  return y - (ROW - BAR);
}

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  return created;
}

function text(words: string, x: number, y: number, kind: string, anchor = 'start'): SVGElement {
  const created = shape('text', { x, y, class: kind, 'text-anchor': anchor });
  created.textContent = words;
  return created;
}
