// Texts for random JSON schemas are valid, as Ajv sees it. SCHEMAS=1000 is the number of schemas; the default suits
// every run.
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { TextGenerator } from 'quintet';
import { tinyGenerator } from '../helpers/models/tiny_generator.mjs';
import { randomSchemas } from './random_schemas.mjs';

const schemas = Number(process.env.SCHEMAS ?? 150);
const generationsOfEach = 20;

/** The characters that stand for bytes in byte-level vocabularies. */
const characterOf = (byte) => {
  const printable = (each) => (each > 32 && each < 127) || (each > 160 && each !== 173);
  if (printable(byte)) return String.fromCodePoint(byte);
  return String.fromCodePoint(
    256 + Array.from({ length: byte }, (_, each) => each).filter((each) => !printable(each)).length,
  );
};
const written = (text) => [...new TextEncoder().encode(text)].map(characterOf).join('');
// Tokens that end one thing and begin another, and halves of characters.
const pieces = [
  '{"',
  '"}',
  '"]',
  '["',
  '":',
  '": ',
  '","',
  '", "',
  '",',
  '"a":',
  '"name"',
  '"next":',
  'null',
  'nul',
  'true',
  'fal',
  'se',
  '"}]}',
  ']]',
  '[[]',
  '[]]',
  '{}',
  '{},',
  '}}',
  '"\\',
  '\\"',
  '\\u00',
  '\\n',
  '12',
  '00',
  '-1',
  '0.',
  '.5',
  'e+',
  '2024-',
  '02-29',
  'T1',
  ':00Z',
  'a@',
  '.co',
  'ab',
  'abc',
  'é"',
  '日',
  '日本',
  '👍',
  '\n\n',
  '   ',
  ' "',
  ': ',
];
const tokens = [...Array.from({ length: 256 }, (_, byte) => characterOf(byte)), ...pieces.map(written), '<end>'];
const tokenizer = {
  version: '1.0',
  added_tokens: [
    {
      id: tokens.length - 1,
      content: '<end>',
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    },
  ],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    fuse_unk: false,
    vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    merges: [],
  },
};

test(
  `${schemas} random schemas, ${generationsOfEach} texts of each: what is complete validates`,
  async () => {
    const files = { 'tokenizer.json': tokenizer, 'generation_config.json': { eos_token_id: tokens.length - 1 } };
    const generator = await TextGenerator.load(
      await tinyGenerator(tokens.length, files, { width: 16, layers: 2, positions: 256 }),
      { threads: 1 },
    );
    const ajv = addFormats(new Ajv({ strict: false }));
    let [complete, impossible] = [0, 0];
    const property = fc.asyncProperty(randomSchemas, fc.nat(1e6), async (jsonSchema, firstSeed) => {
      const validates = ajv.compile(jsonSchema);
      for (let seed = firstSeed; seed < firstSeed + generationsOfEach; seed++) {
        const generation = generator.generate('x', {
          jsonSchema,
          seed,
          temperature: 1.5,
          topK: 0,
          topP: 1,
          maxTokens: 120,
        });
        let text;
        try {
          text = await generation.text();
        } catch (error) {
          // allOf can ask for what excludes itself, or for what cannot be kept at once.
          expect(error.message).toMatch(/no value validates|no text ever ends|beside/);
          impossible++;
          return;
        }
        if ((await generation.finished).reason !== 'eos') continue;
        complete++;
        if (!validates(JSON.parse(text)))
          throw new Error(`${text} for ${JSON.stringify(jsonSchema)}: ${ajv.errorsText(validates.errors)}`);
      }
    });
    await fc.assert(property, { numRuns: schemas, seed: 20261125, endOnFailure: true });
    generator.close();
    expect(complete).toBeGreaterThan(schemas * generationsOfEach * 0.4);
    expect(impossible).toBeLessThan(schemas / 5);
  },
  schemas * 1000,
);
