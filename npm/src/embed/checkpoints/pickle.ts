// The pickle in a PyTorch checkpoint, as far as a dictionary of tensors needs it (Lib/pickletools.py, protocol 2): a
// program for a stack. A pickle may name any function of Python; this calls none, and accepts only the three names of
// such a checkpoint.

import { QuintetError } from '../../base/errors.js';

/** The place of a tensor's values: in the file `key` from value `offset` on, row by row. */
export interface PickledTensor {
  key: string;
  dtype: 'F16' | 'F32';
  offset: number;
  shape: number[];
}

interface Storage {
  key: string;
  dtype: PickledTensor['dtype'];
}

const dtypes: Readonly<Record<string, PickledTensor['dtype']>> = {
  'torch FloatStorage': 'F32',
  'torch HalfStorage': 'F16',
};
const dictionary = 'collections OrderedDict';
const rebuild = 'torch._utils _rebuild_tensor_v2';

/** A name in Python: the module, and the name within it. */
class Name {
  constructor(readonly text: string) {}
}

class Tuple {
  constructor(readonly items: readonly unknown[]) {}
}

const mark = Symbol('mark');

/** The dictionary. `name`: of the checkpoint, for messages. */
export function pickledTensors(bytes: Uint8Array, name: string): Map<unknown, unknown> {
  const result = new Machine(bytes, name).run();
  if (result instanceof Map) return result;
  throw malformed(name, 'it has no dictionary of tensors');
}

export const isPickledTensor = (value: unknown): value is PickledTensor =>
  value instanceof Object && 'shape' in value && 'key' in value;

const malformed = (name: string, what: string) =>
  new QuintetError('FORMAT', `${name}: ${what}`, { reason: 'malformed' });

class Machine {
  private readonly stack: unknown[] = [];
  private readonly memo = new Map<number, unknown>();
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly name: string,
  ) {}

  run(): unknown {
    for (;;) {
      const code = String.fromCharCode(this.byte());
      if (code === '.') return this.pop();
      const operation = operations[code];
      if (!operation) throw this.unknown(`the instruction ${JSON.stringify(code)} at byte ${this.at - 1}`);
      operation(this);
    }
  }

  push(value: unknown): void {
    this.stack.push(value);
  }

  pop(): unknown {
    const value = this.stack.pop();
    if (value === undefined || value === mark) throw malformed(this.name, 'its pickle takes what is not there');
    return value;
  }

  /** Removes and returns the values above the last mark, and the mark itself. */
  popToMark(): unknown[] {
    const begin = this.stack.lastIndexOf(mark);
    if (begin < 0) throw malformed(this.name, 'its pickle takes what is not there');
    return this.stack.splice(begin).slice(1);
  }

  popTuple(count: number): Tuple {
    const items = Array.from({ length: count }, () => this.pop());
    return new Tuple(items.reverse());
  }

  top<T>(Kind: abstract new (...values: never[]) => T): T {
    const value = this.stack.at(-1);
    if (value instanceof Kind) return value;
    throw malformed(this.name, 'its pickle does not fit together');
  }

  remember(number: number): void {
    this.memo.set(number, this.stack.at(-1));
  }

  recall(number: number): void {
    this.push(this.memo.get(number));
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  number(bytes: number): number {
    return this.take(bytes).reduceRight((value, byte) => 256 * value + byte, 0);
  }

  take(count: number): Uint8Array {
    this.at += count;
    if (this.at > this.bytes.length) throw malformed(this.name, 'its pickle is cut off');
    return this.bytes.subarray(this.at - count, this.at);
  }

  line(): string {
    const end = this.bytes.indexOf(10, this.at);
    const text = this.text(Math.max(0, end - this.at));
    this.byte();
    return text;
  }

  text(bytes: number): string {
    return new TextDecoder().decode(this.take(bytes));
  }

  /** ('storage', type, key, device, number of values) */
  storage(id: unknown): Storage {
    const [kind, type, key] = id instanceof Tuple ? id.items : [];
    const dtype = type instanceof Name ? dtypes[type.text] : undefined;
    if (kind === 'storage' && dtype && typeof key === 'string') return { key, dtype };
    throw this.unknown(`a storage of type ${type instanceof Name ? type.text : 'none'}`);
  }

  call(called: unknown, given: unknown): unknown {
    const items = given instanceof Tuple ? given.items : [];
    const name = called instanceof Name ? called.text : '';
    if (name === dictionary && items.length === 0) return new Map();
    if (name === rebuild) return this.tensor(items);
    throw this.unknown(`a call of ${name}`);
  }

  private tensor([storage, offset, size, strides]: readonly unknown[]): PickledTensor {
    const shape = whole(size);
    const steps = whole(strides);
    const isRowMajor = shape?.every((_, i) => steps?.[i] === shape.slice(i + 1).reduce((a, b) => a * b, 1));
    if (shape && isRowMajor && Number.isSafeInteger(offset) && storage instanceof Object)
      return { ...(storage as Storage), offset: offset as number, shape };
    throw this.unknown('a tensor that is not stored row by row');
  }

  private unknown(what: string): QuintetError {
    return new QuintetError('UNSUPPORTED', `${this.name}: ${what}; supported is one linear layer`, {
      reason: 'unsupported',
    });
  }
}

const whole = (value: unknown): number[] | undefined =>
  value instanceof Tuple && value.items.every((item) => Number.isSafeInteger(item))
    ? (value.items as number[])
    : undefined;

function setItems(target: Map<unknown, unknown>, items: readonly unknown[]): void {
  for (let i = 0; i + 1 < items.length; i += 2) target.set(items[i], items[i + 1]);
}

/** Instructions by their bytes. */
const operations: Readonly<Record<string, (machine: Machine) => void>> = {
  '\x80': (machine) => machine.byte(), // PROTO
  c: (machine) => machine.push(new Name(`${machine.line()} ${machine.line()}`)),
  q: (machine) => machine.remember(machine.byte()),
  r: (machine) => machine.remember(machine.number(4)),
  h: (machine) => machine.recall(machine.byte()),
  j: (machine) => machine.recall(machine.number(4)),
  '(': (machine) => machine.push(mark),
  ')': (machine) => machine.push(new Tuple([])),
  '\x85': (machine) => machine.push(machine.popTuple(1)),
  '\x86': (machine) => machine.push(machine.popTuple(2)),
  '\x87': (machine) => machine.push(machine.popTuple(3)),
  t: (machine) => machine.push(new Tuple(machine.popToMark())),
  X: (machine) => machine.push(machine.text(machine.number(4))),
  K: (machine) => machine.push(machine.byte()),
  M: (machine) => machine.push(machine.number(2)),
  J: (machine) => machine.push(machine.number(4) | 0),
  '\x88': (machine) => machine.push(true),
  '\x89': (machine) => machine.push(false),
  '}': (machine) => machine.push(new Map()),
  s(machine) {
    const value = machine.pop();
    const key = machine.pop();
    machine.top<Map<unknown, unknown>>(Map).set(key, value);
  },
  u(machine) {
    const items = machine.popToMark();
    setItems(machine.top<Map<unknown, unknown>>(Map), items);
  },
  // Attributes, such as the version of the layer.
  b: (machine) => machine.pop(),
  Q: (machine) => machine.push(machine.storage(machine.pop())),
  R(machine) {
    const given = machine.pop();
    machine.push(machine.call(machine.pop(), given));
  },
};
