// Questions as they are typed, of which only the newest is answered: by words at once, and by meaning when typing
// pauses.

import type { Site, SiteHit, SiteSearchOptions } from '../types.js';

export interface Question {
  text: string;
  k: number;
  filters: Record<string, readonly string[]>;
  mode: 'keyword' | 'hybrid';
}

export interface Answer {
  question: Question;
  hits: SiteHit[];
  /** False if a better answer follows. */
  isFinal: boolean;
}

interface Listener {
  answered(answer: Answer): void;
  failed(error: unknown): void;
}

/** Milliseconds without a key before searching by meaning: otherwise its files would be loaded for half-typed words. */
const pause = 150;

export class Asking {
  readonly #open: () => Promise<Site>;
  readonly #listener: Listener;
  #current: AbortController | undefined;
  /** Searches by meaning for the last query again. */
  #again: (() => void) | undefined;

  constructor(open: () => Promise<Site>, listener: Listener) {
    this.#open = open;
    this.#listener = listener;
  }

  /** Asks; `atOnce`: not while typing. Earlier questions are no longer answered. */
  ask(question: Question, { atOnce = false } = {}): void {
    this.stop();
    const current = new AbortController();
    this.#current = current;
    const search = async (mode: Question['mode']) => {
      const { text, k, filters } = question;
      const options: SiteSearchOptions = { k, filters, mode, signal: current.signal };
      const site = await this.#open();
      return current.signal.aborted ? [] : site.search(text, options);
    };
    // Later searches are better: an earlier one never replaces their answer.
    let [asked, answered] = [0, 0];
    const settle = (isFinal: boolean) => {
      const number = ++asked;
      return (hits: SiteHit[]) => {
        if (current.signal.aborted || number < answered) return;
        answered = number;
        this.#listener.answered({ question, hits, isFinal });
      };
    };
    const fail = (error: unknown) => {
      if (current.signal.aborted) return;
      this.stop();
      this.#listener.failed(error);
    };
    const isKeyword = question.mode === 'keyword';
    search('keyword').then(settle(isKeyword)).catch(fail);
    if (isKeyword) return;
    const join = () => {
      this.#again = () => search('hybrid').then(settle(true)).catch(fail);
      this.#again();
    };
    if (atOnce) return void join();
    const timer = setTimeout(join, pause);
    current.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  stop(): void {
    this.#current?.abort();
    this.#current = undefined;
    this.#again = undefined;
  }

  /** Asks again after the site has loaded more. The last answer stays until the better one arrives. */
  improve(): void {
    this.#again?.();
  }
}
