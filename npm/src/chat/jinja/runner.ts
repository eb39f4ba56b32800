// Runs the statements of a template.

import { isTrue, iterate } from './compare.js';
import { renderError } from './errors.js';
import { evaluate, evaluateArguments, invoke, printed } from './evaluator.js';
import { enter, leave, nested, spend } from './limits.js';
import { Loop } from './loop.js';
import { macro } from './macros.js';
import { Scope } from './scope.js';
import type { Expression, For, Statement, Target } from './syntax.js';
import { type Text, TextBuilder } from './text.js';
import { Attributes, typeOf, type Value } from './values.js';

/** The end of a list of statements: by itself, or by a statement that ends an iteration or the loop. */
type Ending = 'break' | 'continue' | undefined;

export function run(statements: readonly Statement[], scope: Scope, out: TextBuilder): Ending {
  for (const statement of statements) {
    spend();
    enter();
    const ending = runOne(statement, scope, out);
    leave();
    if (ending) return ending;
  }
  return undefined;
}

/** The text of statements in their own scope. */
export function textOf(statements: readonly Statement[], scope: Scope): Text {
  const out = new TextBuilder();
  run(statements, scope, out);
  return out.text();
}

function runOne(statement: Statement, scope: Scope, out: TextBuilder): Ending {
  switch (statement.kind) {
    case 'data':
      out.append(statement.value as Text);
      return undefined;
    case 'output':
      out.append(printed(statement.value, scope));
      return undefined;
    case 'if': {
      const taken = statement.branches.find(([test]) => isTrue(evaluate(test, scope)));
      return run(taken ? taken[1] : statement.otherwise, scope, out);
    }
    case 'for':
      return runFor(statement, iterate(evaluate(statement.items, scope)), scope, out, 0);
    case 'set':
      assign(statement.target, evaluate(statement.value, scope), scope);
      return undefined;
    case 'set block': {
      const body = textOf(statement.body, new Scope(scope));
      assign(statement.target, filtered(statement.filter, body, scope), scope);
      return undefined;
    }
    case 'with': {
      const inner = new Scope(scope);
      // The values do not see each other.
      const values = statement.targets.map(([, value]) => evaluate(value, scope));
      statement.targets.forEach(([target], i) => assign(target, values[i]!, inner));
      return run(statement.body, inner, out);
    }
    case 'filter block':
      out.append(printed(applied(statement.filter, textOf(statement.body, new Scope(scope))), scope));
      return undefined;
    case 'macro':
      scope.set(statement.name, macro(statement.name, statement.signature, statement.body, scope, textOf));
      return undefined;
    case 'call block': {
      const caller = macro('caller', statement.signature, statement.body, scope, textOf);
      const [args, kwargs] = evaluateArguments(statement.call.call, scope);
      const result = invoke(evaluate(statement.call.callee, scope), args, kwargs.set('caller', caller));
      out.append(printed({ kind: 'constant', value: result }, scope));
      return undefined;
    }
    case 'scope':
      return run(statement.body, new Scope(scope), out);
    case 'break':
    case 'continue':
      return statement.kind;
  }
}

function runFor(node: For, items: readonly Value[], scope: Scope, out: TextBuilder, depth: number): undefined {
  const chosen = node.test
    ? items.filter((each) => isTrue(evaluate(node.test!, scopeOf(node.target, each, scope))))
    : items;
  const again = (value: Value): Text => {
    const inner = new TextBuilder();
    nested(() => runFor(node, iterate(value), scope, inner, depth + 1));
    return inner.text();
  };
  const loop = new Loop(chosen, depth, node.recursive ? again : undefined);
  let isComplete = false;
  for (const each of chosen) {
    spend();
    loop.advance();
    const body = scopeOf(node.target, each, scope);
    body.set('loop', loop.value);
    const ending = run(node.body, body, out);
    if (ending === 'break') break;
    // As in Jinja2, 'else' also runs if every iteration ended early.
    if (!ending) isComplete = true;
  }
  if (!isComplete) run(node.otherwise, new Scope(scope), out);
  return undefined;
}

function scopeOf(target: Target, value: Value, outer: Scope): Scope {
  const scope = new Scope(outer);
  assign(target, value, scope);
  return scope;
}

/** The filter of a block, with the text in it as its value. */
function applied(filter: Expression, body: Text): Expression {
  if (filter.kind !== 'filter') return filter;
  const object: Expression = filter.object ? applied(filter.object, body) : { kind: 'constant', value: body };
  return { ...filter, object };
}

const filtered = (filter: Expression | null, body: Text, scope: Scope): Value =>
  filter ? evaluate(applied(filter, body), scope) : body;

function assign(target: Target, value: Value, scope: Scope): void {
  if (target.kind === 'name') {
    scope.set(target.name, value);
  } else if (target.kind === 'attribute') {
    const owner = scope.get(target.object);
    if (!(owner instanceof Attributes) || !owner.settable) {
      throw renderError(
        `'${target.object}.${target.name}' can only be set of a namespace, not of ${owner === undefined ? 'nothing' : `a ${typeOf(owner)}`}`,
      );
    }
    owner.settable.set(target.name, value);
  } else {
    const items = iterate(value);
    if (items.length !== target.items.length)
      throw renderError(`${target.items.length} names cannot take ${items.length} values`);
    target.items.forEach((each, i) => assign(each, items[i]!, scope));
  }
}
