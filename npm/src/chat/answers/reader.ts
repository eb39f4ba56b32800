// Separates reasoning and tool calls from the text of an answer while it is written.

import type { AnswerPart, ToolCall } from '../types.js';
import type { CallDelta, CallStream } from './call_stream.js';
import type { CallValues } from './call_values.js';
import { partialEnd } from './partial_end.js';
import type { ReadCalls } from './reading.js';
import { SpecialTokens } from './special_tokens.js';
import type { AnswerStyle, ThoughtFormat } from './style.js';

/** The parts of an answer other than its text. */
export interface AnswerFindings {
  toolCalls?: ToolCall[];
  reasoning?: string;
  /** Calls that could not be read. They are part of the text. */
  unparsedToolCalls?: string[];
}

/** A call that is being written. */
interface OpenCall {
  /** The marker that began it, and then all of it so far. */
  begin: string;
  text: string;
  read: ReadCalls;
  /** Follows its values; undefined if the first end ends it. */
  values: CallValues | undefined;
  stream: CallStream;
  /** Whether the stream gets its text. */
  isStreamed: boolean;
  /** The length of its text with the first end that may be part of a value; 0: there was none. */
  firstEnd: number;
}

export class AnswerReader {
  private state: 'start' | 'text' | 'thoughts' | 'call' | 'between';
  /** Text that may begin or end something and is not decided yet. */
  private held = '';
  /** White space at the start, which belongs to the text if nothing else follows. */
  private space = '';
  private call: OpenCall | undefined;
  /** The length of the held text that was already part of a call: no character is in the values of many calls. */
  private rereading = 0;
  /** Found since the last call of take(). */
  private parts: AnswerPart[] = [];
  private reasoning = '';
  /** White space after it, which belongs to it if more follows. */
  private reasoningSpace = '';
  private readonly calls: ToolCall[] = [];
  private readonly unread: string[] = [];
  private readonly special: SpecialTokens;
  private readonly thoughts: ThoughtFormat | undefined;
  /** A label that may be at the beginning of thoughts without being one. */
  private label = '';
  /** The beginning of a call, which ends thoughts as well. */
  private readonly callInThoughts: string;
  /** The markers around the text, or empty. */
  private readonly textBegin: string;
  private readonly textEnd: string;
  /** `textEnd` once the text has begun. */
  private openTextEnd = '';
  private readonly begin: string;
  private readonly end: string;

  /** `special`: the markers that are special tokens. Spelled out, they are text. */
  constructor(
    private readonly style: AnswerStyle,
    special: Iterable<string> = [],
  ) {
    this.special = new SpecialTokens(special);
    const { thoughts, calls, startsThinking } = style;
    this.thoughts = thoughts && {
      ...thoughts,
      begin: this.special.marked(thoughts.begin),
      end: this.special.marked(thoughts.end),
    };
    const [textBegin, textEnd] = thoughts?.aroundText ?? ['', ''];
    this.textBegin = this.special.marked(textBegin);
    this.textEnd = this.special.marked(textEnd);
    this.begin = this.special.marked(calls?.begin ?? '');
    this.end = this.special.marked(calls?.end ?? '');
    this.callInThoughts = calls?.inThoughts ? this.begin + calls.inThoughts : '';
    this.state = startsThinking ? 'thoughts' : 'start';
    // Some models repeat the beginning of thoughts that the prompt already contains.
    if (startsThinking) this.label = this.thoughts!.begin;
  }

  /**
   * Reads the next piece of the answer, and the marker after it if that is a special token; returns the parts that were
   * found.
   */
  push(piece: string, marker = ''): AnswerPart[] {
    this.held += piece + this.special.marked(marker);
    this.run();
    return this.takeParts();
  }

  /** The rest of the answer. */
  finish(): AnswerPart[] {
    this.run();
    while (this.state === 'call') {
      this.addToCall(this.call!, this.take(this.held.length));
      this.addText(this.endCall(this.call!, ''));
      this.run();
    }
    const left = this.space + this.take(this.held.length);
    if (this.state === 'thoughts') this.addReasoning(left);
    else if (this.state !== 'between' || left.trim() !== '') this.addText(left);
    return this.takeParts();
  }

  found(): AnswerFindings {
    const { reasoning } = this;
    return {
      ...(this.calls.length > 0 && { toolCalls: this.calls }),
      ...(reasoning && { reasoning }),
      ...(this.unread.length > 0 && { unparsedToolCalls: this.unread }),
    };
  }

  private takeParts(): AnswerPart[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private addText(text: string): void {
    if (text) this.parts.push({ type: 'text', text: this.special.written(text) });
  }

  /** Without white space around it. */
  private addReasoning(piece: string): void {
    const following = this.reasoningSpace + piece;
    const begun = this.reasoning === '' ? following.trimStart() : following;
    const text = this.special.written(begun.trimEnd());
    this.reasoningSpace = begun.slice(begun.trimEnd().length);
    if (!text) return;
    this.reasoning += text;
    this.parts.push({ type: 'reasoning', text });
  }

  private run(): void {
    for (;;) {
      const before = this.state;
      this.addText(this.step());
      if (this.state === before || this.held === '') return;
    }
  }

  /** Returns text of the answer. */
  private step(): string {
    switch (this.state) {
      case 'start':
        return this.atStart();
      case 'text':
        return this.inText();
      case 'thoughts':
        return this.inThoughts();
      case 'call':
        return this.inCall(this.call!);
      case 'between':
        return this.betweenParts();
    }
  }

  /** Only white space so far. */
  private atStart(): string {
    const { calls, reading } = this.style;
    this.space += this.take(this.held.length - this.held.trimStart().length);
    if (this.openTextEnd) this.space = '';
    if (this.held === '') return '';
    const { begin, label } = this.thoughts ?? {};
    if (begin && this.held.startsWith(begin)) {
      this.take(begin.length);
      this.space = '';
      this.label = label!;
      this.state = 'thoughts';
      return '';
    }
    if (this.textBegin && this.held.startsWith(this.textBegin)) {
      this.take(this.textBegin.length);
      this.openTextEnd = this.textEnd;
      return this.atStart();
    }
    if (begin?.startsWith(this.held) || this.textBegin.startsWith(this.held)) return '';
    const opens = calls?.bare ? calls.bare.opens(this.held, reading.tools) : false;
    if (opens === undefined) return '';
    if (opens) {
      this.openCall('', calls!.bare!.read);
      return '';
    }
    this.state = 'text';
    return this.takeSpace();
  }

  private inText(): string {
    const { begin, openTextEnd } = this;
    const at = begin ? this.held.indexOf(begin) : -1;
    const ended = openTextEnd ? this.held.indexOf(openTextEnd) : -1;
    if (ended >= 0 && (at < 0 || ended < at)) {
      this.openTextEnd = '';
      this.state = 'between';
      const text = this.take(ended).trimEnd();
      this.take(openTextEnd.length);
      return text;
    }
    if (at < 0) return this.take(this.held.length - this.undecided());
    const text = this.take(at);
    this.take(begin.length);
    this.openCall(begin, this.style.calls!.read);
    return text;
  }

  /** The length of a possible beginning of a call or, with the white space before it, end of the text. */
  private undecided(): number {
    const { held, begin, openTextEnd } = this;
    const text = held.slice(0, held.length - partialEnd(held, openTextEnd));
    return Math.max(partialEnd(held, begin), openTextEnd ? held.length - text.trimEnd().length : 0);
  }

  private inThoughts(): string {
    const { label, callInThoughts } = this;
    const { end } = this.thoughts!;
    if (this.held.length < label.length && label.startsWith(this.held)) return '';
    if (this.held.startsWith(label)) this.take(label.length);
    this.label = '';
    const called = callInThoughts ? this.held.indexOf(callInThoughts) : -1;
    const ended = this.held.indexOf(end);
    const at = ended < 0 || (called >= 0 && called < ended) ? called : ended;
    if (at < 0) {
      const kept = Math.max(partialEnd(this.held, end), partialEnd(this.held, callInThoughts));
      this.addReasoning(this.take(this.held.length - kept));
      return '';
    }
    this.addReasoning(this.take(at));
    if (at === ended) this.take(end.length);
    this.state = 'between';
    return '';
  }

  /** White space after thoughts and calls belongs to neither the text nor them. Some models end a call twice. */
  private betweenParts(): string {
    const { end } = this;
    const isAfterCall = this.calls.length > 0 && end !== '';
    this.take(this.held.length - this.held.trimStart().length);
    if (isAfterCall && this.held.startsWith(end)) {
      this.take(end.length);
      return this.betweenParts();
    }
    if (isAfterCall && end.startsWith(this.held)) return '';
    if (this.held !== '') this.state = this.calls.length > 0 ? 'text' : 'start';
    return '';
  }

  private openCall(begin: string, read: ReadCalls): void {
    const { calls, reading } = this.style;
    const isStreamed = this.rereading === 0;
    const values = isStreamed && this.end === calls!.end ? calls!.values?.() : undefined;
    this.call = { begin, text: '', read, values, stream: calls!.stream(reading), isStreamed, firstEnd: 0 };
    this.state = 'call';
  }

  private addToCall(call: OpenCall, text: string, end = ''): void {
    call.text += text + end;
    if (call.isStreamed) this.addDeltas(call.stream.add(this.special.written(text)));
  }

  private addDeltas(deltas: readonly CallDelta[]): void {
    for (const delta of deltas) this.parts.push({ type: 'toolCall', ...delta, index: this.calls.length + delta.index });
  }

  private inCall(call: OpenCall): string {
    for (;;) {
      const { end } = this;
      const at = end ? this.held.indexOf(end) : -1;
      const piece = this.take(at < 0 ? this.held.length - partialEnd(this.held, end) : at);
      const closing = at < 0 ? '' : this.take(end.length);
      call.values?.add(piece + closing);
      const isValue = closing !== '' && call.values?.isOpen === true;
      this.addToCall(call, isValue ? piece + closing : piece, isValue ? '' : closing);
      if (call.values?.isBroken) {
        if (call.firstEnd > 0) return this.splitCall(call);
        call.values = undefined;
      }
      if (at < 0) return '';
      if (!call.values?.isOpen) return this.endCall(call, end);
      call.firstEnd ||= call.text.length;
    }
  }

  /** The calls are kept; the rest is text. */
  private endCall(call: OpenCall, end: string): string {
    const { begin, text, firstEnd, values } = call;
    const found = call.read(this.special.written(text.slice(0, text.length - end.length)).trim(), this.style.reading);
    if (found && found.length > 0) return this.takeCalls(call.stream, found);
    // Perhaps there was a quote too many, and another call since.
    if (firstEnd > 0 && values?.areEscaped && this.hasCalls(text.slice(firstEnd))) return this.splitCall(call);
    if (end === '' && firstEnd > 0 && this.endsEarlier(call)) return '';
    if (this.beginsLater(call, end)) return '';
    return this.leaveCall(call, begin + text, found === undefined);
  }

  private takeCalls(stream: CallStream, found: readonly ToolCall[]): string {
    this.addDeltas(stream.finish(found));
    this.calls.push(...found);
    this.space = '';
    this.state = 'between';
    return '';
  }

  /** The answer has ended inside this call: text in a value that looked like another call kept it open. */
  private endsEarlier({ text, read, stream }: OpenCall): boolean {
    const { end } = this;
    let at = text.indexOf(end);
    for (let tries = 0; at >= 0 && tries < maxTries; ++tries, at = text.indexOf(end, at + 1)) {
      const found = read(this.special.written(text.slice(0, at)).trim(), this.style.reading);
      if (!found || found.length === 0) continue;
      this.held = text.slice(at + end.length) + this.held;
      this.rereading = text.length - at;
      this.takeCalls(stream, found);
      return true;
    }
    return false;
  }

  /** The opening marker may only have been mentioned in the text; a later one opens the call. */
  private beginsLater(call: OpenCall, end: string): boolean {
    const { begin, text, read } = call;
    const inside = text.slice(0, text.length - end.length);
    let at = begin ? inside.indexOf(begin) : -1;
    for (let tries = 0; at >= 0 && tries < maxTries; ++tries, at = inside.indexOf(begin, at + 1)) {
      const written = this.special.written(inside.slice(at + begin.length));
      const found = read(written.trim(), this.style.reading);
      if (!found || found.length === 0) continue;
      this.addText(this.leaveCall(call, begin + text.slice(0, at), false));
      const stream = this.style.calls!.stream(this.style.reading);
      this.addDeltas(stream.add(written));
      this.takeCalls(stream, found);
      return true;
    }
    return false;
  }

  private hasCalls(text: string): boolean {
    const reader = new AnswerReader({ ...this.style, thoughts: undefined, startsThinking: false }, this.special.texts);
    reader.held = text;
    reader.rereading = text.length;
    reader.finish();
    return reader.calls.length > 0;
  }

  /** A malformed call ends at its first end marker. The text after it is read again. */
  private splitCall(call: OpenCall): string {
    const { begin, text, firstEnd } = call;
    this.held = text.slice(firstEnd) + this.held;
    this.rereading = text.length - firstEnd;
    return this.leaveCall(call, begin + text.slice(0, firstEnd), true);
  }

  private leaveCall({ stream }: OpenCall, text: string, isUnread: boolean): string {
    this.addDeltas(stream.finish([]));
    if (isUnread) this.unread.push(this.special.written(text));
    this.state = 'text';
    return this.takeSpace() + text;
  }

  private takeSpace(): string {
    const { space } = this;
    this.space = '';
    return space;
  }

  private take(length: number): string {
    const taken = this.held.slice(0, length);
    this.held = this.held.slice(length);
    this.rereading = Math.max(0, this.rereading - length);
    return taken;
  }
}

/** Number of later markers at which an unreadable text is searched for a call. */
const maxTries = 4;
