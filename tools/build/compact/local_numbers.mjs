// Numbers the locals of each function so that its code looks like that of other functions. Two fifths of all
// instructions contain such a number, which has no other meaning. Locals of one type exchange their numbers, two at a
// time, as long as the code becomes more likely after what is counted in all other functions.
import { Contexts, order } from './contexts.mjs';

/** More of them change hardly anything. */
const sweeps = 8;
/** Locals that are used about as often exchange their numbers: how many ranks apart. */
const reach = 30;
/** The bits that an exchange must save. */
const worthwhile = 0.5;

export function numberLocals({ functions }) {
  sortByUse(functions);
  const symbolOf = symbols();
  const bodies = functions.map((each) => new Body(each, symbolOf));
  const contexts = new Contexts();
  for (const each of bodies) contexts.count(each.symbols, 1);
  for (let i = 0; i < sweeps; ++i) for (const each of bodies) each.improve(contexts);
  bodies.forEach((each, i) => {
    renumber(functions[i], (local) => each.numbers[local]);
  });
}

/** Types that the module uses most come first, and among the locals of a type those that the function uses most. */
function sortByUse(functions) {
  const usesOfType = new Map();
  const counted = functions.map(({ parameters, locals, instructions }) => {
    const uses = locals.map(() => 0);
    for (const { local } of instructions) if (local >= parameters) ++uses[local - parameters];
    locals.forEach((type, i) => {
      usesOfType.set(type, (usesOfType.get(type) ?? 0) + uses[i]);
    });
    return uses;
  });
  functions.forEach((each, i) => {
    const { parameters, locals } = each;
    const uses = counted[i];
    const sorted = locals
      .map((type, local) => ({ type, local }))
      .sort(
        (a, b) => usesOfType.get(b.type) - usesOfType.get(a.type) || a.type - b.type || uses[b.local] - uses[a.local],
      );
    const numbers = new Map(sorted.map(({ local }, to) => [local + parameters, to + parameters]));
    renumber(each, (local) => numbers.get(local) ?? local);
    each.locals = sorted.map(({ type }) => type);
  });
}

function renumber({ instructions }, numberOf) {
  for (const each of instructions) if (each.local !== undefined) each.local = numberOf(each.local);
}

/** Symbols of instructions: numbers, to which that of a local is added. */
function symbols() {
  const known = new Map();
  const localBits = 12;
  return ({ opcode, local, callee, text }) => {
    const key = text ?? (local === undefined ? `call ${callee}` : opcode);
    if (!known.has(key)) known.set(key, (known.size + 1) << localBits);
    return known.get(key);
  };
}

class Body {
  constructor({ parameters, locals, instructions }, symbolOf) {
    const begin = Array(order).fill({ text: 'begin' });
    const all = [...begin, ...instructions];
    this.plain = Int32Array.from(all, symbolOf);
    this.symbols = Int32Array.from(all, ({ local = 0 }, i) => this.plain[i] + local);
    this.costs = new Float64Array(all.length);
    this.numbers = Array.from({ length: parameters + locals.length }, (_, local) => local);
    /** The places at which each local is used. */
    this.uses = this.numbers.map(() => []);
    all.forEach(({ local }, i) => {
      if (local !== undefined) this.uses[local].push(i);
    });
    this.seen = new Uint8Array(all.length);
    /** Those of a type, if there are several. */
    this.groups = [...new Set(locals)]
      .map((type) => [...locals.keys()].filter((i) => locals[i] === type).map((i) => i + parameters))
      .filter(({ length }) => length > 1);
  }

  /** Exchanges numbers of locals of one type where the other functions suggest it. */
  improve(contexts) {
    if (this.groups.length === 0) return;
    contexts.count(this.symbols, -1);
    for (let i = order; i < this.costs.length; ++i) this.costs[i] = contexts.cost(this.symbols, i);
    for (const group of this.groups) group.forEach((local, rank) => this.#improveOne(contexts, group, local, rank));
    contexts.count(this.symbols, 1);
  }

  #improveOne(contexts, group, local, rank) {
    let best = -worthwhile;
    let partner;
    for (const other of group.slice(Math.max(0, rank - reach), rank + reach + 1)) {
      if (other === local) continue;
      this.#exchange(local, other);
      const change = this.#change(contexts, local, other);
      this.#exchange(local, other);
      if (change >= best) continue;
      best = change;
      partner = other;
    }
    if (partner === undefined) return;
    this.#exchange(local, partner);
    for (const at of this.#affected(local, partner)) this.costs[at] = contexts.cost(this.symbols, at);
  }

  #exchange(a, b) {
    const { numbers } = this;
    [numbers[a], numbers[b]] = [numbers[b], numbers[a]];
    for (const local of [a, b]) for (const at of this.uses[local]) this.symbols[at] = this.plain[at] + numbers[local];
  }

  #change(contexts, a, b) {
    let change = 0;
    for (const at of this.#affected(a, b)) change += contexts.cost(this.symbols, at) - this.costs[at];
    return change;
  }

  /** The places of these locals and those whose context has them. */
  #affected(a, b) {
    const { seen } = this;
    const places = [];
    for (const local of [a, b]) {
      for (const use of this.uses[local]) {
        for (let at = use; at <= use + order && at < seen.length; ++at) {
          if (seen[at]) continue;
          seen[at] = 1;
          places.push(at);
        }
      }
    }
    for (const at of places) seen[at] = 0;
    return places;
  }
}
