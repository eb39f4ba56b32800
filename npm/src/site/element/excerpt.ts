import type { SiteExcerpt } from '../types.js';
import { element } from './dom.js';

/** The text with its marks as elements; ranges that are not ascending or not in the text are left out. */
export function markedNodes({ text, marks }: SiteExcerpt): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  const addText = (to: number) => {
    if (to > end) nodes.push(document.createTextNode(text.slice(end, to)));
  };
  for (const [from, to] of marks) {
    if (!(from >= end && to > from && to <= text.length)) continue;
    addText(from);
    nodes.push(element('mark', { part: 'mark' }, text.slice(from, to)));
    end = to;
  }
  addText(text.length);
  return nodes;
}
