import '../shared/shell.js';

import type { Generation, ModelSource, SaveCacheOptions } from 'quintet';
import { storyteller } from 'quintet-models';

import { byId, element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { bytes, count, counted, milliseconds } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { showAlternatives } from './alternatives.js';
import { oncePerFrame } from './frames.js';
import { saveFile } from './save_file.js';
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

const prompt = byId('prompt', HTMLTextAreaElement);
const speed = byId('speed', HTMLElement);
const problem = byId('problem', HTMLElement);
const loading = byId('loading', HTMLElement);
const kvCache = byId('kv-cache', HTMLSelectElement);
const precision = byId('precision', HTMLSelectElement);
const bundled = byId('bundled', HTMLButtonElement);
const [write, stop, goOn, again, save] = ['write', 'stop', 'go-on', 'again', 'save'].map((id) => byId(id, HTMLButtonElement)) as [
  HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement,
];

const sheet = new Sheet();
const speech = new Speech();
let teller: Teller | undefined;
/** Of what runs: a load, or a piece of writing. */
let running: AbortController | undefined;
/** Whether there is a story, and whether its last piece of writing can be written anew. */
let story = { exists: false, repeatable: false };

function showButtons(): void {
  const idle = teller !== undefined && running === undefined;
  write.disabled = !idle;
  stop.disabled = running === undefined;
  goOn.disabled = save.disabled = !(idle && story.exists);
  again.disabled = !(idle && story.repeatable);
}

/** One thing at a time: what still runs is stopped first. */
async function run(what: string, task: (signal: AbortSignal) => Promise<void>, retry?: () => void): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  problem.replaceChildren();
  showButtons();
  try {
    await task(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) showProblem(problem, what, error, retry);
  } finally {
    if (running === controller) running = undefined;
    showButtons();
  }
}

function loadModel(source: ModelSource, name: string, isBundled: boolean): Promise<void> {
  const retry = () => void loadModel(source, name, isBundled);
  return run(`${name} could not be loaded`, async (signal) => {
    const progress = new ProgressBar(loading);
    try {
      const loaded = await Teller.load(source, {
        kvCache: kvCache.value as 'f32',
        signal,
        onProgress: (state) => progress.load(name, state),
      });
      teller?.close();
      teller = loaded;
    } finally {
      progress.hide();
    }
    story = { exists: false, repeatable: false };
    sheet.begin('');
    speed.replaceChildren();
    bundled.hidden = isBundled;
    showRuntime(byId('runtime', HTMLElement), teller.info, `room for ${counted(teller.room, 'token')}`);
  }, retry);
}

const loadBundled = () => loadModel(storyteller, 'the storyteller', true);

/** Shows a generation as it comes. */
function tell(begin: (signal: AbortSignal) => Generation): Promise<void> {
  return run('The story broke off', async (signal) => {
    sheet.beginTurn();
    speech.begin();
    story = { exists: true, repeatable: true };
    const generation = begin(signal);
    const began = performance.now();
    let tokens = 0;
    const showSoFar = oncePerFrame(() => {
      if (running) showSpeed(tokens, performance.now() - began, 'so far');
    });
    try {
      for await (const token of generation) {
        tokens++;
        sheet.add(token);
        speech.add(token.text);
        showSoFar();
      }
    } finally {
      sheet.flush();
    }
    const summary = await generation.finished;
    showSpeed(summary.tokens, summary.decodeMs, ENDS[summary.reason]);
    speech.end(ENDS[summary.reason]);
  });
}

const ENDS = {
  eos: 'The story has ended.',
  stop: 'The story has ended.',
  length: 'There could be more.',
  abort: 'Stopped.',
};

function showSpeed(tokens: number, time: number, word: string): void {
  const rate = time > 0 ? `${count(Math.round((1000 * tokens) / time))} a second` : '';
  const parts = [counted(tokens, 'token'), milliseconds(time), rate, word];
  speed.replaceChildren(...parts.filter(Boolean).map((part) => element('span', {}, part)));
}

const options = (signal: AbortSignal) => ({ ...readSettings(), logprobs: ALTERNATIVES, signal });

function writeStory(): void {
  if (write.disabled || !teller) return;
  const from = teller;
  sheet.begin(prompt.value);
  void tell((signal) => from.write(prompt.value, options(signal)));
}

async function saveStory(): Promise<void> {
  const from = teller!;
  const chosen: Record<string, SaveCacheOptions> = {
    F32: { dtype: 'F32' },
    F16: { dtype: 'F16' },
    INT4: { compression: 'INT4' },
  };
  await run('The story could not be saved', async (signal) => {
    const file = await from.save({ ...chosen[precision.value], signal });
    saveFile('story.safetensors', file);
    speed.replaceChildren(element('span', {}, `Saved: ${bytes(file.length)}, ${counted(from.length, 'token')}`));
  });
}

function loadStory(file: File): void {
  if (!teller) return;
  const into = teller;
  void run(`${file.name} is no story that this model can go on with`, async () => {
    const text = await into.load(file);
    sheet.begin(text);
    story = { exists: true, repeatable: false };
    speed.replaceChildren(element('span', {}, `Loaded: ${counted(into.length, 'token')}, none of them read again`));
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
stop.onclick = () => running?.abort();
goOn.onclick = () => void tell((signal) => teller!.goOn(options(signal)));
again.onclick = () => {
  sheet.takeBack();
  void tell((signal) => teller!.again(options(signal)));
};
save.onclick = () => void saveStory();
bundled.onclick = () => void loadBundled();
dropArea(byId('saved', HTMLLabelElement), ([file]) => loadStory(file!));
dropArea(byId('own-model', HTMLLabelElement), ([file]) => void loadModel(file!, file!.name, false));
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
void loadBundled();
