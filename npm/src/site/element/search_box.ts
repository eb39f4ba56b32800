// The field and the results: a combobox with a list of results (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import type { Site, SiteHit } from '../types.js';
import { type Answer, Asking } from './asking.js';
import { element, icon } from './dom.js';
import { FilterGroups } from './filter_groups.js';
import { cross, magnifier } from './icons.js';
import { ResultList, type ResultsView } from './result_list.js';
import { countText, type Texts } from './texts.js';

export interface BoxOptions extends ResultsView {
  texts: Texts;
  placeholder: string;
  limit: number;
  mode: 'keyword' | 'hybrid';
  /** Opens the index, once. After a failure the next call tries again. */
  openSite(): Promise<Site>;
  /** The button that closes the dialog around the box, if there is one. */
  close: HTMLButtonElement | undefined;
  asked(query: string): void;
  answered(query: string, hits: SiteHit[]): void;
}

export class SearchBox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly #options: BoxOptions;
  readonly #list: ResultList;
  readonly #filters: FilterGroups;
  readonly #asking: Asking;
  readonly #clear: HTMLButtonElement;
  readonly #empty = element('div', { part: 'empty', hidden: true });
  readonly #problem = element('div', { part: 'error', role: 'alert', hidden: true });
  readonly #more: HTMLButtonElement;
  readonly #status = element('div', { role: 'status', class: 'unseen' });
  #limit: number;
  #shown = '';
  #hasFilters = false;

  constructor(options: BoxOptions) {
    this.#options = options;
    this.#limit = options.limit;
    const { texts, placeholder } = options;
    this.#list = new ResultList(texts.search, options);
    this.#filters = new FilterGroups(texts, () => this.#ask({ atOnce: true }));
    this.#asking = new Asking(options.openSite, {
      answered: (answer) => this.#show(answer),
      failed: (error) => this.#fail(error),
    });
    this.input = element('input', {
      part: 'input',
      role: 'combobox',
      type: 'text',
      inputmode: 'search',
      enterkeyhint: 'search',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      'aria-label': texts.search,
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': this.#list.element.id,
      placeholder,
    });
    this.#clear = element(
      'button',
      { part: 'clear', type: 'button', 'aria-label': texts.clear, hidden: true },
      icon(cross),
    );
    this.#more = element('button', { part: 'more', type: 'button', hidden: true }, texts.more);
    const field = element('div', { part: 'field' }, icon(magnifier), this.input, this.#clear);
    if (options.close) field.append(options.close);
    this.element = element(
      'div',
      { part: 'box', role: 'search' },
      field,
      element('div', { part: 'progress' }),
      element(
        'div',
        { part: 'body' },
        this.#filters.element,
        this.#list.element,
        this.#empty,
        this.#problem,
        this.#more,
      ),
      this.#status,
    );
    this.#listen();
  }

  /** Searches for a text as if it were typed. */
  search(query: string): void {
    this.input.value = query;
    this.#ask({ atOnce: true });
  }

  /** Searches again for the text in the field, if there is any. */
  repeat(): void {
    if (this.input.value) this.#ask({ atOnce: true });
  }

  /** Opens the index before a word is typed. A failure is shown when one is. */
  prepare(): void {
    this.#options.openSite().catch(() => {});
  }

  /**
   * Loads the embedder of the index. An answer that is visible by then is requested again, and stays until the better
   * one arrives.
   */
  async loadEmbedder(): Promise<void> {
    try {
      const site = await this.#options.openSite();
      if (await site.loadEmbedder()) this.#asking.improve();
    } catch (error) {
      // The search works without it.
      console.warn('quintet-search:', error);
    }
  }

  stop(): void {
    this.#asking.stop();
  }

  #listen(): void {
    this.input.addEventListener('input', (event) => {
      // Half-written characters of an input method are not words.
      if (!(event as InputEvent).isComposing) this.#ask();
    });
    this.input.addEventListener('compositionend', () => this.#ask());
    this.input.addEventListener('keydown', (event) => this.#press(event));
    this.#clear.addEventListener('click', () => {
      this.search('');
      this.input.focus();
    });
    this.#more.addEventListener('click', () => {
      this.#limit += this.#options.limit;
      this.#asking.ask(this.#question(), { atOnce: true });
      this.input.focus();
    });
  }

  #question() {
    return {
      text: this.input.value.trim(),
      k: this.#limit,
      filters: this.#filters.chosen,
      mode: this.#options.mode,
    };
  }

  #ask({ atOnce = false } = {}): void {
    const question = this.#question();
    this.#clear.hidden = !this.input.value;
    this.#options.asked(question.text);
    this.#limit = question.k = this.#options.limit;
    this.#problem.hidden = true;
    if (!question.text) return this.#reset();
    this.#list.activate(undefined);
    this.#pointAtActive();
    this.element.setAttribute('aria-busy', 'true');
    this.#asking.ask(question, { atOnce });
  }

  #reset(): void {
    this.#asking.stop();
    this.element.removeAttribute('aria-busy');
    this.#shown = '';
    this.#status.textContent = '';
    this.#empty.hidden = this.#more.hidden = true;
    this.#setResults([]);
  }

  #show({ question, hits, isFinal }: Answer): void {
    if (isFinal) this.element.removeAttribute('aria-busy');
    // Words alone may have found nothing where meaning will.
    if (!isFinal && hits.length === 0) return;
    // Results do not change under a visitor who has begun to choose.
    const isChosen = this.#list.active !== undefined && this.#shown === JSON.stringify(question);
    if (!isChosen) this.#setResults(hits);
    this.#shown = JSON.stringify(question);
    if (!isFinal) return;
    const { texts } = this.#options;
    this.#empty.hidden = hits.length > 0;
    this.#empty.replaceChildren(
      element(
        'slot',
        { name: 'empty' },
        texts.none.replace('{query}', () => question.text),
      ),
    );
    this.#more.hidden = hits.length < this.#limit;
    this.#status.textContent = hits.length
      ? countText(texts, hits.length)
      : texts.none.replace('{query}', () => question.text);
    this.#options.answered(question.text, hits);
    void this.#afterAnswer();
  }

  #setResults(hits: readonly SiteHit[]): void {
    this.#list.show(hits);
    this.input.setAttribute('aria-expanded', String(hits.length > 0));
    this.#pointAtActive();
  }

  async #afterAnswer(): Promise<void> {
    const site = await this.#options.openSite();
    // Visitors have their results; the site's maintainer should know that something is missing.
    if (site.problem) console.warn('quintet-search:', site.problem);
    if (this.#hasFilters) return;
    this.#hasFilters = true;
    try {
      this.#filters.show(await site.filters());
    } catch {
      // The search works just as well without filters; the next answer asks again.
      this.#hasFilters = false;
    }
  }

  #fail(error: unknown): void {
    this.element.removeAttribute('aria-busy');
    const { texts } = this.#options;
    const again = element('button', { part: 'again', type: 'button' }, texts.again);
    again.addEventListener('click', () => this.#ask({ atOnce: true }));
    this.#problem.replaceChildren(element('span', {}, texts.failed), again);
    this.#problem.hidden = false;
    console.error('quintet-search:', error);
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const { options, active } = this.#list;
    const at = active ? options.indexOf(active) : -1;
    const next: Record<string, number | undefined> = {
      ArrowDown: at + 1 < options.length ? at + 1 : -1,
      ArrowUp: at < 0 ? options.length - 1 : at - 1,
      Home: at < 0 ? undefined : 0,
      End: at < 0 ? undefined : options.length - 1,
    };
    if (event.key === 'Enter') {
      event.preventDefault();
      follow(active ?? options[0], event);
    } else if (next[event.key] !== undefined && options.length && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.#list.activate(options[next[event.key]!]);
      this.#pointAtActive();
    }
  }

  #pointAtActive(): void {
    const { active } = this.#list;
    if (active) this.input.setAttribute('aria-activedescendant', active.id);
    else this.input.removeAttribute('aria-activedescendant');
  }
}

/** Opens a link as a click with these keys does: in a new tab with Ctrl or Cmd. */
function follow(option: HTMLAnchorElement | undefined, { ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
  option?.dispatchEvent(
    new MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      composed: true,
      view: window,
      ctrlKey,
      metaKey,
      shiftKey,
    }),
  );
}
