// The messages on the page, with what can be done with each of them.

import type { ChatMessage } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { oncePerFrame } from '../shared/frames.js';
import { jsonIn } from '../shared/json_answers.js';
import { markdown } from './markdown.js';

export interface MessageActions {
  /** Generates another answer in place of this one. */
  retry(index: number): void;
  /** Changes a visitor's message; the conversation continues from there. */
  edit(index: number, content: string): void;
  /** Starts a second conversation from this message. */
  branch(index: number): void;
  copy(text: string): void;
}

const NAMES: Record<string, string> = {
  user: 'You',
  assistant: 'Model',
  system: 'System',
  developer: 'Developer',
  tool: 'Tool',
};

export class Transcript {
  private readonly log = byId('log', HTMLElement);
  private draft: { host: HTMLElement; text: string } | undefined;
  private readonly soon = oncePerFrame(() => this.showDraft());

  constructor(private readonly actions: MessageActions) {}

  show(messages: readonly ChatMessage[]): void {
    this.draft = undefined;
    this.log.ariaBusy = 'false';
    this.log.replaceChildren(...messages.map((message, index) => this.row(message, index)));
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** An answer begins. */
  beginAnswer(): void {
    const host = element('div', { className: 'said' }, element('p', { className: 'hint' }, 'Thinking …'));
    this.draft = { host, text: '' };
    this.log.ariaBusy = 'true';
    this.log.append(element('article', { className: 'message assistant' }, element('h3', {}, NAMES.assistant!), host));
    this.log.scrollTop = this.log.scrollHeight;
  }

  add(text: string): void {
    if (!this.draft || text === '') return;
    this.draft.text += text;
    this.soon();
  }

  private showDraft(): void {
    if (!this.draft) return;
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    this.draft.host.replaceChildren(...markdown(this.draft.text));
    if (scrollHeight - scrollTop - clientHeight < 40) this.log.scrollTop = this.log.scrollHeight;
  }

  private row(message: ChatMessage, index: number): HTMLElement {
    const { role, content = '', reasoning } = message;
    const said = element('div', { className: 'said' }, ...(role === 'assistant' ? answered(content) : [content]));
    const article = element('article', { className: `message ${role}` }, element('h3', {}, NAMES[role] ?? role));
    if (reasoning)
      article.append(element('details', { className: 'thoughts' }, element('summary', {}, 'Thoughts'), reasoning));
    article.append(said, this.buttons(message, index, article));
    return article;
  }

  private buttons({ role, content = '' }: ChatMessage, index: number, article: HTMLElement): HTMLElement {
    const of = `message ${index + 1}`;
    const buttons = [action('Copy', of, () => this.actions.copy(content))];
    if (role === 'assistant') buttons.push(action('Retry', of, () => this.actions.retry(index)));
    if (role === 'user') buttons.push(action('Edit', of, () => this.edit(content, index, article)));
    buttons.push(action('Branch', of, () => this.actions.branch(index)));
    return element('div', { className: 'buttons', role: 'group', ariaLabel: `Actions for ${of}` }, ...buttons);
  }

  /** A field in place of the message. */
  private edit(content: string, index: number, article: HTMLElement): void {
    const field = element('textarea', { value: content, rows: 3, ariaLabel: `Message ${index + 1}` });
    const cancel = action('Cancel', 'editing', () => form.replaceWith(...kept));
    const send = element('button', { type: 'submit', className: 'chip' }, 'Send again');
    const form = element('form', { className: 'stack' }, field, element('div', { className: 'buttons' }, send, cancel));
    const kept = [...article.children].slice(1);
    form.onsubmit = (event) => {
      event.preventDefault();
      if (field.value.trim() !== '') this.actions.edit(index, field.value);
    };
    field.onkeydown = (event) => {
      if (event.key === 'Escape') cancel.click();
      if (!isSending(event)) return;
      event.preventDefault();
      form.requestSubmit();
    };
    for (const child of kept) child.remove();
    article.append(form);
    field.focus();
  }
}

/** JSON unchanged, anything else as Markdown. */
const answered = (content: string): Node[] =>
  /^\s*[[{]/.test(content) && jsonIn(content) !== undefined
    ? [element('pre', { tabIndex: 0 }, element('code', {}, content))]
    : markdown(content);

/** Enter, but not in the middle of composing a character. */
export const isSending = ({ key, shiftKey, isComposing }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !isComposing;

function action(name: string, of: string, run: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', className: 'chip', ariaLabel: `${name}: ${of}` }, name);
  button.onclick = run;
  return button;
}
