import { type LoadProgress, type ModelFolder, type ModelSource, type RankedText, Reranker } from 'quintet';

import { byId } from '../shared/dom.js';
import { modelField } from '../shared/model_field.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { rerankers } from '../shared/suggested_models.js';

/** Orders texts by how well they answer a question, the best first. */
export type Rerank = (question: string, texts: string[], topK: number) => Promise<RankedText[]>;

/** The visitor's reranker: chosen by name or from files, and switched on and off. */
export class RerankerPanel {
  private readonly state = byId('reranker', HTMLElement);
  private readonly loading = byId('reranker-loading', HTMLElement);
  private readonly toggle = byId('rerank', HTMLInputElement);
  private reranker: Reranker | undefined;

  /** `onChange`: the results are to be ordered in another way from now on. */
  constructor(private readonly onChange: () => void) {
    this.toggle.addEventListener('change', onChange);
    modelField(
      byId('named-reranker', HTMLFormElement),
      rerankers,
      ({ name, source }) => void this.load(name, source, true),
    );
    const files = byId('reranker-files', HTMLInputElement);
    files.addEventListener('change', () => {
      const chosen = [...(files.files ?? [])];
      files.value = '';
      if (chosen.length > 0)
        void this.load(chosen.length === 1 ? chosen[0]!.name : 'The reranker', sourceOf(chosen), false);
    });
  }

  /** Undefined if it is switched off. */
  get rerank(): Rerank | undefined {
    const { reranker } = this;
    if (!reranker || !this.toggle.checked) return undefined;
    return (question, texts, topK) => reranker.rank(question, texts, { topK });
  }

  /** The one that was there stays until the new one is ready. */
  private async load(name: string, source: ModelSource | ModelFolder, cache: boolean): Promise<void> {
    const progress = new ProgressBar(this.loading);
    try {
      const onProgress = (step: LoadProgress) => progress.load(name, step, cache ? 'Downloading' : 'Reading');
      const loaded = await Reranker.load(source, { cache, onProgress });
      progress.hide();
      this.reranker?.close();
      this.reranker = loaded;
      this.state.textContent = `${name} orders the best 30 results of a search. Each says where it was before.`;
      this.toggle.disabled = false;
      this.toggle.checked = true;
      this.onChange();
    } catch (error) {
      showProblem(this.loading, `${name} cannot be used`, error, { open: true });
    }
  }
}

/** The files of a folder, or a single one. */
const sourceOf = (files: File[]): ModelSource | ModelFolder =>
  files.length === 1 ? files[0]! : Object.fromEntries(files.map((file) => [file.name, file]));
