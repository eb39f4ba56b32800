import '../shared/shell.js';

import type { GenerateOptions, GenerationSummary, ModelSource, SaveCacheOptions, Token } from 'quintet';
import { storyteller } from 'quintet-models';

import { byId, element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { oncePerFrame } from '../shared/frames.js';
import { JsonAnswers } from '../shared/json_answers.js';
import { modelField } from '../shared/model_field.js';
import { bytes, count, counted, milliseconds } from '../shared/numbers.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { saveFile } from '../shared/save_file.js';
import { SingleTask } from '../shared/single_task.js';
import { generators } from '../shared/suggested_models.js';
import { showAlternatives } from './alternatives.js';
import { readSettings } from './settings.js';
import { Sheet } from './sheet.js';
import { Speech } from './speech.js';
import { Teller } from './teller.js';

const ALTERNATIVES = 5;
const BEGINNINGS = [
  'One day, a cat and a dog found a big box. Inside the box',
  'Lily wanted to bake a cake for the moon.',
  'The old tree in the garden could talk. It said, "',
];

const FACTS = {
  type: 'object',
  properties: {
    title: { type: 'string', pattern: '^[A-Z][a-z]+( [a-z]+){1,3}$' },
    hero: { type: 'string', pattern: '^[A-Z][a-z]{2,9}$' },
    place: { type: 'string', minLength: 3, maxLength: 20 },
    mood: { enum: ['happy', 'sad', 'scary', 'funny'] },
    animals: { type: 'array', items: { type: 'string', pattern: '^[a-z]{3,8}$' }, minItems: 1, maxItems: 3 },
  },
  required: ['title', 'hero', 'place', 'mood', 'animals'],
};

const prompt = byId('prompt', HTMLTextAreaElement);
const speed = byId('speed', HTMLElement);
const problem = byId('problem', HTMLElement);
const loading = byId('loading', HTMLElement);
const kvCache = byId('kv-cache', HTMLSelectElement);
const kvState = byId('kv-state', HTMLElement);
const precision = byId('precision', HTMLSelectElement);
const bundled = byId('bundled', HTMLButtonElement);
const [write, stop, goOn, again, save] = ['write', 'stop', 'go-on', 'again', 'save'].map((id) =>
  byId(id, HTMLButtonElement),
) as [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];

const sheet = new Sheet();
const speech = new Speech();
const json = new JsonAnswers(byId('json', HTMLElement), FACTS, () => showButtons());
interface Model {
  name: string;
  source: ModelSource;
}
const bundledModel: Model = { name: 'the story model', source: storyteller };

let teller: Teller | undefined;
let model = bundledModel;
/** A model that is being loaded in place of this one. */
let loadingModel: Model | undefined;
/** A load, or a generation. */
const tasks = new SingleTask(problem, () => showButtons());
/** Whether there is a story, and whether its last part can be written again. */
let story = { exists: false, repeatable: false };
/** The story, saved while its model restarts. */
let carriedOver: Uint8Array | undefined;

function showButtons(): void {
  const idle = teller !== undefined && !tasks.isRunning;
  write.disabled = !idle;
  stop.disabled = !tasks.isRunning;
  save.disabled = !(idle && story.exists);
  // Each generation is a whole value.
  goOn.disabled = save.disabled || json.isOn;
  again.disabled = !(idle && story.repeatable);
}

async function loadTeller({ name, source }: Model, signal: AbortSignal): Promise<Teller> {
  const progress = new ProgressBar(loading);
  const verb = source instanceof File ? 'Reading' : undefined;
  try {
    return await Teller.load(source, {
      kvCache: kvCache.value as 'f32',
      // What was named is kept for the next visit.
      cache: typeof source === 'string',
      signal,
      onProgress: (state) => progress.load(name, state, verb),
    });
  } finally {
    progress.hide();
  }
}

function useTeller(loaded: Teller): void {
  teller = loaded;
  const precisionOfCache = kvCache.selectedOptions[0]!.textContent!.split(':')[0]!;
  kvState.textContent = `In use: ${precisionOfCache}.`;
  bundled.hidden = model.source === storyteller;
  showRuntime(
    byId('runtime', HTMLElement),
    loaded.info,
    `room for ${counted(loaded.room, 'token')}`,
    `KV cache in ${precisionOfCache}`,
  );
}

/** The one that was there stays until the new one is ready: the file may turn out to be no model. */
function replaceModel(wanted: Model): Promise<void> {
  const asked = (loadingModel = { ...wanted });
  const task = async (signal: AbortSignal) => {
    const loaded = await loadTeller(wanted, signal);
    teller?.close();
    model = wanted;
    useTeller(loaded);
    [story, carriedOver] = [{ exists: false, repeatable: false }, undefined];
    sheet.begin('');
    speed.replaceChildren();
  };
  return tasks
    .run(`${wanted.name} could not be loaded`, task, () => void replaceModel(wanted))
    .finally(() => {
      if (loadingModel === asked) loadingModel = undefined;
    });
}

/** Restarts the model with the KV cache that was chosen, and continues its story. */
function changeKvCache(): Promise<void> {
  if (loadingModel) return replaceModel(loadingModel);
  kvState.textContent = 'Restarting the model …';
  const task = async (signal: AbortSignal) => {
    if (teller?.length && story.exists) carriedOver = await teller.save({ dtype: 'F32', signal });
    signal.throwIfAborted();
    // There may not be enough memory for both.
    teller?.close();
    teller = undefined;
    useTeller(await loadTeller(model, signal));
    if (carriedOver) await continueStory(carriedOver);
    carriedOver = undefined;
  };
  return tasks
    .run('The model could not be restarted', task, () => void changeKvCache())
    .then(() => {
      // What failed has been said; what another change has ended goes on with that.
      if (!teller && !tasks.isRunning) kvState.textContent = '';
    });
}

async function continueStory(saved: Uint8Array): Promise<void> {
  story = { exists: false, repeatable: false };
  try {
    sheet.begin(await teller!.load(saved));
    story.exists = true;
    kvState.textContent += ' The story continues with it.';
  } catch (error) {
    carriedOver = undefined;
    sheet.begin('');
    throw error;
  }
}

/** Shows the tokens of a generation as they come. `prepare`: what changes on the page once it begins. */
function tell(
  begin: (options: GenerateOptions, show: (token: Token) => void) => Promise<GenerationSummary>,
  prepare = () => {},
): Promise<void> {
  return tasks.run('The story broke off', async (signal) => {
    const options = { ...readSettings(), ...(await json.option()), logprobs: ALTERNATIVES, signal };
    prepare();
    sheet.beginTurn();
    speech.begin();
    story = { exists: true, repeatable: true };
    const began = performance.now();
    let [tokens, text] = [0, ''];
    const showSoFar = oncePerFrame(() => {
      if (tasks.isRunning) showSpeed(tokens, performance.now() - began, 'so far');
    });
    const show = (token: Token) => {
      tokens++;
      text += token.text;
      sheet.add(token);
      if (!options.jsonSchema) speech.add(token.text);
      showSoFar();
    };
    const summary = await begin(options, show).finally(() => sheet.flush());
    const end = options.jsonSchema ? FACT_ENDS[summary.reason] : ENDS[summary.reason];
    showSpeed(summary.tokens, summary.decodeMs, end);
    speech.end(end);
    json.show(text, summary);
  });
}

const ENDS = {
  eos: 'The story has ended.',
  stop: 'The story has ended.',
  length: 'The story can go on.',
  abort: 'Stopped.',
};
const FACT_ENDS = { ...ENDS, eos: 'Done.', stop: 'Done.', length: 'Cut off.' };

function showSpeed(tokens: number, time: number, word: string): void {
  const rate = time > 0 ? `${count(Math.round((1000 * tokens) / time))} per second` : '';
  const parts = [counted(tokens, 'token'), milliseconds(time), rate, word];
  speed.replaceChildren(...parts.filter(Boolean).map((part) => element('span', {}, part)));
}

function writeStory(): void {
  if (write.disabled || !teller) return;
  const [from, beginning] = [teller, prompt.value];
  void tell(
    (options, show) => from.write(beginning, options, show),
    () => sheet.begin(beginning),
  );
}

async function saveStory(): Promise<void> {
  const from = teller!;
  const chosen: Record<string, SaveCacheOptions> = {
    F32: { dtype: 'F32' },
    F16: { dtype: 'F16' },
    INT4: { compression: 'INT4' },
  };
  await tasks.run('The story could not be saved', async (signal) => {
    const file = await from.save({ ...chosen[precision.value], signal });
    saveFile('story.safetensors', file);
    speed.replaceChildren(element('span', {}, `Saved: ${bytes(file.length)}, ${counted(from.length, 'token')}`));
  });
}

function loadStory(file: File): void {
  if (!teller) return;
  const into = teller;
  void tasks.run(`${file.name} is not a story that this model can continue`, async () => {
    const text = await into.load(file);
    sheet.begin(text);
    story = { exists: true, repeatable: false };
    speed.replaceChildren(
      element('span', {}, `Loaded: ${counted(into.length, 'token')}, without computing them again`),
    );
    goOn.focus();
  });
}

byId('beginning', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  writeStory();
});
prompt.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  writeStory();
});
stop.onclick = () => tasks.stop();
goOn.onclick = () => void tell((options, show) => teller!.goOn(options, show));
again.onclick = () =>
  void tell(
    (options, show) => teller!.again(options, show),
    () => sheet.takeBack(),
  );
save.onclick = () => void saveStory();
bundled.onclick = () => void replaceModel(bundledModel);
kvCache.onchange = () => void changeKvCache();
dropArea(byId('saved', HTMLLabelElement), ([file]) => loadStory(file!));
dropArea(byId('own-model', HTMLLabelElement), ([file]) => void replaceModel({ name: file!.name, source: file! }));
modelField(byId('named-model', HTMLFormElement), generators, (named) => void replaceModel(named));
byId('suggestions', HTMLElement).append(
  ...BEGINNINGS.map((text) => {
    const chip = element('button', { type: 'button', className: 'chip' }, text);
    chip.onclick = () => {
      prompt.value = text;
      prompt.focus();
    };
    return chip;
  }),
);
showAlternatives(sheet);
void replaceModel(bundledModel);
