// Streams tool calls of Qwen3-Coder, value by value; the last one is certain only at the end of the call.

import { jsonText } from '../../base/json_text.js';
import { CallStream, type StreamCalls } from './call_stream.js';
import { Tags, typesOf, valueOfXml } from './xml_calls.js';

class XmlCallStream extends CallStream {
  private unread = '';
  private typeOf: ((key: string) => readonly string[]) | undefined;
  private hasValues = false;

  protected read(text: string): void {
    this.unread += text;
    if (!text.includes('>') && !text.includes('=')) return;
    if (!this.typeOf) this.readName();
    while (this.typeOf && this.readValue(this.typeOf));
  }

  /** Only for the first call: its end is certain only at the end of the answer. */
  private readName(): void {
    const tags = new Tags(this.unread);
    const name = tags.opened('function');
    if (name === undefined) return;
    this.typeOf = typesOf(name, this.reading.tools);
    this.begin(name);
    this.unread = tags.rest;
  }

  /** A value that is followed by another one. */
  private readValue(typeOf: (key: string) => readonly string[]): boolean {
    const tags = new Tags(this.unread);
    const key = tags.opened('parameter');
    const value = key === undefined || !/<\/parameter>\s*<parameter=/.test(this.unread) ? undefined : tags.value();
    if (value === undefined || !/^\s*<parameter=/.test(tags.rest)) return false;
    this.write(
      `${this.hasValues ? ',' : '{'}${JSON.stringify(key)}:${jsonText(valueOfXml(value, this.reading, typeOf(key!)))}`,
    );
    this.hasValues = true;
    this.unread = tags.rest;
    return true;
  }
}

export const xmlStream: StreamCalls = (reading) => new XmlCallStream(reading);
