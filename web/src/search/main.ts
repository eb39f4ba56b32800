import '../shared/shell.js';

import type { Embedder, LoadProgress } from 'quintet';
import { embedder } from 'quintet-models';
import { hub } from '../models/hub.js';
import { modelField, type NamedModel } from '../models/model_field.js';
import { embedders } from '../models/suggested_models.js';
import { byId } from '../shared/dom.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { CorpusKeeper } from './corpus_keeper.js';
import { Library } from './library.js';
import type { RerankerPanel } from './reranker_panel.js';
import { SearchPanel } from './search_panel.js';
import { loadModel } from './semantic_search.js';

const corpus = {
  url: new URL('../../../build/web/corpus.index', import.meta.url).href,
  model: embedder.pathname.split('/').at(-1)!,
};
const bundledModel: NamedModel = { name: 'the model', source: embedder.href };
const loading = byId('loading', HTMLElement);
const bundledButton = byId('bundled', HTMLButtonElement);
const library = new Library(corpus);

let model = showLoad(bundledModel);
let reranker: RerankerPanel | undefined;
const search = new SearchPanel(
  library,
  () => model,
  () => reranker?.rerank,
);
const keeper = new CorpusKeeper(library, () => model, search);

void model.catch(() => {});
search.again();
void keeper.open(corpus.model);
bundledButton.onclick = () => void change(bundledModel);
modelField(byId('named-model', HTMLFormElement), embedders, (named) => void change(named));
byId('reranking', HTMLDetailsElement).addEventListener('toggle', () => void openReranking(), { once: true });

/** Few visitors rerank: the others do not download it. */
async function openReranking(): Promise<void> {
  const { RerankerPanel } = await import('./reranker_panel.js');
  reranker = new RerankerPanel(() => search.again());
}

async function showLoad(wanted: NamedModel): Promise<Embedder> {
  const progress = new ProgressBar(loading);
  try {
    const options = {
      ...hub,
      // Named models are kept for the next visit.
      cache: wanted !== bundledModel,
      onProgress: (step: LoadProgress) => progress.load(wanted.name, step),
    };
    const loaded = await loadModel(options, wanted.source);
    progress.hide();
    showRuntime(byId('runtime', HTMLElement), loaded.info);
    bundledButton.hidden = wanted === bundledModel;
    return loaded;
  } catch (error) {
    const again = () => (wanted === bundledModel ? loadAgain() : void change(wanted));
    showProblem(loading, `${wanted.name} could not be loaded`, error, { again });
    throw error;
  }
}

function loadAgain(): void {
  model = showLoad(bundledModel);
  void model.then(
    () => search.again(),
    () => {},
  );
}

/** The old one stays until the new one is ready. */
async function change(wanted: NamedModel): Promise<void> {
  const loaded = await showLoad(wanted).catch(() => undefined);
  if (!loaded) return;
  const before = model;
  model = Promise.resolve(loaded);
  search.modelChanged();
  await keeper.open(wanted === bundledModel ? corpus.model : wanted.source);
  void before.then(
    (old) => old.close(),
    () => {},
  );
}
