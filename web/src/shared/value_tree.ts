// A value of JSON for readers: objects are lists of names and values, lists are lists.

import { element } from './dom.js';

/** Deeper values are only hinted at. */
const DEEPEST = 12;

export function valueTree(value: unknown, depth = 0): HTMLElement {
  if (typeof value === 'string') return element('span', {}, value);
  if (typeof value !== 'object' || value === null) return element('code', {}, String(value));
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  if (members.length === 0) return element('span', { className: 'hint' }, isList ? 'an empty list' : 'an empty object');
  if (depth === DEEPEST) return element('span', { className: 'hint' }, '…');
  if (isList)
    return element('ol', { className: 'items' }, ...value.map((item) => element('li', {}, valueTree(item, depth + 1))));
  const rows = members.flatMap(([name, member]) => [
    element('dt', {}, name),
    element('dd', {}, valueTree(member, depth + 1)),
  ]);
  return element('dl', { className: 'pairs' }, ...rows);
}
