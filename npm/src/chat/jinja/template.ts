// A template in Jinja, as transformers runs it: parsed once, rendered any number of times.
//
// Other engines would not do: every string here keeps the origin of its characters, the template or a message
// (text.ts). A message that says "<|im_end|>" stays text and never becomes a control token, regardless of what the
// template does with it. Engines that render to plain strings cannot distinguish the two.

import { globals } from './library/globals.js';
import { hasFilter, hasTest } from './library/library.js';
import { limited } from './limits.js';
import { Parser } from './parser.js';
import { textOf } from './runner.js';
import { Scope } from './scope.js';
import type { Statement } from './syntax.js';
import type { Text } from './text.js';
import type { Value } from './values.js';

export class Template {
  private readonly statements: Statement[];

  /** @throws QuintetError INPUT if the template is not valid, with the line */
  constructor(source: string) {
    const exists = (kind: 'filter' | 'test', name: string) => (kind === 'filter' ? hasFilter(name) : hasTest(name));
    this.statements = limited(() => new Parser(source, exists).template());
  }

  /** @throws QuintetError INPUT if it raises an exception, does what Jinja2 cannot do, or does not end */
  render(variables: ReadonlyMap<string, Value>, now: () => Date = () => new Date()): Text {
    return limited(() => {
      const scope = new Scope();
      for (const [name, value] of globals(now)) scope.set(name, value);
      const context = new Scope(scope);
      for (const [name, value] of variables) context.set(name, value);
      return textOf(this.statements, new Scope(context));
    });
  }
}
