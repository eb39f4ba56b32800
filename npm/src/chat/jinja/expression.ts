// A single expression, outside of a template.

import { ExpressionParser } from './expressions.js';
import { limited } from './limits.js';
import type { Expression } from './syntax.js';

class LoneExpression extends ExpressionParser {
  parse(): Expression {
    this.tokens.expect('variable_begin');
    const expression = this.expression();
    this.tokens.expect('variable_end');
    this.tokens.expect('eof');
    return expression;
  }
}

/** @throws QuintetError INPUT if it is not valid */
export const parseExpression = (source: string): Expression =>
  limited(() => new LoneExpression(`{{ ${source} }}`, () => true).parse());
