// Calls of tools that models write as a list of calls in Python: [add(a=1, b=[2.5, None])]. That is also an expression in Jinja.

import { parseExpression } from '../jinja/expression.js';
import type { Expression } from '../jinja/syntax.js';
import { Text } from '../jinja/text.js';
import type { ToolCall } from '../types.js';

export function callsOfPython(text: string): ToolCall[] | undefined {
  try {
    const list = parseExpression(text);
    const items = list.kind === 'list' ? list.items : [list];
    return items.length > 0 ? items.map(callOf) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The calls in a piece of code, one after another. Other code, such as variables and values that are no literals, is none:
 * nothing is executed.
 */
export function callsOfPythonCode(text: string): ToolCall[] | undefined {
  // No literal has a line that begins like a call.
  const calls = text.split(/\n(?=[A-Za-z_][\w.]*\()/).map((line) => callsOfPython(line.trim()));
  return calls.every((each) => each !== undefined) ? calls.flat() : undefined;
}

/** The value of a literal; undefined for everything else. */
export function literalOfPython(text: string): unknown {
  try {
    return literal(parseExpression(text));
  } catch {
    return undefined;
  }
}

class NoCall extends Error {}

function callOf(node: Expression): ToolCall {
  if (node.kind !== 'call' || node.call.args.length > 0 || node.call.moreArgs || node.call.moreKwargs) throw new NoCall();
  return { name: nameOf(node.callee), arguments: Object.fromEntries(node.call.kwargs.map(([name, value]) => [name, literal(value)])) };
}

function nameOf(node: Expression): string {
  if (node.kind === 'name') return node.name;
  if (node.kind === 'attribute') return `${nameOf(node.object)}.${node.name}`;
  throw new NoCall();
}

function literal(node: Expression): unknown {
  switch (node.kind) {
    case 'constant': {
      const { value } = node;
      return value instanceof Text ? value.value : typeof value === 'bigint' ? Number(value) : value;
    }
    case 'negative': {
      const value = literal(node.operand);
      if (typeof value !== 'number') throw new NoCall();
      return -value;
    }
    case 'list':
    case 'tuple':
      return node.items.map(literal);
    case 'dict':
      return Object.fromEntries(node.entries.map(([key, value]) => [String(literal(key)), literal(value)]));
    case 'name':
      // JSON's None: some models mix the two, so vLLM reads it too (pythonic tool parser). Jinja has true and false.
      if (node.name === 'null') return null;
      throw new NoCall();
    default:
      throw new NoCall();
  }
}
