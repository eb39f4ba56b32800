import type { Embedder } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { Latest } from '../shared/latest.js';
import { counted, milliseconds } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import type { Found } from './corpus.js';
import type { Library } from './library.js';
import { ModeSwitch } from './mode_switch.js';
import { QuestionBox } from './question_box.js';
import type { Rerank } from './reranker_panel.js';
import { type Result, ResultsView } from './results_view.js';
import { type ScoreKind, scoreKinds } from './score_kinds.js';

const hitsShown = 10;
/** The number of best hits that a reranker orders. */
const candidates = 30;
/** Screen readers hear the results after this pause in typing. */
const announceAfter = 800;

interface Asked {
  question: string;
  vector: Float32Array;
  milliseconds: number;
}

interface Answer {
  asked: Asked;
  found: Found;
  results: Result[];
  scores: ScoreKind;
  /** Milliseconds of a reranker. */
  reranking?: number;
}

/** The question and its results, which appear as it is typed. */
export class SearchPanel {
  private readonly found = byId('found', HTMLElement);
  private readonly announced = byId('announced', HTMLElement);
  private readonly results = new ResultsView(byId('results', HTMLOListElement), () => this.box.focus());
  private readonly box = new QuestionBox(
    () => this.again(),
    () => this.results.focusFirst(),
  );
  private readonly modes = new ModeSwitch(() => this.again());
  private readonly questions = new Latest<string>(
    (question) => this.answer(question),
    (error) => this.failed(error),
  );
  private asked: Asked | undefined;
  private announcing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly library: Library,
    private readonly model: () => Promise<Embedder>,
    /** Undefined if results are not reranked. */
    private readonly reranker: () => Rerank | undefined,
  ) {}

  /** Answers the question in the field again: it or the texts have changed. */
  again(): void {
    this.questions.ask(this.box.question);
  }

  /** Answers with another model from now on. */
  modelChanged(): void {
    this.asked = undefined;
    this.again();
  }

  /** Like `again`, for added texts: the results do not change while somebody reads one. */
  refresh(): void {
    if (!this.results.hasFocus && this.asked?.question === this.box.question) this.again();
  }

  showExamples(shown: boolean): void {
    this.box.showExamples(shown);
  }

  private async answer(question: string): Promise<() => void> {
    if (question === '') return () => this.clear();
    const asked = await this.embed(question);
    const { mode } = this.modes;
    const rerank = this.reranker();
    const k = rerank ? candidates : hitsShown;
    const found = await this.library.search({ text: question, vector: asked.vector, mode, k });
    const answer = rerank
      ? await this.reranked(asked, found, rerank)
      : { asked, found, results: found.hits, scores: mode };
    return () => this.show(answer);
  }

  /** The results with their place before. */
  private async reranked(asked: Asked, found: Found, rerank: Rerank): Promise<Answer> {
    const begin = performance.now();
    const ranked = await rerank(
      asked.question,
      found.hits.map(({ text }) => text),
      hitsShown,
    );
    const results = ranked.map(({ index, score }) => ({ ...found.hits[index]!, score, before: index + 1 }));
    return { asked, found, results, scores: 'reranker', reranking: performance.now() - begin };
  }

  private async embed(question: string): Promise<Asked> {
    if (this.asked?.question === question) return this.asked;
    const model = await this.model();
    const begin = performance.now();
    const vector = await model.embedQuery(question);
    this.asked = { question, vector, milliseconds: performance.now() - begin };
    return this.asked;
  }

  private show({ asked, found, results, scores, reranking }: Answer): void {
    const { question, milliseconds: embedding } = asked;
    const { searched, milliseconds: searching } = found;
    this.results.show(results, question, scores);
    this.found.replaceChildren(
      element('span', {}, `${counted(searched, 'passage')} searched`),
      element('span', {}, `embedded in ${milliseconds(embedding)}`),
      element('span', {}, `compared in ${milliseconds(searching)}`),
      ...(reranking === undefined
        ? []
        : [element('span', {}, `${found.hits.length} reranked in ${milliseconds(reranking)}`)]),
      element('span', {}, `scores: ${scoreKinds[scores].named}`),
    );
    if (results.length > 0 && performance.getEntriesByName('first-result').length === 0)
      performance.mark('first-result');
    const [best] = results;
    this.announce(
      best ? `${counted(results.length, 'result')}. First: ${best.title || best.text}` : 'Nothing is indexed yet.',
    );
  }

  private clear(): void {
    this.results.show([], '', this.modes.mode);
    this.found.replaceChildren();
    this.announce('');
  }

  private announce(sentence: string): void {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      if (this.announced.textContent !== sentence) this.announced.textContent = sentence;
    }, announceAfter);
  }

  private failed(error: unknown): void {
    // If the model failed to load, that has been shown already.
    this.model().then(
      () => showProblem(byId('loading', HTMLElement), 'The search failed', error, { again: () => this.again() }),
      () => {},
    );
  }
}
