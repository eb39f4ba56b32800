// Reads tokens one after another.

import type { QuintetError } from '../../base/errors.js';
import { syntaxError } from './errors.js';
import { type Token, type TokenType, tokenize } from './lexer.js';

export class TokenStream {
  private readonly tokens: Token[];
  private at = 0;

  constructor(source: string) {
    this.tokens = tokenize(source);
  }

  get current(): Token {
    return this.tokens[this.at]!;
  }

  /** The token after this one. */
  get next(): Token {
    return this.tokens[Math.min(this.at + 1, this.tokens.length - 1)]!;
  }

  take(): Token {
    const token = this.current;
    if (token.type !== 'eof') ++this.at;
    return token;
  }

  /** Whether the current token is this one; any of the type without `value`. */
  is(type: TokenType, value?: string): boolean {
    const { current } = this;
    return current.type === type && (value === undefined || current.value === value);
  }

  skip(type: TokenType, value?: string): boolean {
    if (!this.is(type, value)) return false;
    this.take();
    return true;
  }

  expect(type: TokenType, value?: string): Token {
    if (this.is(type, value)) return this.take();
    throw this.unexpected(value ?? type.replace('_', ' '));
  }

  unexpected(expected?: string): QuintetError {
    const { type, value } = this.current;
    const given = value ? `'${value}'` : type === 'eof' ? 'the end of the template' : type.replace('_', ' ');
    return this.error(`unexpected ${given}${expected ? `, expected ${expected}` : ''}`);
  }

  error(message: string): QuintetError {
    return syntaxError(this.current.line, message);
  }
}
