// Lines of tables: { what, quintet, peer, ratio, target, met }. A line without a target is only informative.

export const atLeast = (value) => ({ text: `>= ${value}`, isMet: (measured) => measured >= value });
export const atMost = (value) => ({ text: `<= ${value}`, isMet: (measured) => measured <= value });

export const MEGABYTE = 1e6;
export const KILOBYTE = 1e3;

/** With three digits at least. */
export const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
export const bestAndMedian = ({ best, median }) => `${number(best)} / ${number(median)}`;

/** Times of quintet and of a peer, as summaries: how many times as fast quintet is, by medians. */
export function faster(what, ours, theirs, target) {
  const ratio = theirs.median / ours.median;
  return { what, quintet: bestAndMedian(ours), peer: bestAndMedian(theirs), ratio, ...verdict(target, ratio) };
}

/** By the best times: other work on the machine slows several threads more than one. */
export function fasterAtBest(what, ours, theirs, target) {
  const ratio = theirs.best / ours.best;
  return { what, quintet: bestAndMedian(ours), peer: bestAndMedian(theirs), ratio, ...verdict(target, ratio) };
}

/** Figures where more is better: how many times as much quintet has. */
export function more(what, ours, theirs, target) {
  const ratio = ours / theirs;
  return { what, quintet: number(ours), peer: number(theirs), ratio, ...verdict(target, ratio) };
}

/** Figures where less is better: how many times as much the peer has. The target is for quintet's figure. */
export function less(what, ours, theirs, target) {
  return { what, quintet: number(ours), peer: number(theirs), ratio: theirs / ours, ...verdict(target, ours) };
}

/** A figure of quintet alone, shown as `text`. */
export function figure(what, value, target, text = number(value)) {
  return { what, quintet: text, ...verdict(target, value) };
}

/** A figure of any contestant; only quintet's are judged. */
export function figureOf(name, value, target, text) {
  return name.startsWith('quintet') ? figure(name, value, target, text) : { what: name, peer: text };
}

/** Whether answers are correct. */
export function agreement(what, agrees) {
  return { what, quintet: agrees ? 'yes' : 'no', target: 'yes', met: agrees };
}

export function verdict(target, measured) {
  return target ? { target: target.text, met: target.isMet(measured) } : {};
}
