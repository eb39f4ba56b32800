// Calls of tools that models write as a list of calls in Python: [add(a=1, b=[2.5, None])]. Except for some strings,
// this is also an expression in Jinja.

import { exactInteger } from '../../base/exact_json.js';
import { parseExpression } from '../jinja/expression.js';
import type { Expression } from '../jinja/syntax.js';
import { Text } from '../jinja/text.js';
import type { ToolCall } from '../types.js';
import type { CallReading } from './reading.js';

/** In each string: its quotes, what is between them, and its end, which may be missing. Or a comment. */
const strings = /("""|'''|["'])((?:(?!\1)[^\\]|\\[^])*)(\1|$)|#.*/g;
const lineBreaks: Record<string, string> = { '\n': '\\n', '\\\n': '' };

/** Removes comments, and puts each string on one line, with one quotation mark instead of three. */
const inJinja = (text: string): string =>
  text.replace(strings, (token: string, quotes?: string, inside?: string, end?: string) => {
    if (!quotes) return '';
    if (!end) return token;
    const quote = quotes[0]!;
    return (
      quote +
      inside!.replace(/\\[^]|["'\n]/g, (part) => lineBreaks[part] ?? (part === quote ? `\\${part}` : part)) +
      quote
    );
  });

export const callsOfPython = (text: string, reading: CallReading): ToolCall[] | undefined =>
  callsOfExpression(inJinja(text), reading);

function callsOfExpression(text: string, reading: CallReading): ToolCall[] | undefined {
  try {
    const list = parseExpression(text);
    const items = list.kind === 'list' ? list.items : [list];
    return items.length > 0 ? items.map((item) => callOf(item, reading)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The calls in a piece of code, one after another. Other code, such as variables, is not a call: nothing is executed.
 */
export function callsOfPythonCode(text: string, reading: CallReading): ToolCall[] | undefined {
  // A literal never contains a line that begins like a call.
  const calls = inJinja(text)
    .trim()
    .split(/\n(?=[A-Za-z_][\w.]*\()/)
    .map((line) => callsOfExpression(line.trim(), reading));
  return calls.every((each) => each !== undefined) ? calls.flat() : undefined;
}

/** The value of a literal; undefined for everything else. */
export function literalOfPython(text: string, reading: CallReading): unknown {
  try {
    return literal(parseExpression(inJinja(text)), reading);
  } catch {
    return undefined;
  }
}

class NoCall extends Error {}

function callOf(node: Expression, reading: CallReading): ToolCall {
  if (node.kind !== 'call' || node.call.args.length > 0 || node.call.moreArgs || node.call.moreKwargs)
    throw new NoCall();
  return {
    name: nameOf(node.callee),
    arguments: Object.fromEntries(node.call.kwargs.map(([name, value]) => [name, literal(value, reading)])),
  };
}

function nameOf(node: Expression): string {
  if (node.kind === 'name') return node.name;
  if (node.kind === 'attribute') return `${nameOf(node.object)}.${node.name}`;
  throw new NoCall();
}

function literal(node: Expression, reading: CallReading): unknown {
  const each = (item: Expression) => literal(item, reading);
  switch (node.kind) {
    case 'constant': {
      const { value } = node;
      if (typeof value === 'bigint') return reading.exact ? exactInteger(value) : Number(value);
      return value instanceof Text ? value.value : value;
    }
    case 'negative': {
      const value = each(node.operand);
      if (typeof value !== 'number' && typeof value !== 'bigint') throw new NoCall();
      return -value;
    }
    case 'list':
    case 'tuple':
      return node.items.map(each);
    case 'dict':
      return Object.fromEntries(node.entries.map(([key, value]) => [String(each(key)), each(value)]));
    case 'name':
      // JSON's None: some models mix the two, so vLLM reads it too (pythonic tool parser). Jinja has true and false.
      if (node.name === 'null') return null;
      throw new NoCall();
    default:
      throw new NoCall();
  }
}
