// The syntax tree of a template.

import type { Value } from './values.js';

export type Expression =
  | { kind: 'constant'; value: Value }
  | { kind: 'name'; name: string }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'tuple'; items: Expression[] }
  | { kind: 'dict'; entries: [Expression, Expression][] }
  | { kind: 'attribute'; object: Expression; name: string }
  | { kind: 'item'; object: Expression; index: Expression }
  | { kind: 'slice'; parts: [Expression | null, Expression | null, Expression | null] }
  | Call
  | { kind: 'filter'; object: Expression | null; name: string; call: Arguments }
  | { kind: 'test'; object: Expression; name: string; call: Arguments }
  | { kind: 'negative' | 'positive' | 'not'; operand: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'math'; operator: MathOperator; left: Expression; right: Expression }
  | { kind: 'concat'; parts: Expression[] }
  | { kind: 'compare'; first: Expression; rest: [Comparison, Expression][] }
  | { kind: 'condition'; test: Expression; then: Expression; otherwise: Expression | null };

export type MathOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

export interface Arguments {
  args: Expression[];
  kwargs: [string, Expression][];
  /** `*list` and `**dict` */
  moreArgs: Expression | null;
  moreKwargs: Expression | null;
}

export interface Call {
  kind: 'call';
  callee: Expression;
  call: Arguments;
}

export type Target =
  | { kind: 'name'; name: string }
  | { kind: 'attribute'; object: string; name: string }
  | { kind: 'tuple'; items: Target[] };

export interface Signature {
  parameters: string[];
  /** The default values of the last parameters. */
  defaults: Expression[];
}

export type Statement =
  | { kind: 'data'; value: Value }
  | { kind: 'output'; value: Expression }
  | { kind: 'if'; branches: [Expression, Statement[]][]; otherwise: Statement[] }
  | For
  | { kind: 'set'; target: Target; value: Expression }
  | { kind: 'set block'; target: Target; filter: Expression | null; body: Statement[] }
  | { kind: 'with'; targets: [Target, Expression][]; body: Statement[] }
  | { kind: 'filter block'; filter: Expression; body: Statement[] }
  | { kind: 'macro'; name: string; signature: Signature; body: Statement[] }
  | { kind: 'call block'; call: Call; signature: Signature; body: Statement[] }
  | { kind: 'scope'; body: Statement[] }
  | { kind: 'break' | 'continue' };

export interface For {
  kind: 'for';
  target: Target;
  items: Expression;
  test: Expression | null;
  recursive: boolean;
  body: Statement[];
  otherwise: Statement[];
}
