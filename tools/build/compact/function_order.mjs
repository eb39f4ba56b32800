// Functions of one type come one after another, and among them those whose code begins alike: the list of their types
// nearly vanishes, and the compressor finds similar code close by. That functions which are called often have short
// indices, as the linker's optimizer orders them, is worth less.
import { encoded } from './instructions.mjs';
import { reorder } from './program.mjs';

export function orderFunctions(program) {
  const { functions } = program;
  const code = functions.map(({ instructions }) => Buffer.concat(instructions.map(encoded)));
  const compare = (a, b) => functions[a].type - functions[b].type || Buffer.compare(code[a], code[b]) || a - b;
  reorder(program, [...functions.keys()].sort(compare));
}
