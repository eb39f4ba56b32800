// Takes thoughts and calls of tools out of an answer while it is written.

import type { ToolCall } from '../types.js';
import type { CallValues } from './call_values.js';
import type { ReadCalls } from './reading.js';
import { SpecialTokens } from './special_tokens.js';
import { thoughts, type AnswerStyle } from './style.js';

/** What was found in an answer besides its text. */
export interface AnswerParts {
  toolCalls?: ToolCall[];
  reasoning?: string;
  /** Calls that could not be read. They are part of the text. */
  unreadCalls?: string[];
}

/** A call that is being written. */
interface OpenCall {
  /** What began it, and then all of it so far. */
  begin: string;
  text: string;
  read: ReadCalls;
  /** Where its values are; undefined if the first end ends it. */
  values: CallValues | undefined;
  /** The length of its text with the first end that may be part of a value; 0: there was none. */
  firstEnd: number;
}

export class AnswerReader {
  private state: 'start' | 'text' | 'thoughts' | 'call' | 'between';
  /** Not decided yet: what may begin or end something. */
  private held = '';
  /** White space at the start, which belongs to the text if nothing else follows. */
  private space = '';
  private call: OpenCall | undefined;
  /** How much of what is held was part of a call before: no character is in the values of many calls. */
  private rereading = 0;
  private reasoning = '';
  private readonly calls: ToolCall[] = [];
  private readonly unread: string[] = [];
  private readonly special: SpecialTokens;
  private readonly thoughts: typeof thoughts;
  private readonly begin: string;
  private readonly end: string;

  /** `special`: the markers that are special tokens. In text they are text. */
  constructor(
    private readonly style: AnswerStyle,
    special: Iterable<string> = [],
  ) {
    this.special = new SpecialTokens(special);
    this.thoughts = { begin: this.special.marked(thoughts.begin), end: this.special.marked(thoughts.end) };
    this.begin = this.special.marked(style.calls?.begin ?? '');
    this.end = this.special.marked(style.calls?.end ?? '');
    this.state = style.startsThinking ? 'thoughts' : 'start';
  }

  /** Takes the next piece of the answer, and the marker after it if that is a special token; returns what is text of it. */
  push(piece: string, marker = ''): string {
    this.held += piece + this.special.marked(marker);
    return this.special.written(this.run());
  }

  /** What is left of the text at the end of the answer. */
  finish(): string {
    let text = this.run();
    while (this.state === 'call') {
      this.call!.text += this.take(this.held.length);
      text += this.endCall(this.call!, '') + this.run();
    }
    const left = this.space + this.take(this.held.length);
    if (this.state === 'thoughts') this.reasoning += left;
    else if (this.state !== 'between') text += left;
    return this.special.written(text);
  }

  parts(): AnswerParts {
    const reasoning = this.special.written(this.reasoning).trim();
    return {
      ...(this.calls.length > 0 && { toolCalls: this.calls }),
      ...(reasoning && { reasoning }),
      ...(this.unread.length > 0 && { unreadCalls: this.unread }),
    };
  }

  private run(): string {
    let text = '';
    for (;;) {
      const before = this.state;
      text += this.step();
      if (this.state === before || this.held === '') return text;
    }
  }

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
    const { thinks, calls, reading } = this.style;
    this.space += this.take(this.held.length - this.held.trimStart().length);
    if (this.held === '') return '';
    const { begin } = this.thoughts;
    if (thinks && this.held.startsWith(begin)) {
      this.take(begin.length);
      this.space = '';
      this.state = 'thoughts';
      return '';
    }
    if (thinks && begin.startsWith(this.held)) return '';
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
    const { begin } = this;
    const at = begin ? this.held.indexOf(begin) : -1;
    if (at < 0) return this.take(this.held.length - partialEnd(this.held, begin));
    const text = this.take(at);
    this.take(begin.length);
    this.openCall(begin, this.style.calls!.read);
    return text;
  }

  private inThoughts(): string {
    const { end } = this.thoughts;
    const at = this.held.indexOf(end);
    if (at < 0) {
      this.reasoning += this.take(this.held.length - partialEnd(this.held, end));
      return '';
    }
    this.reasoning += this.take(at);
    this.take(end.length);
    this.state = 'between';
    return '';
  }

  /** White space after thoughts and calls belongs to neither the text nor them. */
  private betweenParts(): string {
    this.take(this.held.length - this.held.trimStart().length);
    if (this.held !== '') this.state = this.calls.length > 0 ? 'text' : 'start';
    return '';
  }

  private openCall(begin: string, read: ReadCalls): void {
    const isText = this.end === this.style.calls!.end;
    const values = isText && this.rereading === 0 ? this.style.calls!.values?.() : undefined;
    this.call = { begin, text: '', read, values, firstEnd: 0 };
    this.state = 'call';
  }

  private inCall(call: OpenCall): string {
    for (;;) {
      const { end } = this;
      const at = end ? this.held.indexOf(end) : -1;
      const piece = this.take(at < 0 ? this.held.length - partialEnd(this.held, end) : at + end.length);
      call.text += piece;
      call.values?.add(piece);
      if (call.values?.isBroken) {
        if (call.firstEnd > 0) return this.splitCall(call);
        call.values = undefined;
      }
      if (at < 0) return '';
      if (!call.values?.isOpen) return this.endCall(call, end);
      call.firstEnd ||= call.text.length;
    }
  }

  /** The calls are kept; what is none is text. */
  private endCall(call: OpenCall, end: string): string {
    const { begin, text, firstEnd, values } = call;
    const found = call.read(this.special.written(text.slice(0, text.length - end.length)).trim(), this.style.reading);
    if (found && found.length > 0) {
      this.calls.push(...found);
      this.space = '';
      this.state = 'between';
      return '';
    }
    // A quote too many, perhaps, and another call since.
    if (firstEnd > 0 && values?.areEscaped && this.hasCalls(text.slice(firstEnd))) return this.splitCall(call);
    return this.leaveCall(begin + text, found === undefined);
  }

  private hasCalls(text: string): boolean {
    const reader = new AnswerReader({ ...this.style, thinks: false, startsThinking: false }, this.special.texts);
    reader.held = text;
    reader.rereading = text.length;
    reader.finish();
    return reader.calls.length > 0;
  }

  /** A malformed call ends where its first end is. What follows is read once more. */
  private splitCall({ begin, text, firstEnd }: OpenCall): string {
    this.held = text.slice(firstEnd) + this.held;
    this.rereading = text.length - firstEnd;
    return this.leaveCall(begin + text.slice(0, firstEnd), true);
  }

  private leaveCall(text: string, isUnread: boolean): string {
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

/** How many characters at the end may be the beginning of `marker`. */
function partialEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; --length) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
