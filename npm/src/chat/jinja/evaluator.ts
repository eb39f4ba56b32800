// Evaluates expressions.

import { keywordOf } from './arguments.js';
import { attribute, item, slice } from './attributes.js';
import { compare, contains, equal, isTrue, iterate } from './compare.js';
import { renderError } from './errors.js';
import { applyFilter, applyTest } from './library/library.js';
import { enter, leave, spend } from './limits.js';
import { calculate, negated, positive } from './operators.js';
import { str } from './printing.js';
import type { Scope } from './scope.js';
import type { Arguments, Comparison, Expression } from './syntax.js';
import { join, type Text } from './text.js';
import { Attributes, Callable, Dict, orElse, Tuple, typeOf, Undefined, undefinedError, type Value } from './values.js';

type Kind = Expression['kind'];
type Of<K extends Kind> = Extract<Expression, { kind: K }>;

const compared: Record<Comparison, (left: Value, right: Value) => boolean> = {
  '==': equal,
  '!=': (left, right) => !equal(left, right),
  '<': (left, right) => compare(left, right, '<') < 0,
  '<=': (left, right) => compare(left, right, '<=') <= 0,
  '>': (left, right) => compare(left, right, '>') > 0,
  '>=': (left, right) => compare(left, right, '>=') >= 0,
  in: (left, right) => contains(right, left),
  'not in': (left, right) => !contains(right, left),
};

export function evaluate(expression: Expression, scope: Scope): Value {
  spend();
  enter();
  const value = (evaluators[expression.kind] as (node: Expression, scope: Scope) => Value)(expression, scope);
  leave();
  return value;
}

const evaluators: { [K in Kind]: (node: Of<K>, scope: Scope) => Value } = {
  constant: ({ value }) => value,
  name: ({ name }, scope) => orElse(scope.get(name), () => new Undefined(`'${name}' is not defined`)),
  list: ({ items }, scope) => items.map((each) => evaluate(each, scope)),
  tuple: ({ items }, scope) => new Tuple(items.map((each) => evaluate(each, scope))),
  dict: ({ entries }, scope) =>
    Dict.from(entries.map(([key, value]) => [evaluate(key, scope), evaluate(value, scope)])),
  attribute: ({ object, name }, scope) => attribute(evaluate(object, scope), name),
  item: ({ object, index }, scope) => {
    const owner = evaluate(object, scope);
    return index.kind === 'slice' ? slice(owner, sliceParts(index, scope)) : item(owner, evaluate(index, scope));
  },
  slice: () => {
    throw renderError('slices cannot be combined');
  },
  call: ({ callee, call }, scope) => {
    const called = evaluate(callee, scope);
    return invoke(called, ...evaluateArguments(call, scope));
  },
  filter: ({ object, name, call }, scope) =>
    applyFilter(name, evaluate(object!, scope), ...evaluateArguments(call, scope)),
  test: ({ object, name, call }, scope) => applyTest(name, evaluate(object, scope), ...evaluateArguments(call, scope)),
  negative: ({ operand }, scope) => negated(evaluate(operand, scope)),
  positive: ({ operand }, scope) => positive(evaluate(operand, scope)),
  not: ({ operand }, scope) => !isTrue(evaluate(operand, scope)),
  and: ({ left, right }, scope) => {
    const value = evaluate(left, scope);
    return isTrue(value) ? evaluate(right, scope) : value;
  },
  or: ({ left, right }, scope) => {
    const value = evaluate(left, scope);
    return isTrue(value) ? value : evaluate(right, scope);
  },
  math: ({ operator, left, right }, scope) => calculate(operator, evaluate(left, scope), evaluate(right, scope)),
  concat: ({ parts }, scope) => join(parts.map((part) => str(evaluate(part, scope)))),
  compare: ({ first, rest }, scope) => {
    let left = evaluate(first, scope);
    for (const [operator, operand] of rest) {
      const right = evaluate(operand, scope);
      if (!compared[operator](left, right)) return false;
      left = right;
    }
    return true;
  },
  condition: ({ test, then, otherwise }, scope) => {
    if (isTrue(evaluate(test, scope))) return evaluate(then, scope);
    return otherwise ? evaluate(otherwise, scope) : new Undefined("'if' without 'else' has no value");
  },
};

const sliceParts = ({ parts }: Of<'slice'>, scope: Scope) => parts.map((part) => (part ? evaluate(part, scope) : null));

export function evaluateArguments(
  { args, kwargs, moreArgs, moreKwargs }: Arguments,
  scope: Scope,
): [args: Value[], kwargs: Map<string, Value>] {
  const values = args.map((each) => evaluate(each, scope));
  const named = new Map(kwargs.map(([name, each]) => [name, evaluate(each, scope)]));
  if (moreArgs) for (const value of iterate(evaluate(moreArgs, scope))) values.push(value);
  if (moreKwargs) {
    const more = evaluate(moreKwargs, scope);
    if (!(more instanceof Dict)) throw renderError(`** needs a dict, not a ${typeOf(more)}`);
    spend(more.size);
    for (const [key, value] of more.entries()) named.set(keywordOf(key), value);
  }
  return [values, named];
}

export function invoke(called: Value, args: readonly Value[], kwargs: ReadonlyMap<string, Value>): Value {
  if (called instanceof Undefined) throw undefinedError(called);
  const run = called instanceof Callable || called instanceof Attributes ? called.call : undefined;
  if (!run) throw renderError(`a ${typeOf(called)} cannot be called`);
  return run(args, kwargs);
}

/** The text that an expression prints. */
export const printed = (expression: Expression, scope: Scope): Text => str(evaluate(expression, scope));
