// Modules of which Brotli makes less (tools/build/compact) do the same as the modules that they were made from.
import { brotliCompressSync } from 'node:zlib';
import { compact } from '../../tools/build/compact/compact.mjs';

const [i32, i64, f64] = [0x7f, 0x7e, 0x7c];
const [get, set, tee] = [0x20, 0x21, 0x22].map((opcode) => (local) => [opcode, local]);
const [add, multiply, exclusiveOr, end] = [[0x6a], [0x6c], [0x73], 0x0b];

const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
/** Pushes a number from 0 to 8191. */
const constant = (value) => [0x41, ...(value < 64 ? [value] : [(value & 127) | 128, value >> 7])];
const call = (index) => [0x10, ...leb(index)];
const callInTable = (place, type) => [...constant(place), 0x11, type, 0];

const list = (elements) => [...leb(elements.length), ...elements.flat()];
const section = (id, content) => [id, ...leb(content.length), ...content];
const name = (text) => [text.length, ...Buffer.from(text)];

/**
 * Types are lists of parameters, with one i32 as the result. The module imports `log`, of the first type, and a memory.
 * It exports its functions as f0, f1, ..., which are also its table. The function `start`, if any, takes and returns
 * nothing.
 */
function moduleOf(types, functions, start) {
  const indices = functions.map((_, i) => i + 1);
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([...types.map((parameters) => [0x60, ...list(parameters), 1, i32]), [0x60, 0, 0]])),
    ...section(
      2,
      list([
        [...name('env'), ...name('log'), 0, 0],
        [...name('env'), ...name('memory'), 2, 3, 1, 1],
      ]),
    ),
    ...section(3, list(functions.map(({ type = types.length }) => leb(type)))),
    ...section(4, list([[0x70, 0, ...leb(functions.length)]])),
    ...section(7, list(indices.map((index, i) => [...name(`f${i}`), 0, ...leb(index)]))),
    ...(start === undefined ? [] : section(8, leb(start + 1))),
    ...section(9, list([[0, ...constant(0), end, ...list(indices.map(leb))]])),
    ...section(
      10,
      list(
        functions.map(({ locals = [], code }) => list([...list(locals), ...code.flat(), end].map((byte) => [byte]))),
      ),
    ),
  ]);
}

async function started(module) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const logged = [];
  const log = (value) => logged.push(value) * value;
  const { instance } = await WebAssembly.instantiate(module, { env: { memory, log } });
  return { functions: instance.exports, logged, memory: new Uint8Array(memory.buffer) };
}

/** Numbers from 0 up to a limit, the same in each run. */
function numbers(state) {
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const types = [[i32], [i32, i32], [i64, i32, f64]];
const argumentOf = { [i32]: constant(5), [i64]: [0x42, 7], [f64]: [0x44, 0, 0, 0, 0, 0, 0, 8, 64] };
const declared = [
  ...[
    [3, i32],
    [1, f64],
    [2, i32],
    [1, i64],
    [2, i32],
  ],
];

/** Functions that compute with their parameters, their locals and memory, and call those before. */
function anyFunctions(count) {
  const next = numbers(count);
  const one = (values) => values[next(values.length)];
  const functions = [];
  for (let i = 0; i < count; ++i) {
    const type = next(types.length);
    const ints = [...types[type], ...declared.flatMap(([times, of]) => Array(times).fill(of))].flatMap((of, local) =>
      of === i32 ? [local] : [],
    );
    const value = () => (next(3) === 0 ? constant(next(64)) : get(one(ints)));
    const steps = [
      () => [value(), value(), one([add, multiply, exclusiveOr]), set(one(ints))],
      () => [value(), tee(one(ints)), set(one(ints))],
      // i32.store and i32.load with any alignment.
      () => [constant(8 * next(8)), value(), [0x36, next(3), 0]],
      () => [constant(8 * next(8)), [0x28, next(3), 4], set(one(ints))],
    ];
    const callee = next(i + 1);
    const of = callee === 0 ? 0 : functions[callee - 1].type;
    const called = callee === 0 || next(2) === 0 ? call(callee) : callInTable(callee - 1, of);
    const code = Array.from({ length: 20 }, () => one(steps)()).flat();
    code.push(...types[of].map((each) => argumentOf[each]), called, value(), exclusiveOr);
    functions.push({ type, locals: declared, code });
  }
  return functions;
}

describe('300 functions of three types that call each other', () => {
  const functions = anyFunctions(300);
  const module = moduleOf(types, functions);
  const compacted = compact(module);

  test('return and log the same, and leave the same in memory', async () => {
    const results = ({ functions: exported, logged, memory }) => [
      functions.map(({ type }, i) => exported[`f${i}`](...[[3], [-7, 1], [2n, 9, 0.5]][type])),
      logged,
      Buffer.from(memory).toString('hex'),
    ];
    const expected = results(await started(module));
    expect(new Set(expected[0]).size).toBeGreaterThan(200);
    expect(expected[1].length).toBeGreaterThan(100);
    expect(results(await started(compacted))).toEqual(expected);
  });

  test('compress better', () => {
    expect(brotliCompressSync(compacted).length).toBeLessThan(0.97 * brotliCompressSync(module).length);
  });

  test('become the same module each time', () => {
    expect(compact(module).equals(compacted)).toBe(true);
  });
});

test('locals with other numbers, declared in another order, become the same code', () => {
  const body = (a, b) => [constant(1), set(a), constant(2), set(b), get(a), get(a), add, get(b), multiply];
  const usual = {
    type: 0,
    locals: [
      [2, i32],
      [1, f64],
    ],
    code: body(1, 2),
  };
  const other = {
    type: 0,
    locals: [
      [1, f64],
      [2, i32],
    ],
    code: body(3, 2),
  };
  const renamed = compact(moduleOf(types, [usual, usual, other, usual]));
  expect(renamed.equals(compact(moduleOf(types, [usual, usual, usual, usual])))).toBe(true);
});

test('the function that starts the module stays it', async () => {
  const useless = { type: 0, code: [get(0)] };
  const start = { code: [constant(42), call(0), [0x1a]] };
  expect((await started(compact(moduleOf(types, [useless, start, useless], 1)))).logged).toEqual([42]);
});

test('accesses have no alignment hint, and atomic ones keep the alignment that they must have', () => {
  const load = [0x28, 2, 4];
  const atomicLoad = [0xfe, 0x10, 2, 4];
  const module = moduleOf(types, [{ type: 0, code: [get(0), load, get(0), atomicLoad, add] }]);
  const expected = moduleOf(types, [{ type: 0, code: [get(0), [0x28, 0, 4], get(0), atomicLoad, add] }]);
  expect(WebAssembly.validate(expected)).toBe(true);
  expect(compact(module).equals(expected)).toBe(true);
});

test('an unknown instruction and a custom section are errors', () => {
  const unknown = moduleOf(types, [{ type: 0, code: [[0x06, 0x40]] }]);
  expect(() => compact(unknown)).toThrow('instruction 0x6 is not in the table');
  const named = Buffer.concat([moduleOf(types, []), Buffer.from(section(0, name('name')))]);
  expect(() => compact(named)).toThrow('there is a custom section');
});
