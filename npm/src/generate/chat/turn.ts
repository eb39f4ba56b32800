// One turn of a chat: the model answers, tools that it calls are run, and it answers again.

import { abortable } from '../../base/abort.js';
import { inputError, messageOf } from '../../base/errors.js';
import { jsonText } from '../../base/json_text.js';
import { isStandardSchema } from '../../base/standard_schema.js';
import { isA } from '../../base/values.js';
import type { AnswerPart, ChatMessage, ToolCall } from '../../chat/types.js';
import type { Step, TokenQueue, TokenStream } from '../generation.js';
import type { GeneratorSession } from '../session.js';
import type { GenerateOptions, GenerationSummary } from '../types.js';
import { validated } from '../validation.js';
import { settingsOf } from './options.js';
import type { ChatOptions, ChatTool } from './types.js';

/** The messages after the turn, and all rounds as one generation. */
interface Turn {
  messages: readonly ChatMessage[];
  summary: GenerationSummary;
}

/** A chat before a turn. */
export interface ChatState {
  session: GeneratorSession;
  options: ChatOptions;
  messages: readonly ChatMessage[];
}

/**
 * Answers these messages after those of the chat; without any, the last one of the user. If it fails, or is aborted
 * before there is text, nothing is added, and the session is as before.
 */
export async function takeTurn(
  chat: ChatState,
  added: readonly ChatMessage[] | undefined,
  sent: GenerateOptions & { signal: AbortSignal },
  tokens: TokenQueue,
): Promise<Turn> {
  const before = chat.session.tokens;
  try {
    const turn = await answer(chat, added, sent, tokens);
    if (turn.messages === chat.messages) rewindTo(before, chat.session);
    return turn;
  } catch (error) {
    rewindTo(before, chat.session);
    throw error;
  }
}

/** Keeps the beginning that the session has in common with these tokens. */
function rewindTo(before: Int32Array, session: GeneratorSession): void {
  const { tokens } = session;
  const differs = tokens.findIndex((token, i) => token !== before[i]);
  if (differs >= 0) session.rewind(differs);
}

async function answer(
  { session, options: chatOptions, messages: before }: ChatState,
  added: readonly ChatMessage[] | undefined,
  sent: GenerateOptions & { signal: AbortSignal },
  tokens: TokenQueue,
): Promise<Turn> {
  const { tools, maxRounds, options } = settingsOf(chatOptions, sent);
  if (added && (added.length === 0 || !added.every((message) => isA(message, 'Object'))))
    throw inputError('wrong_type', 'send: the argument must be a text, a message or a list of messages');
  const signal = endOf(sent.signal, tokens);
  const rounds: GenerationSummary[] = [];
  for (let messages = added ? [...before, ...added] : upToLastUser(before); ; ) {
    const calledBefore = rounds.flatMap(({ toolCalls = [] }) => toolCalls).length;
    const generation = session.generateAfter(messages, { ...optionsOf(options, rounds.length), signal }, false);
    const takenBefore = tokens.given;
    const content = await relayed(generation, tokens, calledBefore, signal);
    const summary = await generation.finished;
    const isStopped = signal.aborted;
    const toolCalls = isStopped ? [] : withIds(summary.toolCalls ?? [], messages);
    tokens.finish(idParts(toolCalls, summary.toolCalls ?? [], calledBefore));
    rounds.push({ ...summary, ...(summary.toolCalls && !isStopped && { toolCalls }) });
    const { reasoning } = summary;
    const answer = {
      role: 'assistant',
      content,
      ...(reasoning !== undefined && { reasoning }),
      ...(toolCalls.length > 0 && { toolCalls }),
    };
    const answered = [...messages, answer];
    if (isStopped) {
      if (tokens.isCancelled) cut(session, summary.promptTokens + tokens.taken - takenBefore);
      return { messages: content ? answered : before, summary: sumOf(rounds, 'abort') };
    }
    const runnable = rounds.length > maxRounds ? [] : toolCalls.filter((call) => canRun(toolOf(call, tools)));
    if (runnable.length === 0) return { messages: answered, summary: sumOf(rounds) };
    const results = await Promise.all(runnable.map((call) => resultMessage(call, toolOf(call, tools), signal))).catch(
      () => undefined,
    );
    if (!results) return { messages: before, summary: sumOf(rounds, 'abort') };
    messages = [...answered, ...results];
    if (runnable.length < toolCalls.length) return { messages, summary: sumOf(rounds) };
  }
}

function upToLastUser(messages: readonly ChatMessage[]): ChatMessage[] {
  const last = messages.map(({ role }) => role).lastIndexOf('user');
  if (last < 0) throw inputError('missing', 'regenerate: the chat has no message of the user');
  return messages.slice(0, last + 1);
}

/** Only the first answer can be forced to call a tool: the turn would never end. */
function optionsOf(options: GenerateOptions, round: number): GenerateOptions {
  const { toolChoice, ...others } = options;
  return round === 0 || toolChoice === 'none' ? options : others;
}

/** Fires when the caller aborts, or stops reading. */
function endOf(signal: AbortSignal, tokens: TokenQueue): AbortSignal {
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  tokens.onRead = () => tokens.isCancelled && end();
  return ending.signal;
}

/** Drops the tokens that the reader had not read when it left. */
function cut(session: GeneratorSession, length: number): void {
  if (length < session.length) session.rewind(Math.max(0, length));
}

/** Passes on the tokens of a round, no faster than they are read. Returns the text that the reader got. */
async function relayed(
  generation: TokenStream,
  tokens: TokenQueue,
  calledBefore: number,
  signal: AbortSignal,
): Promise<string> {
  const steps = generation.steps();
  const texts: string[] = [];
  const takenBefore = tokens.given;
  for (let step = await steps.next(); !step.done && !tokens.isCancelled; step = await steps.next()) {
    tokens.pass(renumbered(step.value, calledBefore));
    texts.push(step.value.text);
    await tokens.room();
  }
  // The reader may leave until the last one is read.
  await abortable(tokens.read(), signal).catch(() => {});
  return (tokens.isCancelled ? texts.slice(0, Math.max(0, tokens.taken - takenBefore)) : texts).join('');
}

/** The calls of a turn are numbered across all of its rounds. */
function renumbered(step: Step, calledBefore: number): Step {
  if (!step.parts || calledBefore === 0) return step;
  const parts = step.parts.map(
    (part): AnswerPart => (part.type === 'toolCall' ? { ...part, index: part.index + calledBefore } : part),
  );
  return { ...step, parts };
}

/** Some templates need an id for each call, of nine letters or digits. Not all models write one. */
function withIds(calls: readonly ToolCall[], messages: readonly ChatMessage[]): ToolCall[] {
  const before = messages.flatMap(({ toolCalls = [] }) => toolCalls).length;
  return calls.map((call, i) => ({ id: String(before + i + 1).padStart(9, '0'), ...call }));
}

/** Passes on the ids that the model did not write. */
const idParts = (calls: readonly ToolCall[], written: readonly ToolCall[], calledBefore: number): AnswerPart[] =>
  calls.flatMap(({ id }, i) =>
    written[i]!.id === undefined ? [{ type: 'toolCall', index: calledBefore + i, id: id!, argumentsText: '' }] : [],
  );

const toolOf = ({ name }: ToolCall, tools: readonly ChatTool[]) =>
  tools.find((tool) => definitionIn(tool).name === name);

/** In OpenAI's form, the definition is one level down. */
const definitionIn = (tool: ChatTool & { function?: ChatTool }): ChatTool => tool.function ?? tool;

/** The model learns that a tool does not exist; one without `run` is for the caller. */
const canRun = (tool: ChatTool | undefined) => tool === undefined || tool.run !== undefined;

/** The message with the result of a tool. Rejects only if the turn ends. */
async function resultMessage(call: ToolCall, tool: ChatTool | undefined, signal: AbortSignal): Promise<ChatMessage> {
  const content = await abortable(resultOf(call, tool, signal), signal);
  return { role: 'tool', name: call.name, toolCallId: call.id!, content };
}

async function resultOf(call: ToolCall, tool: ChatTool | undefined, signal: AbortSignal): Promise<string> {
  try {
    if (!tool) throw new Error(`there is no tool '${call.name}'`);
    const { parameters } = definitionIn(tool);
    const args = isStandardSchema(parameters)
      ? await validated(parameters, call.arguments, call.name)
      : structuredClone(call.arguments);
    const result = await tool.run!(args, { call, signal });
    return typeof result === 'string' ? result : jsonText(result);
  } catch (error) {
    return `error: ${messageOf(error)}`;
  }
}

/** All rounds of a turn as one generation. */
function sumOf(rounds: readonly GenerationSummary[], reason = rounds.at(-1)!.reason): GenerationSummary {
  const total = (key: 'promptTokens' | 'tokens' | 'prefillTokens' | 'prefillMs' | 'decodeMs') =>
    rounds.reduce((sum, round) => sum + round[key], 0);
  const toolCalls = rounds.flatMap((round) => round.toolCalls ?? []);
  const reasoning = rounds.map((round) => round.reasoning ?? '').join('');
  const unparsedToolCalls = rounds.flatMap((round) => round.unparsedToolCalls ?? []);
  return {
    reason,
    promptTokens: total('promptTokens'),
    tokens: total('tokens'),
    prefillTokens: total('prefillTokens'),
    prefillMs: total('prefillMs'),
    decodeMs: total('decodeMs'),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning && { reasoning }),
    ...(unparsedToolCalls.length > 0 && { unparsedToolCalls }),
  };
}
