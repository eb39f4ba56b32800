import '../shared/shell.js';

import type { TextGenerator, ToolCall } from 'quintet';

import { loadChatModel, templateOf } from '../models/chat_model.js';
import { modelCards } from '../models/model_cards.js';
import { byId, element } from '../shared/dom.js';
import { milliseconds } from '../shared/numbers.js';
import { SingleTask } from '../shared/single_task.js';
import { valueTree } from '../shared/value_tree.js';
import { schema as exampleSchema, tools } from './examples.js';
import { fieldsOf, formSchemaIn } from './form_view.js';
import { fillIn, loadModel, nextSteps } from './reading_letters.js';

const letter = byId('letter', HTMLTextAreaElement);
const schema = byId('schema', HTMLTextAreaElement);
const form = byId('form', HTMLFormElement);
const state = byId('state', HTMLElement);
const steps = byId('steps', HTMLOListElement);
const [fill, decide, stop] = ['fill', 'decide', 'stop'].map((id) => byId(id, HTMLButtonElement)) as [
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
];
const tasks = new SingleTask(byId('problem', HTMLElement), showState);
let model: TextGenerator | undefined;

function showState(): void {
  fill.disabled = decide.disabled = !model || tasks.isRunning;
  stop.disabled = !tasks.isRunning;
}

function useModel(name: string, source: Parameters<typeof loadModel>[0]): void {
  const load = async (signal: AbortSignal) => {
    const loaded = await loadChatModel(loadModel, { name, source }, signal);
    model?.close();
    model = loaded;
    byId('models', HTMLDetailsElement).open = false;
    state.textContent = 'The model is ready.';
  };
  void tasks.run(`${name} could not be loaded`, load, () => useModel(name, source)).then(() => fill.focus());
}

/** Greedy: a form has one right answer. */
function options(signal: AbortSignal) {
  const template = templateOf(model!);
  return {
    temperature: 0,
    maxTokens: Math.min(600, Math.floor(model!.contextLength / 2)),
    signal,
    ...(template && { template }),
  };
}

/** Runs a task of the model, and shows how long it took. */
function ask(what: string, task: (signal: AbortSignal) => Promise<void>): void {
  if (!model || tasks.isRunning) return;
  void tasks.run(what, async (signal) => {
    state.textContent = 'The model is reading.';
    const begin = performance.now();
    try {
      await task(signal);
      state.textContent = `Done in ${milliseconds(performance.now() - begin)}.`;
    } catch (error) {
      state.textContent = signal.aborted ? 'Stopped.' : '';
      throw error;
    }
  });
}

fill.onclick = () =>
  ask('The form could not be filled in', async (signal) => {
    const wanted = formSchemaIn(schema.value);
    form.replaceChildren(...fieldsOf(wanted));
    const value = await fillIn(model!, letter.value, wanted, options(signal));
    form.replaceChildren(...fieldsOf(wanted, value));
  });
decide.onclick = () =>
  ask('The model could not decide', async (signal) => {
    steps.replaceChildren();
    const calls = await nextSteps(model!, letter.value, tools, options(signal));
    if (calls.length === 0) throw new Error('The answer was cut off before the model chose a tool.');
    steps.replaceChildren(...calls.map(stepOf));
  });

function stepOf({ name, arguments: given }: ToolCall): HTMLElement {
  return element('li', { className: 'card' }, element('h3', {}, element('code', {}, name)), valueTree(given));
}

/** The form follows the schema as it is edited. */
function showForm(): void {
  const wrong = byId('schema-problem', HTMLElement);
  try {
    form.replaceChildren(...fieldsOf(formSchemaIn(schema.value)));
    wrong.textContent = '';
  } catch (error) {
    wrong.textContent = (error as Error).message;
  }
  schema.ariaInvalid = String(wrong.textContent !== '');
}

schema.value = JSON.stringify(exampleSchema, null, 2);
schema.oninput = showForm;
form.onsubmit = (event) => event.preventDefault();
stop.onclick = () => tasks.stop();
byId('tools', HTMLUListElement).replaceChildren(
  ...tools.map(({ name, description }) => element('li', {}, element('code', {}, name), `: ${description}`)),
);
modelCards(byId('model-cards', HTMLElement), useModel);
showForm();
showState();
