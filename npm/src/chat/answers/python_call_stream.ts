// Streams tool calls in Python, argument by argument.

import { jsonText } from '../../base/json_text.js';
import { CallStream, type StreamCalls } from './call_stream.js';
import { literalOfPython } from './python_calls.js';

const head = /^[\s,[\]]*([A-Za-z_][\w.]*)\(/;
const argument = /^\s*([A-Za-z_]\w*)\s*=([^]*)$/;
/** Whole strings, brackets, and commas; a quote of a string that has not ended, or a comment. */
const tokens = /("""|'''|["'])(?:(?!\1)[^\\]|\\[^])*\1|[([{]|[)\]},]|["'#]/g;

class PythonCallStream extends CallStream {
  private unread = '';
  /** The text before the next argument; undefined outside of calls. */
  private separator: '{' | ',' | undefined;
  /** Anything but a call with literals is read at the end. */
  private isLost = false;

  protected read(text: string): void {
    this.unread += text;
    if (this.isLost || !/[(),]/.test(text)) return;
    while (this.separator === undefined ? this.readHead() : this.readArgument(this.separator));
  }

  private readHead(): boolean {
    const found = head.exec(this.unread);
    if (!found) return false;
    this.begin(found[1]!);
    this.unread = this.unread.slice(found[0].length);
    this.separator = '{';
    return true;
  }

  private readArgument(separator: string): boolean {
    const end = endOfArgument(this.unread);
    if (end === undefined) return false;
    const [, key, literal = ''] = argument.exec(this.unread.slice(0, end)) ?? [];
    const isLast = this.unread[end] === ')';
    const isEmpty = this.unread.slice(0, end).trim() === '';
    const value = key === undefined ? undefined : literalOfPython(literal.trim(), this.reading);
    if (value === undefined && !(isEmpty && isLast)) {
      this.isLost = true;
      return false;
    }
    const written = value === undefined ? '' : `${separator}${JSON.stringify(key)}:${jsonText(value)}`;
    this.write(written + (isLast ? (written || separator === ',' ? '}' : '{}') : ''));
    this.unread = this.unread.slice(end + 1);
    this.separator = isLast ? undefined : ',';
    return true;
  }
}

/** The position of the comma or parenthesis that ends an argument; undefined if there is none yet. */
function endOfArgument(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (/^["'#]$/.test(token)) return undefined;
    if (depth === 0 && /^[,)]$/.test(token)) return index;
    if (/^[([{]$/.test(token)) ++depth;
    else if (/^[)\]}]$/.test(token)) --depth;
  }
  return undefined;
}

export const pythonStream: StreamCalls = (reading) => new PythonCallStream(reading);
