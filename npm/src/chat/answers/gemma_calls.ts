// Calls of tools that Gemma 4 writes, as its chat template writes earlier ones: call:f{text:<|"|>x<|"|>,count:1}. That
// is JSON except for the strings and the keys. Strings in JSON and texts without quotes are read too, because models
// write them at times.

import { isA } from '../../base/values.js';
import type { ToolCall } from '../types.js';
import { CallStream, type StreamCalls } from './call_stream.js';
import { valueOfJson } from './json_calls.js';
import { partialEnd } from './partial_end.js';
import type { CallReading } from './reading.js';

/** The delimiter of strings; nothing is escaped in them. */
export const gemmaQuote = '<|"|>';
const head = /^\s*call:([^{<\n]+)(?=\{)/;
/** Enough for the name of any tool. */
const maxHead = 1000;
/** A quote, a string of JSON, punctuation, or a bare text and what is after it: a colon after a key. */
const token =
  /^\s*(?:(<\|"\|>)|("(?:[^"\\]|\\[^])*"|[{}[\],:])|([^\s{}[\],:"]+(?:\s+[^\s{}[\],:"]+)*)\s*(?=([{}[\],:])))/;

/** Converts the text in braces to JSON as it arrives. */
class JsonWriter {
  /** Text that was not converted yet. */
  unread = '';
  private isInString = false;

  constructor(private readonly reading: CallReading) {}

  add(text: string): string {
    this.unread += text;
    let json = '';
    for (let next = this.next(); next !== undefined; next = this.next()) json += next;
    return json;
  }

  private next(): string | undefined {
    if (this.isInString) return this.inString();
    const [whole, quote, asInJson, bare, following] = token.exec(this.unread) ?? [];
    if (whole === undefined) return undefined;
    this.unread = this.unread.slice(whole.length);
    if (quote) this.isInString = true;
    if (bare === undefined) return quote ? '"' : asInJson!;
    const isValue = following !== ':' && valueOfJson(bare, this.reading) !== undefined;
    return isValue ? bare : JSON.stringify(bare);
  }

  private inString(): string | undefined {
    const end = this.unread.indexOf(gemmaQuote);
    const length = end < 0 ? this.unread.length - partialEnd(this.unread, gemmaQuote) : end;
    if (end < 0 && length === 0) return undefined;
    const json = JSON.stringify(this.unread.slice(0, length)).slice(1, -1);
    this.unread = this.unread.slice(end < 0 ? length : end + gemmaQuote.length);
    this.isInString = end < 0;
    return end < 0 ? json : `${json}"`;
  }
}

export function callsOfGemma(text: string, reading: CallReading): ToolCall[] | undefined {
  const [begin, name] = head.exec(text) ?? [];
  if (begin === undefined) return undefined;
  const writer = new JsonWriter(reading);
  const given = valueOfJson(writer.add(text.slice(begin.length)), reading);
  if (!isA(given, 'Object') || writer.unread.trim() !== '') return undefined;
  return [{ name: name!.trim(), arguments: given as Record<string, unknown> }];
}

class GemmaCallStream extends CallStream {
  private head: string | undefined = '';
  private readonly writer = new JsonWriter(this.reading);

  protected read(text: string): void {
    const rest = this.head === undefined ? text : this.afterHead(this.head + text);
    const json = this.writer.add(rest);
    if (json) this.write(json);
  }

  private afterHead(text: string): string {
    const [begin, name] = head.exec(text) ?? [];
    this.head = begin === undefined ? text.slice(0, maxHead) : undefined;
    if (begin === undefined) return '';
    this.begin(name!.trim());
    return text.slice(begin.length);
  }
}

export const gemmaStream: StreamCalls = (reading) => new GemmaCallStream(reading);
