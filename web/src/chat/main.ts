import '../shared/shell.js';

import type { Chat, GenerateOptions, ModelSource, TextGenerator } from 'quintet';

import { loadChatModel, templateOf } from '../models/chat_model.js';
import { modelCards } from '../models/model_cards.js';
import { byId, element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { JsonAnswers } from '../shared/json_answers.js';
import { bytes, count, counted, milliseconds } from '../shared/numbers.js';
import { saveFile } from '../shared/save_file.js';
import { SingleTask } from '../shared/single_task.js';
import { answer, loadModel } from './answering.js';
import { Branches } from './branches.js';
import { begin as beginChat, branchOf, spokenIn, systemOf } from './system_message.js';
import { isSending, Transcript } from './transcript.js';

const log = byId('log', HTMLElement);
const message = byId('message', HTMLTextAreaElement);
const system = byId('system', HTMLTextAreaElement);
const settings = byId('settings', HTMLFormElement);
const problem = byId('problem', HTMLElement);
const speed = byId('speed', HTMLElement);
const spoken = byId('spoken', HTMLElement);
const [send, stop, begin, save] = ['send', 'stop', 'begin', 'save'].map((id) => byId(id, HTMLButtonElement)) as [
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
];

const json = new JsonAnswers(byId('json', HTMLElement), {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 20 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    mood: { enum: ['happy', 'sad', 'curious'] },
    friends: { type: 'array', items: { type: 'string', maxLength: 12 }, maxItems: 3 },
  },
  required: ['name', 'age', 'mood', 'friends'],
});

let model: TextGenerator | undefined;
/** The branch that is shown. */
let current: Chat | undefined;
/** A load, or an answer. */
const tasks = new SingleTask(problem, () => showState());

const transcript = new Transcript({
  retry: (index) => ask(index, undefined),
  edit: (index, content) => ask(index, content),
  branch(index) {
    if (tasks.isRunning || !current) return;
    say(`Branch ${branches.add(branchOf(current, index + 1))} begins here.`);
    message.focus();
  },
  copy: (text) => void copy(text),
});

const branches = new Branches(show, say);

function showState(): void {
  const idle = current !== undefined && !tasks.isRunning;
  send.disabled = begin.disabled = !idle;
  save.disabled = !(idle && spokenIn(current!).length > 0);
  stop.disabled = !tasks.isRunning;
  for (const button of document.querySelectorAll<HTMLButtonElement>('#log button, #branching button'))
    button.disabled = !idle;
  if (!model || !current) return;
  const [held, room] = [current.length, model.contextLength];
  const meter = byId('context', HTMLElement);
  meter.style.setProperty('--value', String(Math.min(held / room, 1)));
  meter.ariaValueMax = String(room);
  meter.ariaValueNow = String(held);
  byId('context-text', HTMLElement).textContent = `${count(held)} of ${counted(room, 'token')}`;
}

function show(chat: Chat): void {
  current = chat;
  system.value = systemOf(chat);
  transcript.show(spokenIn(chat));
  showState();
}

function say(...parts: string[]): void {
  speed.replaceChildren(...parts.map((part) => element('span', {}, part)));
}

/** The model in use stays until the new one is ready: the file may turn out to be no model. */
function useModel(name: string, source: ModelSource): void {
  const load = async (signal: AbortSignal) => {
    const loaded = await loadChatModel(loadModel, { name, source }, signal);
    const before = model;
    model = loaded;
    branches.startOver(beginChat(loaded, system.value));
    before?.close();
    byId('talk', HTMLElement).hidden = false;
    byId('models', HTMLDetailsElement).open = false;
    say();
    message.focus();
  };
  void tasks.run(`${name} could not be loaded`, load, () => useModel(name, source));
}

/** Has an answer written after this many messages, and one of the visitor. */
function ask(kept: number, content: string | undefined): void {
  if (tasks.isRunning || !current || !settings.reportValidity()) return;
  const chat = current;
  const asked = spokenIn(chat).slice(0, kept);
  const task = async (signal: AbortSignal) => {
    transcript.show(content === undefined ? asked : [...asked, { role: 'user', content }]);
    transcript.beginAnswer();
    showState();
    spoken.replaceChildren();
    say('The model is answering.');
    // Another system message makes another conversation.
    const isAnother = system.value.trim() !== systemOf(chat).trim();
    const isNext = !isAnother && content !== undefined && kept === spokenIn(chat).length;
    const next = isAnother ? beginChat(model!, system.value, asked) : isNext ? chat : branchOf(chat, kept);
    const before = next.messages;
    try {
      const answered = { ...options(signal), ...(await json.option()) };
      const summary = await answer(next, content, answered, ({ text }) => transcript.add(text));
      const rate =
        summary.decodeMs > 0 ? `${count(Math.round((1000 * summary.tokens) / summary.decodeMs))} per second` : '';
      say(
        counted(summary.tokens, 'token'),
        milliseconds(summary.decodeMs),
        ...(rate ? [rate] : []),
        ENDS[summary.reason],
      );
      if (next.messages === before) return giveBack(content);
      if (!isNext) branches.replace(chat, next);
      const said = next.messages.at(-1)?.content ?? '';
      spoken.textContent = said;
      json.show(said, summary);
    } catch (error) {
      say();
      giveBack(content);
      throw error;
    } finally {
      if (!isNext && next.messages === before) next.close();
      if (current === chat || current === next) transcript.show(spokenIn(current));
    }
  };
  void tasks.run('The model could not answer', task, () => ask(kept, content)).then(() => message.focus());
}

/** Restores an unsent message, so that it is not lost. */
function giveBack(content: string | undefined): void {
  if (content !== undefined && message.value === '') message.value = content;
}

const ENDS = {
  eos: 'Done.',
  stop: 'Done.',
  length: 'Cut off: the maximum number of tokens is reached.',
  abort: 'Stopped.',
};

const options = (signal: AbortSignal): GenerateOptions => ({
  temperature: byId('temperature', HTMLInputElement).valueAsNumber,
  maxTokens: byId('max-tokens', HTMLInputElement).valueAsNumber,
  ...chosenTemplate(),
  signal,
});

/** The format of messages: as the model was trained, or as the visitor chooses. */
function chosenTemplate(): Pick<GenerateOptions, 'chat'> {
  const template = byId('template', HTMLSelectElement).value || templateOf(model!);
  return template ? { chat: { template } } : {};
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say('Copied.');
  } catch {
    say('The browser does not allow this page to copy.');
  }
}

function saveConversation(): void {
  const chat = current!;
  void tasks.run('The conversation could not be saved', async () => {
    const file = await chat.save();
    saveFile('conversation.safetensors', file);
    say(`Saved: ${bytes(file.length)}`, counted(spokenIn(chat).length, 'message'));
  });
}

function openConversation(file: File): void {
  if (!model) return;
  const into = model;
  void tasks.run(`${file.name} is not a conversation that this model can continue`, async () => {
    branches.startOver(await into.openChat(file));
    say(`Opened: ${counted(spokenIn(current!).length, 'message')}, without computing them again`);
    message.focus();
  });
}

byId('asking', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault();
  const content = message.value;
  if (tasks.isRunning || !current || content.trim() === '' || !settings.reportValidity()) return;
  message.value = '';
  ask(spokenIn(current).length, content);
};
message.onkeydown = (event) => {
  if (!isSending(event)) return;
  event.preventDefault();
  byId('asking', HTMLFormElement).requestSubmit();
};
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && log.ariaBusy === 'true') tasks.stop();
});
settings.onsubmit = (event) => event.preventDefault();
stop.onclick = () => tasks.stop();
begin.onclick = () => {
  branches.startOver(beginChat(model!, system.value));
  say();
  problem.replaceChildren();
  message.focus();
};
save.onclick = saveConversation;
dropArea(byId('saved', HTMLLabelElement), ([file]) => openConversation(file!));
modelCards(byId('model-cards', HTMLElement), useModel);
