// Parses templates: text, output and blocks.

import { renderError } from './errors.js';
import { ExpressionParser } from './expressions.js';
import { nested } from './limits.js';
import type { Expression, Signature, Statement, Target } from './syntax.js';
import { text } from './text.js';

/** Blocks by the name they begin with. The missing ones need other templates, or are not enabled in transformers. */
const blocks: Record<string, (parser: Parser) => Statement | Statement[]> = {
  if: (parser) => parser.if(),
  for: (parser) => parser.for(),
  set: (parser) => parser.set(),
  with: (parser) => parser.with(),
  filter: (parser) => parser.filterBlock(),
  macro: (parser) => parser.macro(),
  call: (parser) => parser.callBlock(),
  print: (parser) => parser.print(),
  block: (parser) => parser.block(),
  // Marks what the model wrote, for training.
  generation: (parser) => parser.generation(),
  autoescape: (parser) => parser.autoescape(),
  break: () => ({ kind: 'break' }),
  continue: () => ({ kind: 'continue' }),
};
const loaders = ['include', 'import', 'from', 'extends'];

export class Parser extends ExpressionParser {
  private loops = 0;
  private readonly blockNames = new Set<string>();

  template(): Statement[] {
    const statements = this.statements([]);
    const [unknown] = this.unknown;
    if (unknown) throw renderError(unknown);
    return statements;
  }

  /**
   * Parses up to a block with one of these names and consumes the name, or, without names, up to the end of the
   * template.
   */
  private statements(ends: readonly string[]): Statement[] {
    const statements: Statement[] = [];
    const { tokens } = this;
    for (;;) {
      const token = tokens.take();
      if (token.type === 'data') {
        statements.push({ kind: 'data', value: text(token.value) });
      } else if (token.type === 'variable_begin') {
        statements.push({ kind: 'output', value: this.tuple() });
        tokens.expect('variable_end');
      } else if (token.type === 'block_begin') {
        if (tokens.is('name') && ends.includes(tokens.current.value)) return statements;
        const block = nested(() => this.statement(ends));
        if (Array.isArray(block)) for (const each of block) statements.push(each);
        else statements.push(block);
        tokens.expect('block_end');
      } else if (ends.length === 0) {
        return statements;
      } else {
        throw tokens.error(`the template ends before {% ${ends.at(-1)} %}`);
      }
    }
  }

  private statement(ends: readonly string[]): Statement | Statement[] {
    const { tokens } = this;
    const { value } = tokens.expect('name');
    if (loaders.includes(value)) throw tokens.error(`{% ${value} %}: there are no other templates`);
    const parse = Object.hasOwn(blocks, value) ? blocks[value] : undefined;
    if (!parse)
      throw tokens.error(`unknown block '${value}'${ends.length > 0 ? `; expected is ${ends.join(' or ')}` : ''}`);
    if ((value === 'break' || value === 'continue') && this.loops === 0)
      throw tokens.error(`'${value}' outside of a loop`);
    return parse(this);
  }

  /** The body of a block up to its end, which is consumed except for its `%}`. */
  body(...ends: string[]): Statement[] {
    this.tokens.skip('operator', ':');
    this.tokens.expect('block_end');
    return this.statements(ends);
  }

  private endedBody(end: string): Statement[] {
    const body = this.body(end);
    this.tokens.expect('name', end);
    return body;
  }

  if(): Statement {
    const branches: [Expression, Statement[]][] = [];
    const before = this.unknown.length;
    let otherwise: Statement[] = [];
    for (;;) {
      const test = this.tuple({ withCondition: false });
      branches.push([test, this.body('elif', 'else', 'endif')]);
      const { value } = this.tokens.take();
      if (value === 'elif') continue;
      if (value === 'else') otherwise = this.endedBody('endif');
      this.unknown.length = before;
      return { kind: 'if', branches, otherwise };
    }
  }

  for(): Statement {
    const { tokens } = this;
    const target = this.target('in');
    tokens.expect('name', 'in');
    const items = this.tuple({ withCondition: false, end: 'recursive' });
    const test = tokens.skip('name', 'if') ? this.expression() : null;
    const recursive = tokens.skip('name', 'recursive');
    ++this.loops;
    const body = this.body('endfor', 'else');
    --this.loops;
    const otherwise = tokens.take().value === 'else' ? this.endedBody('endfor') : [];
    return { kind: 'for', target, items, test, recursive, body, otherwise };
  }

  set(): Statement {
    const target = this.target('', true);
    if (this.tokens.skip('operator', '=')) return { kind: 'set', target, value: this.tuple() };
    const filter = this.filters(null);
    return { kind: 'set block', target, filter, body: this.endedBody('endset') };
  }

  with(): Statement {
    const targets: [Target, Expression][] = [];
    while (!this.tokens.is('block_end')) {
      if (targets.length > 0) this.tokens.expect('operator', ',');
      const target = this.target();
      this.tokens.expect('operator', '=');
      targets.push([target, this.expression()]);
    }
    return { kind: 'with', targets, body: this.endedBody('endwith') };
  }

  filterBlock(): Statement {
    return { kind: 'filter block', filter: this.filters(null, true)!, body: this.endedBody('endfilter') };
  }

  macro(): Statement {
    const name = this.tokens.expect('name').value;
    const signature = this.signature();
    return { kind: 'macro', name, signature, body: this.outsideOfLoops(() => this.endedBody('endmacro')) };
  }

  callBlock(): Statement {
    const signature = this.tokens.is('operator', '(') ? this.signature() : { parameters: [], defaults: [] };
    const call = this.expression();
    if (call.kind !== 'call') throw this.tokens.error('{% call %} needs the call of a macro');
    return { kind: 'call block', call, signature, body: this.outsideOfLoops(() => this.endedBody('endcall')) };
  }

  print(): Statement[] {
    const statements: Statement[] = [];
    while (!this.tokens.is('block_end')) {
      if (statements.length > 0) this.tokens.expect('operator', ',');
      statements.push({ kind: 'output', value: this.expression() });
    }
    return statements;
  }

  block(): Statement {
    const { tokens } = this;
    const name = tokens.expect('name').value;
    if (this.blockNames.has(name)) throw tokens.error(`block '${name}' is defined twice`);
    this.blockNames.add(name);
    tokens.skip('name', 'scoped');
    const required = tokens.skip('name', 'required');
    const body = this.outsideOfLoops(() => this.endedBody('endblock'));
    tokens.skip('name', name);
    if (required) throw tokens.error(`block '${name}' is required, but there is no other template that could have it`);
    return { kind: 'scope', body };
  }

  generation(): Statement {
    return { kind: 'scope', body: this.outsideOfLoops(() => this.endedBody('endgeneration')) };
  }

  autoescape(): Statement {
    const test = this.expression();
    if (test.kind !== 'constant' || test.value !== false)
      throw this.tokens.error('autoescape is not supported: prompts are not HTML');
    return { kind: 'scope', body: this.endedBody('endautoescape') };
  }

  /** Macros are functions: their statements do not end a loop around them. */
  private outsideOfLoops<T>(job: () => T): T {
    const { loops } = this;
    this.loops = 0;
    const result = job();
    this.loops = loops;
    return result;
  }

  private signature(): Signature {
    const { tokens } = this;
    const signature: Signature = { parameters: [], defaults: [] };
    tokens.expect('operator', '(');
    while (!tokens.skip('operator', ')')) {
      if (signature.parameters.length > 0) tokens.expect('operator', ',');
      const name = tokens.expect('name').value;
      if (signature.parameters.includes(name)) throw tokens.error(`two parameters are called '${name}'`);
      signature.parameters.push(name);
      if (tokens.skip('operator', '=')) signature.defaults.push(this.expression());
      else if (signature.defaults.length > 0)
        throw tokens.error(`parameter '${name}' needs a default value, as those before it have one`);
    }
    return signature;
  }

  /** The target of an assignment: a name, `namespace.name`, or several with commas. `end`: a name that ends it. */
  private target(end = '', withNamespace = false): Target {
    const { tokens } = this;
    const items: Target[] = [];
    let isTuple = false;
    while (
      !tokens.is('operator', '=') &&
      !tokens.is('block_end') &&
      !tokens.is('operator', ')') &&
      !(end && tokens.is('name', end))
    ) {
      items.push(this.targetItem(withNamespace));
      if (!tokens.skip('operator', ',')) break;
      isTuple = true;
    }
    if (items.length === 0) throw tokens.unexpected('a name to assign to');
    return isTuple ? { kind: 'tuple', items } : items[0]!;
  }

  private targetItem(withNamespace: boolean): Target {
    const { tokens } = this;
    if (tokens.skip('operator', '(')) {
      const inside = this.target();
      tokens.expect('operator', ')');
      return inside;
    }
    const { value } = tokens.expect('name');
    if (['true', 'false', 'none', 'True', 'False', 'None'].includes(value))
      throw tokens.error(`cannot assign to '${value}'`);
    if (!withNamespace || !tokens.skip('operator', '.')) return { kind: 'name', name: value };
    return { kind: 'attribute', object: value, name: tokens.expect('name').value };
  }
}
