// quintet/ai-sdk under the core functions of the AI SDK.
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  createProviderRegistry,
  DirectChatTransport,
  embed,
  embedMany,
  generateText,
  Output,
  rerank,
  smoothStream,
  stepCountIs,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai';
import { Embedder } from 'quintet';
import { asV3, createQuintet, embeddingModel, languageModel, rerankingModel } from 'quintet/ai-sdk';
import { z } from 'zod';
import { embedder as bundled } from '../../../models/index.js';
import { loadReranker, scripted } from './served.mjs';

const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>';
const closing = [];
afterAll(() => closing.forEach((model) => model.close()));

async function modelSaying(...answers) {
  const { generator, prompts, served } = await scripted(answers);
  closing.push(generator);
  return { model: languageModel(served), prompts, generator };
}

const adding = () => {
  const calls = [];
  const add = tool({
    description: 'Adds numbers',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => (calls.push([a, b]), a + b),
  });
  return { calls, tools: { add } };
};

describe('a language model', () => {
  test('generates text, and reports usage', async () => {
    const { model, prompts } = await modelSaying('It is 3.');
    const result = await generateText({
      model,
      system: 'Be brief.',
      prompt: 'What is 1 + 2?',
      temperature: 0.5,
      seed: 3,
    });
    expect(result.text).toBe('It is 3.');
    expect(result.finishReason).toBe('stop');
    expect(result.usage).toMatchObject({ outputTokens: 9, inputTokenDetails: { cacheReadTokens: 0 } });
    expect(prompts[0].prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is 1 + 2?' },
    ]);
    expect(prompts[0].options).toMatchObject({ temperature: 0.5, seed: 3 });
  });

  test('calls tools and reads their results', async () => {
    const { model, prompts } = await modelSaying(`I add. ${call}`, 'It is 3.');
    const { calls, tools } = adding();
    const result = await generateText({ model, prompt: 'add', tools, stopWhen: stepCountIs(3) });
    expect(calls).toEqual([[1, 2]]);
    expect(result.text).toBe('It is 3.');
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    const [, asked, answered] = prompts[1].prompt;
    expect(asked).toMatchObject({
      role: 'assistant',
      content: 'I add. ',
      toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }],
    });
    expect(answered).toEqual({ role: 'tool', name: 'add', toolCallId: asked.toolCalls[0].id, content: '3' });
  });

  test('streams texts and calls in parts with a start and an end', async () => {
    const { model } = await modelSaying(`I add. ${call}${call}`, 'It is 3.');
    const { tools } = adding();
    const result = streamText({
      model,
      prompt: 'add',
      tools,
      stopWhen: stepCountIs(2),
      experimental_transform: smoothStream({ delayInMs: null }),
    });
    const parts = [];
    for await (const part of result.fullStream) parts.push(part);
    const types = parts.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);
    const step = ['text-start', 'text-delta', 'text-end'];
    const input = ['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call'];
    expect(types.filter((type) => type !== 'tool-result')).toEqual([
      'start',
      'start-step',
      ...step,
      ...input,
      ...input,
      'finish-step',
      'start-step',
      ...step,
      'finish-step',
      'finish',
    ]);
    expect(await result.text).toBe('It is 3.');
    const inputs = parts.filter(({ type }) => type === 'tool-call');
    expect(inputs.map((part) => part.input)).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ]);
  });

  test('gives structured output', async () => {
    const { generator } = await modelSaying();
    const schema = z.object({ colour: z.enum(['red', 'blue']) });
    const { output } = await generateText({
      model: languageModel(generator),
      prompt: 'Which?',
      seed: 1,
      output: Output.object({ schema }),
    });
    expect(['red', 'blue']).toContain(output.colour);
  });

  test('an abort is an error, and the model continues', async () => {
    const { model } = await modelSaying('a'.repeat(2000), 'next');
    const leaving = new AbortController();
    const result = streamText({ model, prompt: 'x', abortSignal: leaving.signal, onError() {} });
    const types = [];
    for await (const { type } of result.fullStream) {
      types.push(type);
      if (type === 'text-delta') leaving.abort();
    }
    expect(types.at(-1)).toBe('abort');
    expect((await generateText({ model, prompt: 'x' })).text).toBe('next');
  });

  test('warns about options without effect, and rejects pictures', async () => {
    const { model } = await modelSaying('x', 'x');
    const { tools } = adding();
    const { warnings } = await generateText({ model, prompt: 'x', tools, output: Output.json() }).catch((error) => ({
      warnings: error.warnings ?? [{ type: 'unsupported', feature: 'responseFormat' }],
    }));
    expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'responseFormat' }]);
    const content = [{ type: 'file', data: new Uint8Array([0xff, 0xd8, 0xff]), mediaType: 'image/jpeg' }];
    await expect(generateText({ model, messages: [{ role: 'user', content }] })).rejects.toThrow(
      /not a part of type 'file'/,
    );
  });

  test('options of this package go through providerOptions', async () => {
    const { model, prompts } = await modelSaying('x');
    await generateText({ model, prompt: 'x', providerOptions: { quintet: { minP: 0.1 } }, reasoning: 'none' });
    expect(prompts[0].options).toMatchObject({ minP: 0.1, chat: { variables: { enable_thinking: false } } });
  });

  test('reports whether it is loaded, and the progress of loading', async () => {
    const { generator } = await scripted([]);
    closing.push(generator);
    let loads = 0;
    const model = languageModel(async (onProgress) => {
      loads += 1;
      onProgress({ stage: 'download', loaded: 1, total: 2 });
      return generator;
    });
    expect(model.availability()).toBe('downloadable');
    const progress = [];
    const loading = model.load((each) => progress.push(each.loaded));
    expect(model.availability()).toBe('downloading');
    await Promise.all([loading, model.load()]);
    expect([model.availability(), loads, progress]).toEqual(['available', 1, [1]]);
    const broken = languageModel(() => Promise.reject(new Error('no network')));
    await expect(broken.load()).rejects.toThrow('no network');
    expect(broken.availability()).toBe('unavailable');
  });

  test('answers useChat without a server', async () => {
    const { model } = await modelSaying('Hello.');
    const transport = new DirectChatTransport({ agent: new ToolLoopAgent({ model }) });
    const stream = await transport.sendMessages({
      chatId: '1',
      trigger: 'submit-message',
      messageId: undefined,
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      abortSignal: undefined,
    });
    let text = '';
    for await (const chunk of stream) if (chunk.type === 'text-delta') text += chunk.delta;
    expect(text).toBe('Hello.');
  });
});

test('an embedding model gives the vectors of the embedder', async () => {
  const embedder = await Embedder.load(fileURLToPath(bundled));
  closing.push(embedder);
  const model = embeddingModel(embedder);
  const texts = ['a cat', 'a dog', 'a house'];
  const expected = await embedder.embed(texts);
  const { embeddings, usage } = await embedMany({ model, values: texts });
  expect(embeddings.map((vector) => Float32Array.from(vector))).toEqual(expected);
  expect(usage.tokens).toBeGreaterThan(6);
  const { embedding } = await embed({ model, value: 'a cat', providerOptions: { quintet: { dimensions: 32 } } });
  expect(embedding).toHaveLength(32);
});

test('a reranking model orders documents like the reranker', async () => {
  const reranker = await loadReranker();
  closing.push(reranker);
  const documents = ['c d', 'e f', 'g'];
  const { ranking, rerankedDocuments } = await rerank({
    model: rerankingModel(reranker),
    query: 'a b',
    documents,
    topN: 2,
  });
  const expected = await reranker.rank('a b', documents, { topK: 2 });
  expect(rerankedDocuments).toEqual(expected.map(({ text }) => text));
  expect(ranking.map(({ score }) => score)).toEqual(expected.map(({ score }) => score));
});

test('a provider has its models by name, once each', async () => {
  const { generator } = await scripted([]);
  closing.push(generator);
  const provider = createQuintet({ languageModels: { chat: generator } });
  expect(provider.languageModel('chat')).toBe(provider.languageModel('chat'));
  expect(() => provider.languageModel('other')).toThrow(/no language model 'other'/);
  const registry = createProviderRegistry({ quintet: provider });
  expect(registry.languageModel('quintet:chat').modelId).toBe('chat');
  expect(asV3(provider.languageModel('chat'))).toMatchObject({ specificationVersion: 'v3', modelId: 'chat' });
});
