import '../shared/shell.js';

import { classifier, embedder, storyteller } from 'quintet-models';
import { modelField } from '../models/model_field.js';
import { byId, enableButtons } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { checkFiles, offerCheck } from './checking.js';
import { type Chosen, chosenByName, chosenFrom } from './chosen.js';
import { ConversionPanel } from './conversion.js';
import { descriptionOf } from './description.js';
import { showFacts, showFields } from './facts_view.js';
import { TensorsView } from './tensors_view.js';
import { ValuesView } from './values_view.js';

const samples: Record<string, URL> = { embedder, storyteller, classifier };

const problem = byId('problem', HTMLElement);
const opened = byId('opened', HTMLElement);
const title = byId('file-name', HTMLElement);
const progress = new ProgressBar(byId('opening', HTMLElement));
const values = new ValuesView();
const tensors = new TensorsView((tensor) => void values.show(tensor));
const conversion = new ConversionPanel((file) => void open([file]));
/** Aborts the work on the open files. */
let current = new AbortController();

const open = (files: readonly File[]): Promise<void> =>
  openChosen(() => chosenFrom(files), files.length === 1 ? files[0]!.name : 'These files', checkFiles);

/** `name`: for the headline of a failure. */
async function openChosen(choose: () => Chosen, name: string, check: typeof offerCheck): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  problem.replaceChildren();
  values.clear();
  try {
    const chosen = choose();
    progress.show(`Opening ${chosen.name}`, 0, undefined, '');
    const description = await descriptionOf(chosen, { signal });
    if (signal.aborted) return;
    title.textContent = chosen.name;
    showFacts(byId('facts', HTMLElement), description);
    showFields(byId('fields', HTMLElement), description);
    tensors.show(description.tensors);
    conversion.show(chosen, description.format);
    opened.hidden = false;
    title.focus();
    void check(chosen.models, signal);
  } catch (error) {
    if (signal.aborted) return;
    opened.hidden = true;
    showProblem(problem, `${name} could not be opened`, error, { open: true });
  } finally {
    if (!signal.aborted) progress.hide();
  }
}

async function openSample(url: URL): Promise<void> {
  // Without the digest that the build adds to names.
  const name = url.pathname
    .split('/')
    .at(-1)!
    .replace(/-[\w-]{8}(\.\w+)$/, '$1');
  try {
    progress.show(`Loading ${name}`, 0, undefined, '');
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    await open([new File([await response.blob()], name)]);
  } catch (error) {
    progress.hide();
    showProblem(problem, `${name} could not be loaded`, error, { again: () => void openSample(url) });
  }
}

dropArea(byId('drop', HTMLLabelElement), (files) => void open(files), document.documentElement);
modelField(
  byId('named-model', HTMLFormElement),
  [],
  (named) => void openChosen(() => chosenByName(named), named.name, offerCheck),
  {
    readsAll: false,
  },
);
const folder = byId('folder', HTMLInputElement);
const chooseFolder = byId('choose-folder', HTMLButtonElement);
chooseFolder.hidden = !('webkitdirectory' in folder);
chooseFolder.onclick = () => folder.click();
folder.onchange = () => {
  const files = [...(folder.files ?? [])];
  folder.value = '';
  if (files.length > 0) void open(files);
};
const choices = byId('samples', HTMLElement);
choices.addEventListener('click', ({ target }) => {
  const url = target instanceof HTMLButtonElement && samples[target.value];
  if (url) void openSample(url);
});
enableButtons(choices);
