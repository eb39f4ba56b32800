import '../shared/shell.js';

import type { Embedder } from 'quintet';
import { embedder } from 'quintet-models';

import { byId } from '../shared/dom.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { CorpusKeeper } from './corpus_keeper.js';
import { startLibrary } from './library/client.js';
import { SearchPanel } from './search_panel.js';
import { loadModel } from './semantic_search.js';

const bundled = new URL('../../../build/web/corpus.index', import.meta.url).href;
const loading = byId('loading', HTMLElement);
const library = startLibrary();

let model = showLoad();
const search = new SearchPanel(library, () => model);
const keeper = new CorpusKeeper(library, () => model, search);

void model.catch(() => {});
search.again();
void keeper.open(embedder.pathname.split('/').at(-1)!, bundled);

async function showLoad(): Promise<Embedder> {
  const progress = new ProgressBar(loading);
  try {
    const loaded = await loadModel({ onProgress: (step) => progress.load('the model', step) });
    progress.hide();
    showRuntime(byId('runtime', HTMLElement), loaded.info);
    return loaded;
  } catch (error) {
    const again = () => {
      model = showLoad();
      void model.then(() => search.again(), () => {});
    };
    showProblem(loading, 'The model could not be loaded', error, { again });
    throw error;
  }
}
