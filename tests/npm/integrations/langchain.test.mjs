// quintet/langchain under LangChain's own runnables.
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { tool } from '@langchain/core/tools';
import { Embedder, SearchIndex } from 'quintet';
import { ChatQuintet, QuintetEmbeddings, QuintetRerank, QuintetVectorStore } from 'quintet/langchain';
import { z } from 'zod';
import { embedder as bundled } from '../../../models/index.js';
import { loadReranker, scripted } from './served.mjs';

const closing = [];
afterAll(() => closing.forEach((model) => model.close()));

async function modelSaying(...answers) {
  const { generator, prompts, served } = await scripted(answers);
  closing.push(generator);
  return { model: new ChatQuintet({ generator: served }), prompts, generator };
}

async function loadEmbedder() {
  const embedder = await Embedder.load(fileURLToPath(bundled));
  closing.push(embedder);
  return embedder;
}

describe('a chat model', () => {
  const add = tool(({ a, b }) => String(a + b), {
    name: 'add',
    description: 'Adds numbers',
    schema: z.object({ a: z.number(), b: z.number() }),
  });
  const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>';

  test('answers messages, and reports usage', async () => {
    const { model, prompts } = await modelSaying('It is 3.');
    const answer = await model.invoke([new SystemMessage('Be brief.'), new HumanMessage('What is 1 + 2?')]);
    expect(answer.content).toBe('It is 3.');
    expect(answer.usage_metadata).toMatchObject({ output_tokens: 9, input_token_details: { cache_read: 0 } });
    expect(answer.response_metadata).toMatchObject({ finish_reason: 'stop' });
    expect(prompts[0].prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is 1 + 2?' },
    ]);
  });

  test('streams in a chain', async () => {
    const { model } = await modelSaying('It is 3.');
    const chain = ChatPromptTemplate.fromMessages([['human', '{question}']])
      .pipe(model)
      .pipe(new StringOutputParser());
    const texts = [];
    for await (const text of await chain.stream({ question: 'What is 1 + 2?' })) texts.push(text);
    expect(texts.join('')).toBe('It is 3.');
    expect(texts.length).toBeGreaterThan(4);
  });

  test('calls tools, as a whole and streamed, and reads their results', async () => {
    const { model, prompts } = await modelSaying(`I add. ${call}`, 'It is 3.', `I add. ${call}`);
    const tooled = model.bindTools([add]);
    const question = new HumanMessage('add');
    const asked = await tooled.invoke([question]);
    expect(asked.tool_calls).toEqual([
      { id: expect.any(String), name: 'add', args: { a: 1, b: 2 }, type: 'tool_call' },
    ]);
    const result = await add.invoke(asked.tool_calls[0]);
    expect(result).toBeInstanceOf(ToolMessage);
    const answer = await tooled.invoke([question, asked, result]);
    expect(answer.content).toBe('It is 3.');
    expect(prompts[1].prompt.at(-1)).toMatchObject({ role: 'tool', content: '3', toolCallId: asked.tool_calls[0].id });
    let whole;
    for await (const chunk of await tooled.stream([question])) whole = whole ? whole.concat(chunk) : chunk;
    expect(whole.content).toBe('I add. ');
    expect(whole.tool_calls).toMatchObject([{ name: 'add', args: { a: 1, b: 2 } }]);
    expect(whole.usage_metadata.output_tokens).toBeGreaterThan(10);
  });

  test('gives structured output', async () => {
    const { generator } = await modelSaying();
    const model = new ChatQuintet({ generator, seed: 1 });
    const schema = z.object({ colour: z.enum(['red', 'blue']) });
    expect(['red', 'blue']).toContain((await model.withStructuredOutput(schema).invoke('Which?')).colour);
    const both = await model.withStructuredOutput(schema, { includeRaw: true }).invoke('Which?');
    expect(JSON.parse(both.raw.content)).toEqual(both.parsed);
  });

  test('an abort ends it', async () => {
    const { model } = await modelSaying('a'.repeat(2000), 'next');
    const leaving = new AbortController();
    const reading = async () => {
      for await (const chunk of await model.stream('x', { signal: leaving.signal }))
        if (chunk.content === 'a') leaving.abort();
    };
    await expect(reading()).rejects.toThrow(/abort/i);
    expect((await model.invoke('x')).content).toBe('next');
  });
});

test('embeddings have the prompts of the model for queries and documents', async () => {
  const embedder = await loadEmbedder();
  const embeddings = new QuintetEmbeddings({ embedder });
  expect(Float32Array.from(await embeddings.embedQuery('a cat'))).toEqual(await embedder.embedQuery('a cat'));
  const documents = await embeddings.embedDocuments(['a cat', 'a dog']);
  expect(documents.map((vector) => Float32Array.from(vector))).toEqual(
    await embedder.embedDocuments(['a cat', 'a dog']),
  );
});

test('a vector store finds, filters, replaces and deletes documents', async () => {
  const embedder = await loadEmbedder();
  const store = new QuintetVectorStore(new QuintetEmbeddings({ embedder }), {
    index: new SearchIndex({ dimension: embedder.dimension }),
  });
  const texts = ['Cats sleep most of the day.', 'The bank raised its interest rates.', 'Dogs like long walks.'];
  const documents = texts.map((pageContent, i) => ({ pageContent, metadata: { page: i } }));
  const ids = await store.addDocuments(documents, { ids: ['cat', 'bank', 'dog'] });
  expect(ids).toEqual(['cat', 'bank', 'dog']);
  const [found] = await store.similaritySearch('money and loans', 1);
  expect(found).toMatchObject({ id: 'bank', pageContent: texts[1], metadata: { page: 1 } });
  const retriever = store.asRetriever({ k: 3, filter: ({ metadata }) => metadata.page !== 1 });
  expect((await retriever.invoke('money and loans')).map(({ id }) => id).sort()).toEqual(['cat', 'dog']);
  await store.delete({ ids: ['bank'] });
  expect(store.index.size).toBe(2);
});

test('a compressor keeps the most relevant documents', async () => {
  const reranker = await loadReranker();
  closing.push(reranker);
  const texts = ['c d', 'e f', 'g'];
  const documents = texts.map((pageContent) => ({ pageContent, metadata: { from: 'test' } }));
  const kept = await new QuintetRerank({ reranker, topN: 2 }).compressDocuments(documents, 'a b');
  const expected = await reranker.rank('a b', texts, { topK: 2 });
  expect(kept.map(({ pageContent }) => pageContent)).toEqual(expected.map(({ text }) => text));
  expect(kept[0].metadata).toEqual({ from: 'test', relevanceScore: expected[0].score });
});
