// Tool calls while they are written. It is certain only at its end that a call can be read, so the parts streamed
// before may have to be discarded.

import { jsonText } from '../../base/json_text.js';
import type { ToolCall, ToolCallPart } from '../types.js';
import { valueOfJson } from './json_calls.js';
import type { CallReading } from './reading.js';

/** A part of a call; `index` counts the calls of this stream. */
export type CallDelta = Omit<ToolCallPart, 'type'>;

interface StreamedCall {
  id: string | undefined;
  name: string;
  argumentsText: string;
}

export type StreamCalls = (reading: CallReading) => CallStream;

export abstract class CallStream {
  private deltas: CallDelta[] = [];
  private readonly calls: StreamedCall[] = [];

  constructor(protected readonly reading: CallReading) {}

  /** Reads the next piece of the text between the markers of calls. */
  add(text: string): CallDelta[] {
    this.read(text);
    return this.taken();
  }

  /** Returns what is still missing when these calls were read at the end. */
  finish(found: readonly ToolCall[]): CallDelta[] {
    found.forEach((call, index) => this.complete(index, call));
    for (let index = found.length; index < this.calls.length; ++index)
      this.deltas.push({ index, argumentsText: '', discarded: true });
    return this.taken();
  }

  protected abstract read(text: string): void;

  protected begin(name: string, id?: string): void {
    this.calls.push({ id, name, argumentsText: '' });
    this.deltas.push({ index: this.calls.length - 1, ...(id !== undefined && { id }), name, argumentsText: '' });
  }

  /** Adds JSON text to the arguments of the last call. */
  protected write(argumentsText: string): void {
    this.calls.at(-1)!.argumentsText += argumentsText;
    this.deltas.push({ index: this.calls.length - 1, argumentsText });
  }

  private complete(index: number, { id, name, arguments: given }: ToolCall): void {
    const streamed = this.calls[index];
    const whole = jsonText(given);
    if (streamed?.name === name && (streamed.id ?? id) === id) {
      const rest = this.rest(streamed.argumentsText, whole);
      const late = streamed.id === undefined && id !== undefined && { id };
      if (rest || (rest === '' && late)) this.deltas.push({ index, ...late, argumentsText: rest });
      if (rest !== undefined) return;
    }
    if (streamed) this.deltas.push({ index, argumentsText: '', discarded: true });
    this.deltas.push({ index, ...(id !== undefined && { id }), name, argumentsText: whole });
  }

  /** The rest of `whole` after the streamed text; undefined if the two differ. */
  private rest(streamed: string, whole: string): string | undefined {
    if (whole.startsWith(streamed)) return whole.slice(streamed.length);
    return jsonText(valueOfJson(streamed, this.reading)) === whole ? '' : undefined;
  }

  private taken(): CallDelta[] {
    const { deltas } = this;
    this.deltas = [];
    return deltas;
  }
}
