// Takes thoughts and calls of tools out of an answer while it is written.

import type { ChatTemplateOptions, ToolCall, ToolDefinition } from '../types.js';
import { callFormatOf, hasTools, thinks, thoughts, type CallFormat } from './formats.js';

/** What was found in an answer besides its text. */
export interface AnswerParts {
  toolCalls?: ToolCall[];
  reasoning?: string;
  /** Calls that could not be read. They are part of the text. */
  unreadCalls?: string[];
}

/** How a model answers, by its chat template and what it was asked. */
export interface AnswerStyle {
  thinks: boolean;
  /** The prompt ends with the beginning of thoughts. */
  startsThinking: boolean;
  /** Undefined without tools. */
  calls: CallFormat | undefined;
  tools: readonly ToolDefinition[];
}

/** `prompt`: the formatted conversation. */
export function answerStyle(template: string, prompt: string, { tools, variables = {} }: ChatTemplateOptions): AnswerStyle {
  const mayThink = thinks(template);
  return {
    thinks: mayThink,
    startsThinking: mayThink && prompt.trimEnd().endsWith(thoughts.begin),
    calls: hasTools(tools, variables) ? callFormatOf(template, tools?.length ? {} : variables) : undefined,
    tools: tools ?? [],
  };
}

/** Texts of the tokens that matter, which may be special tokens without a text of their own. */
export function markersOf({ thinks, calls }: AnswerStyle): string[] {
  const ofCalls = calls ? [calls.begin || '<|python_tag|>', calls.end ?? ''] : [];
  return [...(thinks ? [thoughts.begin, thoughts.end] : []), ...ofCalls, ...(calls?.inside ?? [])].filter(Boolean);
}

export class AnswerReader {
  private state: 'start' | 'text' | 'thoughts' | 'call' | 'between';
  /** Not decided yet: what may begin or end something, or a call that is not complete. */
  private held = '';
  private reasoning = '';
  private readonly calls: ToolCall[] = [];
  private readonly unread: string[] = [];

  constructor(private readonly style: AnswerStyle) {
    this.state = style.startsThinking ? 'thoughts' : 'start';
  }

  /** Takes the next piece of the answer; returns what is text of it. */
  push(piece: string): string {
    this.held += piece;
    let text = '';
    for (;;) {
      const before = this.state;
      text += this.step();
      if (this.state === before || this.held === '') return text;
    }
  }

  /** What is left of the text at the end of the answer. */
  finish(): string {
    let text = '';
    if (this.state === 'call') text = this.readCall(this.held, '');
    else if (this.state === 'thoughts') this.reasoning += this.held;
    else if (this.state !== 'between') text = this.held;
    this.held = '';
    return text;
  }

  parts(): AnswerParts {
    const reasoning = this.reasoning.trim();
    return {
      ...(this.calls.length > 0 && { toolCalls: this.calls }),
      ...(reasoning && { reasoning }),
      ...(this.unread.length > 0 && { unreadCalls: this.unread }),
    };
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
        return this.inCall();
      case 'between':
        return this.betweenParts();
    }
  }

  /** Only white space so far. */
  private atStart(): string {
    const { thinks: mayThink, calls } = this.style;
    const inside = this.held.trimStart();
    if (inside === '') return '';
    if (mayThink && inside.startsWith(thoughts.begin)) {
      this.held = inside.slice(thoughts.begin.length);
      this.state = 'thoughts';
      return '';
    }
    if (mayThink && thoughts.begin.startsWith(inside)) return '';
    if (calls?.begin === '' && pythonTag.startsWith(inside)) return '';
    const isCall = calls?.begin === '' && (inside.startsWith('{') || inside.startsWith(pythonTag));
    this.state = isCall ? 'call' : 'text';
    return '';
  }

  private inText(): string {
    const { calls } = this.style;
    if (!calls?.begin) return this.take(this.held.length);
    const at = this.held.indexOf(calls.begin);
    if (at < 0) return this.take(this.held.length - partialEnd(this.held, calls.begin));
    const text = this.take(at);
    this.held = this.held.slice(calls.begin.length);
    this.state = 'call';
    return text;
  }

  private inThoughts(): string {
    const at = this.held.indexOf(thoughts.end);
    if (at < 0) {
      this.reasoning += this.take(this.held.length - partialEnd(this.held, thoughts.end));
      return '';
    }
    this.reasoning += this.take(at);
    this.held = this.held.slice(thoughts.end.length);
    this.state = 'between';
    return '';
  }

  /** White space after thoughts and calls belongs to neither the text nor them. */
  private betweenParts(): string {
    this.held = this.held.trimStart();
    if (this.held !== '') this.state = this.calls.length > 0 ? 'text' : 'start';
    return '';
  }

  private inCall(): string {
    const { end } = this.style.calls!;
    const at = end ? this.held.indexOf(end) : -1;
    if (at < 0) return '';
    const call = this.take(at);
    this.held = this.held.slice(end!.length);
    const text = this.readCall(call, end!);
    this.state = text ? 'text' : 'between';
    return text;
  }

  /** The calls are kept; what is none is text. */
  private readCall(source: string, end: string): string {
    const { begin, read } = this.style.calls!;
    const inside = source.trim();
    const calls = read(inside.startsWith(pythonTag) ? inside.slice(pythonTag.length).trim() : inside, this.style.tools);
    if (calls) {
      this.calls.push(...calls);
      return '';
    }
    const whole = begin + source + end;
    this.unread.push(whole);
    return whole;
  }

  private take(length: number): string {
    const taken = this.held.slice(0, length);
    this.held = this.held.slice(length);
    return taken;
  }
}

const pythonTag = '<|python_tag|>';

/** How many characters at the end may be the beginning of `marker`. */
function partialEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; --length) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
