import { type LoadProgress, type ModelFolder, type ModelSource, type RankedText, Reranker } from 'quintet';
import { hub } from '../models/hub.js';
import { modelField } from '../models/model_field.js';
import { sourceOf } from '../models/model_files.js';
import { rerankers } from '../models/suggested_models.js';
import { byId } from '../shared/dom.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';

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

  /** The old one stays until the new one is ready. */
  private async load(name: string, source: ModelSource | ModelFolder, cache: boolean): Promise<void> {
    const progress = new ProgressBar(this.loading);
    try {
      const onProgress = (step: LoadProgress) => progress.load(name, step, cache ? 'Downloading' : 'Reading');
      const loaded = await Reranker.load(source, { ...hub, cache, onProgress });
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
