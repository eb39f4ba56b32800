// Splits a template into tokens, with the settings of transformers: trim_blocks and lstrip_blocks are on. The first
// newline after a block tag is removed, and so is white space before a block tag that begins a line. `-` removes all
// white space, `+` none.

import { syntaxError } from './errors.js';
import { whiteSpace } from './text.js';

export type TokenType =
  | 'data'
  | 'block_begin'
  | 'block_end'
  | 'variable_begin'
  | 'variable_end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof';

export interface Token {
  type: TokenType;
  /** Strings without quotes and escapes. */
  value: string;
  line: number;
}

const tagBegin = /\{%|\{\{|\{#/g;
const spaces = `[${whiteSpace}]*`;
const anySpace = new RegExp(spaces, 'y');
const raw = new RegExp(`\\{%([-+]?)${spaces}raw${spaces}(?:-%\\}${spaces}|%\\})`, 'y');
const endRaw = new RegExp(`\\{%([-+]?)${spaces}endraw${spaces}(?:\\+%\\}|-%\\}${spaces}|%\\}\\n?)`, 'g');
const endComment = new RegExp(`\\+#\\}|-#\\}${spaces}|#\\}\\n?`, 'g');
const endBlock = new RegExp(`\\+%\\}|-%\\}${spaces}|%\\}\\n?`, 'y');
const endVariable = new RegExp(`-\\}\\}${spaces}|\\}\\}`, 'y');
const float = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const name = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const string = /'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y;
const operator = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}>=<.:|,;]/y;
const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

export function tokenize(source: string): Token[] {
  // The last newline of a template does not count.
  return new Lexer(source.replace(/\r\n?/g, '\n').replace(/\n$/, '')).run();
}

class Lexer {
  private at = 0;
  private line = 1;
  private countedTo = 0;
  private readonly tokens: Token[] = [];
  /** Whether the text before this place ends a line, or there is none. */
  private lineBegins = true;

  constructor(private readonly source: string) {}

  run(): Token[] {
    const { source } = this;
    while (this.at < source.length) {
      tagBegin.lastIndex = this.at;
      const found = tagBegin.exec(source);
      if (!found) {
        this.push('data', source.slice(this.at));
        break;
      }
      this.data(found.index, found[0]);
    }
    this.countLines(source.length);
    this.push('eof', '');
    return this.tokens;
  }

  /** Template text up to a tag, and the tag. */
  private data(end: number, tag: string): void {
    const isRaw = this.match(raw, end);
    const sign = isRaw ? isRaw[1]! : (/[-+]/.exec(this.source[end + 2] ?? '')?.[0] ?? '');
    this.pushData(end, sign, tag !== '{{');
    this.countLines(end);
    const after = end + 2 + sign.length;
    if (isRaw) this.rawText(end + isRaw[0].length);
    else if (tag === '{#') this.comment(after);
    else this.inside(after, tag === '{%' ? 'block' : 'variable');
  }

  private pushData(end: number, sign: string, strips: boolean): void {
    let data = this.source.slice(this.at, end);
    if (sign === '-') {
      data = trimmedEnd(data);
    } else if (strips && sign !== '+') {
      const begin = data.lastIndexOf('\n') + 1;
      if ((begin > 0 || this.lineBegins) && trimmedEnd(data.slice(begin)) === '') data = data.slice(0, begin);
    }
    if (data) this.push('data', data);
  }

  private rawText(begin: number): void {
    endRaw.lastIndex = begin;
    const found = endRaw.exec(this.source);
    if (!found) throw syntaxError(this.line, 'there is no {% endraw %}');
    this.at = begin;
    this.lineBegins = this.source[begin - 1] === '\n';
    this.pushData(found.index, found[1]!, true);
    this.moveTo(found.index + found[0].length);
  }

  private comment(begin: number): void {
    endComment.lastIndex = begin;
    const found = endComment.exec(this.source);
    if (!found) throw syntaxError(this.line, 'a comment does not end: #} is missing');
    this.moveTo(found.index + found[0].length);
  }

  /** The tokens of a tag. */
  private inside(begin: number, kind: 'block' | 'variable'): void {
    this.push(`${kind}_begin`, '');
    this.at = begin;
    const open: string[] = [];
    const end = kind === 'block' ? endBlock : endVariable;
    for (;;) {
      this.at += this.match(anySpace, this.at)![0].length;
      this.countLines(this.at);
      if (this.at >= this.source.length)
        throw syntaxError(this.line, `a tag does not end: ${kind === 'block' ? '%' : '}'}} is missing`);
      const found = open.length === 0 && this.match(end, this.at);
      if (found) {
        this.push(`${kind}_end`, '');
        this.moveTo(this.at + found[0].length);
        return;
      }
      this.at += this.token(open).length;
    }
  }

  /** Reads a token and returns its source. `open`: the brackets that are to be closed. */
  private token(open: string[]): string {
    let found;
    if ((found = this.match(float, this.at))) return this.push('float', found[0]);
    if ((found = this.match(integer, this.at))) return this.push('integer', found[0]);
    if ((found = this.match(name, this.at))) return this.push('name', found[0]);
    if ((found = this.match(string, this.at))) {
      this.push('string', unescaped(found[1] ?? found[2]!, this.line));
      return found[0];
    }
    found = this.match(operator, this.at);
    if (!found)
      throw syntaxError(
        this.line,
        `unexpected character ${JSON.stringify(String.fromCodePoint(this.source.codePointAt(this.at)!))}`,
      );
    const [symbol] = found;
    if (closing[symbol]) open.push(closing[symbol]);
    else if (/[)\]}]/.test(symbol)) {
      const expected = open.pop();
      if (symbol !== expected)
        throw syntaxError(this.line, `unexpected '${symbol}'${expected ? `, expected '${expected}'` : ''}`);
    }
    return this.push('operator', symbol);
  }

  private match(rule: RegExp, at: number): RegExpExecArray | null {
    rule.lastIndex = at;
    return rule.exec(this.source);
  }

  private push(type: TokenType, value: string): string {
    this.tokens.push({ type, value, line: this.line });
    return value;
  }

  private moveTo(at: number): void {
    this.lineBegins = this.source[at - 1] === '\n';
    this.at = at;
    this.countLines(at);
  }

  private countLines(to: number): void {
    for (; this.countedTo < to; ++this.countedTo) if (this.source[this.countedTo] === '\n') ++this.line;
  }
}

function trimmedEnd(value: string): string {
  let end = value.length;
  while (end > 0 && whiteSpace.includes(value[end - 1]!)) --end;
  return value.slice(0, end);
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const escapeSequence = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g;

/** Python's escapes. Unknown ones stay unchanged. */
function unescaped(source: string, line: number): string {
  if (!source.includes('\\')) return source;
  return source.replace(escapeSequence, (whole, octal?: string, x?: string, u?: string, U?: string, other?: string) => {
    if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
    const hex = x ?? u ?? U;
    if (hex) {
      const code = Number.parseInt(hex, 16);
      if (code > 0x10ffff) throw syntaxError(line, `${whole} is not a character`);
      return String.fromCodePoint(code);
    }
    if (/[xuUN]/.test(other!)) throw syntaxError(line, `a string has an incomplete escape: ${whole}`);
    return escapes[other!] ?? whole;
  });
}
