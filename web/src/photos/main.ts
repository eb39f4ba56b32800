import '../shared/shell.js';

import type { ImageEmbedder } from 'quintet';

import { byId, enableButtons } from '../shared/dom.js';
import { showProblem } from '../shared/problem.js';
import { DuplicatesPanel } from './duplicates_panel.js';
import { Indexing } from './indexing.js';
import { startLibrary } from './library/client.js';
import type { Collection, KnownModel } from './library/protocol.js';
import { ModelPanel } from './model_panel.js';
import { picturesIn, picturesOf } from './picture_files.js';
import { SearchPanel } from './search_panel.js';
import { SourcesPanel } from './sources_panel.js';

const library = startLibrary();
let model: ImageEmbedder | undefined;
let changing: Promise<void> = Promise.resolve();

const search = new SearchPanel(library, () => model);
const duplicates = new DuplicatesPanel(library, (picture) => search.like(picture));
const indexing = new Indexing(library, () => model, changed);
const models = new ModelPanel(useModel);
const sources = new SourcesPanel({
  onFiles: (files) => indexing.take((_, signal) => picturesIn(files, signal)),
  onFolder(folder) {
    void library.rememberFolder(folder);
    indexing.take((onFound, signal) => picturesOf(folder, onFound, signal));
  },
  onForget: () => void forget(),
});

function changed(collection: Collection, isOver: boolean): void {
  sources.show(collection);
  duplicates.allow(collection.indexed > 1);
  search.collectionChanged(collection, isOver);
}

/** One after another, and the last one stays. */
function useModel(loaded: ImageEmbedder, known: KnownModel, probe: Float32Array): Promise<void> {
  const change = () => changeModel(loaded, known, probe);
  changing = changing.then(change, change);
  return changing;
}

async function changeModel(loaded: ImageEmbedder, known: KnownModel, probe: Float32Array): Promise<void> {
  // Vectors of two models never meet in one index.
  await indexing.halt();
  duplicates.hide();
  const before = model;
  model = undefined;
  const collection = await library.use(known, probe);
  model = loaded;
  before?.close();
  changed(collection, true);
  search.modelChanged();
  indexing.again();
}

async function forget(): Promise<void> {
  await indexing.halt();
  indexing.forget();
  duplicates.hide();
  sources.forgetFolders();
  changed(await library.forget(), true);
  search.forget();
}

async function start(): Promise<void> {
  try {
    const { collection, model: last, folders } = await library.recall();
    changed(collection, true);
    sources.offer(folders);
    const obstacle = models.start(last);
    search.modelChanged(obstacle ?? 'The model is loading.');
  } catch (error) {
    showProblem(byId('problem', HTMLElement), 'The page could not start', error);
  }
}

for (const id of ['sources', 'searching', 'choosing-model']) enableButtons(byId(id, HTMLElement));
void start();
