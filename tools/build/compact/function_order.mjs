// Functions of one type come one after another, and among them those whose code begins alike: the list of their types
// nearly vanishes, and the compressor finds similar code close by.
import { encoded } from './instructions.mjs';
import { reorder } from './program.mjs';

/** Indices below take a single byte. */
const shortIndices = 128;

export function orderFunctions(program) {
  const { imported, functions } = program;
  const calls = functions.map(() => 0);
  for (const { instructions } of functions)
    for (const { callee } of instructions) if (callee >= imported) ++calls[callee - imported];
  const byCalls = functions.map((_, i) => i).sort((a, b) => calls[b] - calls[a] || a - b);
  const often = new Set(byCalls.slice(0, Math.max(0, shortIndices - imported)));
  const code = functions.map(({ instructions }) => Buffer.concat(instructions.map(encoded)));
  const compare = (a, b) => functions[a].type - functions[b].type || Buffer.compare(code[a], code[b]) || a - b;
  const [first, rest] = [byCalls.filter((i) => often.has(i)), byCalls.filter((i) => !often.has(i))];
  reorder(program, [...first.sort(compare), ...rest.sort(compare)]);
}
