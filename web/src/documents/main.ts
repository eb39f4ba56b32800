import '../shared/shell.js';

import type { SearchHit, TextGenerator } from 'quintet';

import { loadChatModel, templateOf } from '../models/chat_model.js';
import { modelCards } from '../models/model_cards.js';
import { byId, enableButtons } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { milliseconds } from '../shared/numbers.js';
import { SingleTask } from '../shared/single_task.js';
import { answer, loadModel, type Passage } from './cited_answers.js';
import { Library } from './library.js';
import { PassagesView } from './passages_view.js';
import { RerankerPanel } from './reranker_panel.js';

const question = byId('question', HTMLTextAreaElement);
const state = byId('answer-state', HTMLElement);
const [ask, stop, clear, example] = ['ask', 'stop', 'clear', 'example'].map((id) => byId(id, HTMLButtonElement)) as [
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
];
const library = new Library(new RerankerPanel());
const view = new PassagesView();
const tasks = new SingleTask(byId('problem', HTMLElement), showState);
let model: TextGenerator | undefined;

function showState(): void {
  ask.disabled = tasks.isRunning || library.isEmpty;
  clear.disabled = library.isEmpty;
  stop.disabled = !tasks.isRunning;
}

const take = (files: readonly File[]): void =>
  void tasks.run('These files could not be indexed', (signal) => library.add(files, signal));

function answerQuestion(): void {
  const asked = question.value.trim();
  if (asked === '' || library.isEmpty) return;
  void tasks.run('There is no answer', async (signal) => {
    const begin = performance.now();
    const hits = await library.search(asked, signal);
    const found = `Found in ${milliseconds(performance.now() - begin)}.`;
    view.showPassages(hits);
    if (!model) {
      state.textContent = `${found} Choose a model below, and it answers from these passages.`;
      return;
    }
    state.textContent = `${found} The model is answering.`;
    await write(model, asked, hits, signal);
    state.textContent = `${found} Answered in ${milliseconds(performance.now() - begin)}.`;
  });
}

async function write(
  generator: TextGenerator,
  asked: string,
  hits: readonly SearchHit<Passage>[],
  signal: AbortSignal,
): Promise<void> {
  const maxTokens = Math.min(400, Math.floor(generator.contextLength / 3));
  const passages = await fitting(
    generator,
    hits.map(({ payload }) => payload!),
    generator.contextLength - maxTokens,
  );
  const template = templateOf(generator);
  for await (const text of answer(generator, asked, passages, { template, maxTokens, temperature: 0.3, signal }))
    view.add(text);
}

/** Tokens of the question, the instruction and the template, and of what is around a passage: rather too many. */
const around = { all: 100, passage: 12 };

/** The best passages, up to the space that there is for them. */
async function fitting(generator: TextGenerator, passages: readonly Passage[], room: number): Promise<Passage[]> {
  const fit: Passage[] = [];
  let left = room - around.all;
  for (const passage of passages) {
    const { length } = await generator.tokenize(passage.title + passage.text);
    left -= length + around.passage;
    if (left < 0 && fit.length > 0) break;
    fit.push(passage);
  }
  return fit;
}

function useModel(name: string, source: Parameters<typeof loadModel>[0]): void {
  const before = model;
  const load = async (signal: AbortSignal) => {
    model = await loadChatModel(loadModel, { name, source }, signal);
    before?.close();
    byId('models', HTMLDetailsElement).open = false;
  };
  const again = () => useModel(name, source);
  void tasks.run(`${name} could not be loaded`, load, again).then(() => {
    if (model !== before) answerQuestion();
  });
}

/** A page of the book that the demo searches. */
async function exampleFile(): Promise<File> {
  const response = await fetch(`${import.meta.env.BASE_URL}book/the-geology-of-mars.html`);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return new File([await response.blob()], 'the-geology-of-mars.html');
}

byId('asking', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault();
  answerQuestion();
};
question.onkeydown = (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  answerQuestion();
};
stop.onclick = () => tasks.stop();
clear.onclick = () => {
  library.clear();
  view.clear();
  showState();
};
example.onclick = () => {
  question.value = 'How high is the highest mountain on Mars?';
  const add = async (signal: AbortSignal) => library.add([await exampleFile()], signal);
  void tasks.run('The example could not be indexed', add).then(() => {
    if (!library.isEmpty) answerQuestion();
  });
};
dropArea(byId('own-files', HTMLLabelElement), take, byId('files-card', HTMLElement));
modelCards(byId('model-cards', HTMLElement), useModel);
enableButtons(byId('files-card', HTMLElement));
showState();
