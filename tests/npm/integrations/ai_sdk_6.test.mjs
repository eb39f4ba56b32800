// quintet/ai-sdk under the core functions of version 6 of the AI SDK, which has the specification v3.
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { embedMany, generateText, Output, rerank, stepCountIs, streamText, tool } from 'ai-6';
import { Embedder } from 'quintet';
import { asV3, embeddingModel, languageModel, rerankingModel } from 'quintet/ai-sdk';
import { z } from 'zod';
import { embedder as bundled } from '../../../models/index.js';
import { loadReranker, scripted } from './served.mjs';

const closing = [];
afterAll(() => closing.forEach((model) => model.close()));

async function modelSaying(...answers) {
  const { generator, prompts, served } = await scripted(answers);
  closing.push(generator);
  return { model: asV3(languageModel(served)), prompts, generator };
}

const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>';
const tools = {
  add: tool({
    description: 'Adds numbers',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  }),
};

test('generates text, calls tools and reads their results', async () => {
  const { model, prompts } = await modelSaying(`I add. ${call}`, 'It is 3.');
  const result = await generateText({ model, system: 'Be brief.', prompt: 'add', tools, stopWhen: stepCountIs(3) });
  expect(result.text).toBe('It is 3.');
  expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
  expect(result.usage).toMatchObject({ outputTokens: 9 });
  expect(prompts[1].prompt.at(-1)).toMatchObject({ role: 'tool', name: 'add', content: '3' });
});

test('streams texts and calls', async () => {
  const { model } = await modelSaying(`I add. ${call}`);
  let text = '';
  const types = new Set();
  const result = streamText({ model, prompt: 'add', tools: { add: { ...tools.add, execute: undefined } } });
  for await (const part of result.fullStream) {
    types.add(part.type);
    if (part.type === 'text-delta') text += part.text;
  }
  expect(text).toBe('I add. ');
  expect([...types]).toEqual(expect.arrayContaining(['text-start', 'tool-input-delta', 'tool-call', 'finish']));
  expect(await result.toolCalls).toMatchObject([{ toolName: 'add', input: { a: 1, b: 2 } }]);
});

test('gives structured output, and ends when it is aborted', async () => {
  const { model, generator } = await modelSaying('a'.repeat(2000), 'next');
  const output = Output.object({ schema: z.object({ colour: z.enum(['red', 'blue']) }) });
  const shaped = await generateText({ model: asV3(languageModel(generator)), prompt: 'Which?', seed: 1, output });
  expect(['red', 'blue']).toContain(shaped.output.colour);
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

test('vectors and ranks equal those of the models', async () => {
  const embedder = await Embedder.load(fileURLToPath(bundled));
  const reranker = await loadReranker();
  closing.push(embedder, reranker);
  const values = ['a cat', 'a dog'];
  const { embeddings } = await embedMany({ model: asV3(embeddingModel(embedder)), values });
  expect(embeddings.map((vector) => Float32Array.from(vector))).toEqual(await embedder.embed(values));
  const documents = ['c d', 'e f', 'g'];
  const { ranking } = await rerank({ model: asV3(rerankingModel(reranker)), query: 'a b', documents });
  const expected = await reranker.rank('a b', documents);
  expect(ranking.map(({ score }) => score)).toEqual(expected.map(({ score }) => score));
});
