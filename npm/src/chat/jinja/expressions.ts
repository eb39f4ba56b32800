// Parses expressions, with the precedences of Jinja2, which differ from Python's in a few places.

import { nested } from './limits.js';
import type { Arguments, Comparison, Expression, MathOperator } from './syntax.js';
import { text } from './text.js';
import { TokenStream } from './token_stream.js';
import type { Value } from './values.js';

const constants: Record<string, Value> = { true: true, True: true, false: false, False: false, none: null, None: null };
const comparisons = ['==', '!=', '<', '<=', '>', '>='];
/** Names that end the argument of a test that is written without brackets: `x is even and ...`. */
const afterTest = ['else', 'or', 'and'];

export class ExpressionParser {
  protected readonly tokens: TokenStream;
  /** Filters and tests that do not exist. They are errors even if they are never reached, except within conditions. */
  protected unknown: string[] = [];

  constructor(
    source: string,
    private readonly exists: (kind: 'filter' | 'test', name: string) => boolean,
  ) {
    this.tokens = new TokenStream(source);
  }

  /** `withCondition`: `a if b else c` may follow. */
  protected expression(withCondition = true): Expression {
    return nested(() => (withCondition ? this.condition() : this.or()));
  }

  /** One expression, or a tuple of several without brackets. */
  protected tuple({ withCondition = true, inBrackets = false, end = '' } = {}): Expression {
    const items: Expression[] = [];
    let isTuple = false;
    while (!this.endsTuple() && !(end && this.tokens.is('name', end))) {
      items.push(this.expression(withCondition));
      if (!this.tokens.skip('operator', ',')) break;
      isTuple = true;
    }
    if (!isTuple && items[0]) return items[0];
    if (!isTuple && !inBrackets) throw this.tokens.unexpected('an expression');
    return { kind: 'tuple', items };
  }

  private endsTuple(): boolean {
    const { tokens } = this;
    return tokens.is('block_end') || tokens.is('variable_end') || tokens.is('operator', ')');
  }

  private condition(): Expression {
    const before = this.unknown.length;
    let then = this.or();
    while (this.tokens.skip('name', 'if')) {
      const test = this.or();
      const otherwise = this.tokens.skip('name', 'else') ? nested(() => this.condition()) : null;
      then = { kind: 'condition', test, then, otherwise };
      this.unknown.length = before;
    }
    return then;
  }

  private or(): Expression {
    let left = this.and();
    while (this.tokens.skip('name', 'or')) left = { kind: 'or', left, right: this.and() };
    return left;
  }

  private and(): Expression {
    let left = this.not();
    while (this.tokens.skip('name', 'and')) left = { kind: 'and', left, right: this.not() };
    return left;
  }

  private not(): Expression {
    if (!this.tokens.skip('name', 'not')) return this.comparison();
    return { kind: 'not', operand: nested(() => this.not()) };
  }

  private comparison(): Expression {
    const first = this.sum();
    const rest: [Comparison, Expression][] = [];
    for (;;) {
      const operator = this.comparisonOperator();
      if (!operator) return rest.length > 0 ? { kind: 'compare', first, rest } : first;
      rest.push([operator, this.sum()]);
    }
  }

  private comparisonOperator(): Comparison | undefined {
    const { tokens } = this;
    if (tokens.is('operator') && comparisons.includes(tokens.current.value)) return tokens.take().value as Comparison;
    if (tokens.skip('name', 'in')) return 'in';
    if (!tokens.is('name', 'not') || tokens.next.type !== 'name' || tokens.next.value !== 'in') return undefined;
    tokens.take();
    tokens.take();
    return 'not in';
  }

  private sum(): Expression {
    return this.math(['+', '-'], () => this.concatenation());
  }

  private concatenation(): Expression {
    const parts = [this.product()];
    while (this.tokens.skip('operator', '~')) parts.push(this.product());
    return parts.length === 1 ? parts[0]! : { kind: 'concat', parts };
  }

  private product(): Expression {
    return this.math(['*', '/', '//', '%'], () => this.math(['**'], () => this.unary(true)));
  }

  private math(operators: MathOperator[], operand: () => Expression): Expression {
    let left = operand();
    while (this.tokens.is('operator') && operators.includes(this.tokens.current.value as MathOperator)) {
      const operator = this.tokens.take().value as MathOperator;
      left = { kind: 'math', operator, left, right: operand() };
    }
    return left;
  }

  private unary(withFilter: boolean): Expression {
    const { tokens } = this;
    let expression: Expression;
    if (tokens.skip('operator', '-')) expression = { kind: 'negative', operand: nested(() => this.unary(false)) };
    else if (tokens.skip('operator', '+')) expression = { kind: 'positive', operand: nested(() => this.unary(false)) };
    else expression = this.primary();
    expression = this.postfix(expression);
    return withFilter ? this.filtersAndTests(expression) : expression;
  }

  private primary(): Expression {
    const { tokens } = this;
    const token = tokens.current;
    if (tokens.skip('name')) {
      if (Object.hasOwn(constants, token.value)) return { kind: 'constant', value: constants[token.value]! };
      return { kind: 'name', name: token.value };
    }
    if (token.type === 'string') return { kind: 'constant', value: text(this.strings()) };
    if (tokens.skip('integer')) return { kind: 'constant', value: integerOf(token.value) };
    if (tokens.skip('float')) return { kind: 'constant', value: Number(token.value.replaceAll('_', '')) };
    if (tokens.skip('operator', '(')) {
      const inside = this.tuple({ inBrackets: true });
      tokens.expect('operator', ')');
      return inside;
    }
    if (tokens.skip('operator', '[')) return { kind: 'list', items: this.listed(']', () => this.expression()) };
    if (tokens.skip('operator', '{')) return { kind: 'dict', entries: this.listed('}', () => this.entry()) };
    throw tokens.unexpected();
  }

  /** Adjacent strings are joined. */
  private strings(): string {
    let value = '';
    while (this.tokens.is('string')) value += this.tokens.take().value;
    return value;
  }

  private listed<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.tokens.is('operator', end)) {
      if (items.length > 0) this.tokens.expect('operator', ',');
      if (this.tokens.is('operator', end)) break;
      items.push(item());
    }
    this.tokens.take();
    return items;
  }

  private entry(): [Expression, Expression] {
    const key = this.expression();
    this.tokens.expect('operator', ':');
    return [key, this.expression()];
  }

  private postfix(expression: Expression): Expression {
    for (;;) {
      if (this.tokens.skip('operator', '.')) expression = this.attribute(expression);
      else if (this.tokens.skip('operator', '['))
        expression = { kind: 'item', object: expression, index: this.subscript() };
      else if (this.tokens.is('operator', '('))
        expression = { kind: 'call', callee: expression, call: this.callArguments() };
      else return expression;
    }
  }

  private attribute(object: Expression): Expression {
    const token = this.tokens.take();
    if (token.type === 'name') return { kind: 'attribute', object, name: token.value };
    if (token.type === 'integer')
      return { kind: 'item', object, index: { kind: 'constant', value: integerOf(token.value) } };
    throw this.tokens.error('expected a name or a number after the point');
  }

  private subscript(): Expression {
    const items: Expression[] = [];
    while (!this.tokens.skip('operator', ']')) {
      if (items.length > 0) this.tokens.expect('operator', ',');
      items.push(this.subscripted());
    }
    return items.length === 1 ? items[0]! : { kind: 'tuple', items };
  }

  private subscripted(): Expression {
    const { tokens } = this;
    const isColon = () => tokens.is('operator', ':');
    const isEnd = () => tokens.is('operator', ']') || tokens.is('operator', ',');
    const start = isColon() ? null : this.expression();
    if (start && !isColon()) return start;
    tokens.take();
    const stop = isColon() || isEnd() ? null : this.expression();
    const step = tokens.skip('operator', ':') && !isEnd() ? this.expression() : null;
    return { kind: 'slice', parts: [start, stop, step] };
  }

  private filtersAndTests(expression: Expression): Expression {
    for (;;) {
      if (this.tokens.is('operator', '|')) expression = this.filters(expression)!;
      else if (this.tokens.skip('name', 'is')) expression = this.test(expression);
      else if (this.tokens.is('operator', '('))
        expression = { kind: 'call', callee: expression, call: this.callArguments() };
      else return expression;
    }
  }

  /** `| name(...) | name(...)`. `begins`: without the first bar. */
  protected filters(object: Expression | null, begins = false): Expression | null {
    while (begins || this.tokens.skip('operator', '|')) {
      const name = this.dottedName('filter');
      const call = this.tokens.is('operator', '(') ? this.callArguments() : noArguments();
      object = { kind: 'filter', object, name, call };
      begins = false;
    }
    return object;
  }

  private dottedName(kind: 'filter' | 'test'): string {
    let name = this.tokens.expect('name').value;
    while (this.tokens.skip('operator', '.')) name += `.${this.tokens.expect('name').value}`;
    if (!this.exists(kind, name)) this.unknown.push(`there is no ${kind} '${name}'`);
    return name;
  }

  private test(object: Expression): Expression {
    const { tokens } = this;
    const negated = tokens.skip('name', 'not');
    const name = this.dottedName('test');
    let call = noArguments();
    if (tokens.is('operator', '(')) {
      call = this.callArguments();
    } else if (this.beginsArgument()) {
      if (tokens.is('name', 'is')) throw tokens.error("tests cannot follow each other with 'is'");
      call.args.push(this.postfix(this.primary()));
    }
    const test: Expression = { kind: 'test', object, name, call };
    return negated ? { kind: 'not', operand: test } : test;
  }

  private beginsArgument(): boolean {
    const { type, value } = this.tokens.current;
    if (type === 'name') return !afterTest.includes(value);
    return (
      type === 'string' || type === 'integer' || type === 'float' || (type === 'operator' && /^[([{]$/.test(value))
    );
  }

  protected callArguments(): Arguments {
    const { tokens } = this;
    tokens.expect('operator', '(');
    const call = noArguments();
    const misplaced = () => tokens.error('invalid order of the arguments of a call');
    while (!tokens.skip('operator', ')')) {
      if (call.args.length + call.kwargs.length > 0 || call.moreArgs || call.moreKwargs) {
        tokens.expect('operator', ',');
        if (tokens.skip('operator', ')')) break;
      }
      if (tokens.skip('operator', '*')) {
        if (call.moreArgs || call.moreKwargs) throw misplaced();
        call.moreArgs = this.expression();
      } else if (tokens.skip('operator', '**')) {
        if (call.moreKwargs) throw misplaced();
        call.moreKwargs = this.expression();
      } else if (tokens.is('name') && tokens.next.type === 'operator' && tokens.next.value === '=') {
        if (call.moreKwargs) throw misplaced();
        const name = tokens.take().value;
        tokens.take();
        if (call.kwargs.some(([other]) => other === name)) throw tokens.error(`argument '${name}' is given twice`);
        call.kwargs.push([name, this.expression()]);
      } else {
        if (call.moreArgs || call.moreKwargs || call.kwargs.length > 0) throw misplaced();
        call.args.push(this.expression());
      }
    }
    return call;
  }
}

const noArguments = (): Arguments => ({ args: [], kwargs: [], moreArgs: null, moreKwargs: null });

function integerOf(source: string): bigint {
  const digits = source.replaceAll('_', '').toLowerCase();
  return BigInt(digits.slice(0, 4300));
}
