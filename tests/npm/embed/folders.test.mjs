// Embedders as they are published: GGUF files and folders of sentence-transformers, compared with llama.cpp
// (tests/fixtures/encoders/README.md), and the settings in the files of a folder.

import { readFileSync } from 'node:fs';
import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { afterAll, expect, test } from '@jest/globals';
import { convert, Embedder } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';

const cases = JSON.parse(readFileSync(fixturePath('encoders/expected.json'), 'utf8'));
const loaded = [];
afterAll(() => loaded.forEach((embedder) => embedder.close()));

async function load(source, options) {
  const embedder = await Embedder.load(source, options);
  loaded.push(embedder);
  return embedder;
}

const distance = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

test.each(cases.map((each) => [each.id, each]))('%s gives the vectors of llama.cpp', async (_id, expected) => {
  const embedder = await load(fixturePath(`encoders/${expected.model}`));
  expect(embedder.dimension).toBe(expected.dimension);
  for (const [i, ids] of expected.sequences.entries()) {
    const vector = Array.from(await embedder.embedIds(ids));
    expect(distance(vector, expected.vectors[i])).toBeLessThanOrEqual(expected.tolerance);
  }
});

test.each(cases.map((each) => [each.id, each]))('%s in int8 is close to itself', async (_id, expected) => {
  const embedder = await load(fixturePath(`encoders/${expected.model}`), { quantize: 'int8' });
  const ids = expected.sequences[1];
  const vector = await embedder.embedIds(ids);
  const cosine = vector.reduce((sum, value, i) => sum + value * expected.vectors[1][i], 0);
  expect(cosine).toBeGreaterThan(0.97);
  expect(distance(Array.from(vector), expected.vectors[1])).toBeGreaterThan(expected.tolerance / 10);
});

/** The files of a folder, some of them replaced; `null` leaves a file out. */
function filesOf(folder, names, changes = {}) {
  const entries = names.map((name) => [name, new Uint8Array(readFileSync(fixturePath(`encoders/${folder}/${name}`)))]);
  for (const [name, value] of Object.entries(changes)) {
    entries.push([
      name,
      value instanceof Uint8Array || value === null ? value : new TextEncoder().encode(JSON.stringify(value)),
    ]);
  }
  const files = Object.fromEntries(entries);
  return Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null));
}
const configOf = (folder) => JSON.parse(readFileSync(fixturePath(`encoders/${folder}/config.json`), 'utf8'));
const xlmr = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  'model.safetensors',
];
const modules = (...names) =>
  ['Transformer', 'Pooling', ...names].map((name, idx) => ({
    idx,
    name: String(idx),
    path: idx === 0 ? '' : `${idx}_${name}`,
    type: `sentence_transformers.models.${name}`,
  }));

test('pooling, length and prompts are those of the files', async () => {
  const prompts = { query: 'query: ', document: 'passage: ' };
  const embedder = await load(
    filesOf('bert-xlmr-mean', xlmr, {
      '1_Pooling/config.json': { pooling_mode: 'lasttoken', embedding_dimension: 64 },
      'sentence_bert_config.json': { max_seq_length: 40 },
      'config_sentence_transformers.json': { prompts, default_prompt_name: 'document' },
      'modules.json': modules(),
    }),
  );
  expect(embedder.pooling).toBe('last');
  expect(embedder.maxLength).toBe(40);
  expect(embedder.prompts).toEqual(prompts);
  expect(embedder.info.warnings ?? []).toEqual([]);
  const plain = await embedder.embed('a cat', { prompt: '' });
  const length = Math.hypot(...plain);
  expect(Math.abs(length - 1)).toBeGreaterThan(1e-3); // no Normalize module
  const options = { normalize: true };
  const expected = await embedder.embed('passage: a cat', { prompt: '', ...options });
  expect(await embedder.embed('a cat', options)).toEqual(expected);
  expect(await embedder.embed('a cat', { promptName: 'document', ...options })).toEqual(expected);
  expect(await embedder.embed('a cat', { prompt: 'passage: ', ...options })).toEqual(expected);
  expect(await embedder.embed('a cat', { promptName: 'query', ...options })).not.toEqual(expected);
  expect(await failureOf(embedder.embed('a cat', { promptName: 'none' }))).toMatchObject({ code: 'INPUT' });
  expect(await failureOf(embedder.embed('a cat', { promptName: 'query', prompt: 'x' }))).toMatchObject({
    code: 'INPUT',
  });
});

test('with include_prompt false, the tokens of a prompt are not pooled', async () => {
  const pooling = { pooling_mode_mean_tokens: true, include_prompt: false };
  const names = { ...filesOf('bert-xlmr-mean', xlmr, { '1_Pooling/config.json': pooling }) };
  const without = await load(names);
  const whole = await load(filesOf('bert-xlmr-mean', xlmr));
  const prompt = 'the other ';
  expect(await without.embed('cat', { prompt: '' })).toEqual(await whole.embed('cat', { prompt: '' }));
  // The last token alone remains of an empty text: the mean over it is that of pooling 'last'.
  expect(await without.embed('', { prompt })).toEqual(await whole.embed('', { prompt, pooling: 'last' }));
  expect(await without.embed('cat', { prompt })).not.toEqual(await whole.embed('cat', { prompt }));
});

test('Dense modules follow the pooling', async () => {
  const out = 3;
  const weight = Array.from({ length: out * 64 }, (_, i) => Math.sin(i));
  const bias = [0.5, -0.25, 0.125];
  const dense = {
    in_features: 64,
    out_features: out,
    bias: true,
    activation_function: 'torch.nn.modules.activation.Tanh',
  };
  const changes = {
    'modules.json': modules('Dense'),
    '2_Dense/config.json': dense,
    '2_Dense/model.safetensors': safetensorsFile({
      'linear.weight': { shape: [out, 64], values: weight },
      'linear.bias': { shape: [out], values: bias },
    }),
  };
  const plain = await load(filesOf('bert-xlmr-mean', xlmr, { 'modules.json': modules() }));
  const pooled = await plain.embed('a cat');
  const embedder = await load(filesOf('bert-xlmr-mean', xlmr, changes));
  expect(embedder.dimension).toBe(out);
  const vector = await embedder.embed('a cat');
  bias.forEach((b, row) => {
    const sum = pooled.reduce((total, value, i) => total + value * Math.fround(weight[row * 64 + i]), b);
    expect(vector[row]).toBeCloseTo(Math.tanh(sum), 5);
  });
  const narrow = { ...changes, '2_Dense/config.json': { ...dense, in_features: 32 } };
  expect(await failureOf(load(filesOf('bert-xlmr-mean', xlmr, narrow)))).toMatchObject({
    code: 'FORMAT',
    reason: 'mismatch',
  });
  const wrong = { ...changes, '2_Dense/config.json': { ...dense, out_features: 4 } };
  expect(await failureOf(load(filesOf('bert-xlmr-mean', xlmr, wrong)))).toMatchObject({
    code: 'FORMAT',
    tensor: 'linear.weight',
  });
  const missing = { ...changes, '2_Dense/model.safetensors': null };
  expect((await failureOf(load(filesOf('bert-xlmr-mean', xlmr, missing)))).message).toMatch(
    /2_Dense\/model\.safetensors is missing/,
  );
});

// Ids by Hugging Face's own tokenizer, of texts that JavaScript has lowered.
test.each([
  ['Unigram', 'bert-xlmr-mean', xlmr],
  ['bytes', 'modern-bert', ['config.json', 'tokenizer.json', 'model.safetensors']],
])('do_lower_case lowers texts of a tokenizer of %s, and leaves special tokens alone', async (_kind, folder, names) => {
  const changes = { 'sentence_bert_config.json': { do_lower_case: true } };
  const lowering = await load(filesOf(folder, names, changes));
  const plain = await load(filesOf(folder, names));
  const json = (name) => JSON.parse(readFileSync(fixturePath(`encoders/${folder}/${name}`), 'utf8'));
  const special =
    json('tokenizer.json').added_tokens.find((token) => token.special && /[A-Z]/.test(token.content))?.content ?? '';
  const tokenizer = new HuggingFaceTokenizer(json('tokenizer.json'), {});
  for (const text of ['The CAT Sat', 'ÄÖ Ünder THE Sea', 'the cat']) {
    const expected = tokenizer.encode(text.toLowerCase()).ids;
    expect([...(await lowering.tokenize(text))]).toEqual(expected);
    expect(await lowering.embed(text)).toEqual(await plain.embed(text.toLowerCase()));
  }
  expect([...(await plain.tokenize('The CAT Sat'))]).not.toEqual([...(await lowering.tokenize('The CAT Sat'))]);
  expect([...(await lowering.tokenize(`The${special}`))]).toEqual([...(await plain.tokenize(`the${special}`))]);
});

test('do_lower_case lowers texts of a WordPiece tokenizer that does not', async () => {
  const names = ['config.json', 'vocab.txt', 'model.safetensors'];
  const cased = { 'tokenizer_config.json': { do_lower_case: false } };
  const plain = await load(filesOf('bert-cls-folder', names, cased));
  const lowering = await load(
    filesOf('bert-cls-folder', names, { ...cased, 'sentence_bert_config.json': { do_lower_case: true } }),
  );
  expect(await lowering.tokenize('The CAT')).toEqual(await plain.tokenize('the cat'));
  expect(await lowering.tokenize('The CAT')).not.toEqual(await plain.tokenize('The CAT'));
  expect(await lowering.embed('The CAT')).toEqual(await plain.embed('the cat'));
});

// Files as Sentence Transformers 6 writes them for a model that needs no more than older versions offer.
test('the files of Sentence Transformers 6 are read', async () => {
  const embedder = await load(
    filesOf('bert-xlmr-mean', xlmr, {
      'sentence_bert_config.json': {
        transformer_task: 'feature-extraction',
        modality_config: { text: { method: 'forward', method_output_name: 'last_hidden_state' } },
        module_output_name: 'token_embeddings',
        processing_kwargs: {},
        unpad_inputs: false,
        query_length: null,
        document_length: null,
        query_expansion: null,
      },
      '1_Pooling/config.json': { embedding_dimension: 64, pooling_mode: 'mean', include_prompt: true },
      'modules.json': [
        { idx: 0, name: '0', path: '', type: 'sentence_transformers.base.modules.transformer.Transformer' },
        {
          idx: 1,
          name: '1',
          path: '1_Pooling',
          type: 'sentence_transformers.sentence_transformer.modules.pooling.Pooling',
        },
        { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.base.modules.normalize.Normalize' },
      ],
      '2_Normalize/config.json': { module_input_name: 'sentence_embedding', module_output_name: null },
      'config_sentence_transformers.json': {
        __version__: { sentence_transformers: '6.0.0' },
        default_prompt_name: null,
        model_type: 'SentenceTransformer',
        prompts: {},
        similarity_fn_name: 'cosine',
      },
    }),
  );
  const plain = await load(filesOf('bert-xlmr-mean', xlmr));
  expect(await embedder.embed('a cat')).toEqual(await plain.embed('a cat'));
});

const dense = { in_features: 64, out_features: 3, bias: false };
const denseFile = safetensorsFile({ 'linear.weight': { shape: [3, 64], values: new Array(192).fill(1) } });
const withDense = (changes, weights = denseFile) => ({
  'modules.json': modules('Dense'),
  '2_Dense/config.json': { ...dense, ...changes },
  '2_Dense/model.safetensors': weights,
});

test.each([
  ['an unknown module', { 'modules.json': modules('WordWeights') }, /the module WordWeights; supported are/],
  ['a list of modules that is none', { 'modules.json': { path: '' } }, /modules\.json/],
  ['a module without its config.json', { '1_Pooling/config.json': null }, /1_Pooling\/config\.json is missing/],
  [
    'two poolings',
    { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
    /pooling "cls and mean"/,
  ],
  [
    'an unknown pooling',
    { '1_Pooling/config.json': { pooling_mode: 'weightedmean' } },
    /pooling "weightedmean"; supported is one of/,
  ],
  ['no config.json', { 'config.json': null }, /there is no config\.json/],
  ['an unknown architecture', { 'config.json': { model_type: 'xlnet' } }, /xlnet.*supported are bert/],
  ['a model without its sizes', { 'config.json': { model_type: 'bert' } }, /vocab_size is missing/],
  [
    'a reranker',
    {
      'modules.json': null,
      '1_Pooling/config.json': null,
      'config.json': { ...configOf('bert-xlmr-mean'), architectures: ['XLMRobertaForSequenceClassification'] },
    },
    /architectures.*Reranker loads its folder/,
  ],
  ['no vocabulary', { 'tokenizer.json': null }, /no vocab\.txt or tokenizer\.json/],
  ['a tokenizer that is no JSON', { 'tokenizer.json': new TextEncoder().encode('{') }, /tokenizer\.json|JSON/],
  [
    'no config.json of a Dense module',
    { ...withDense({}), '2_Dense/config.json': null },
    /2_Dense\/config\.json is missing/,
  ],
  [
    'no weights of a Dense module',
    { ...withDense({}), '2_Dense/model.safetensors': null },
    /2_Dense\/model\.safetensors is missing/,
  ],
  ['a Dense module for other vectors', withDense({ in_features: 32 }), /2_Dense\/config\.json: in_features is 32.*64/],
  ['a Dense module without sizes', withDense({ in_features: null }), /2_Dense\/config\.json: .*in_features/],
  [
    'an unknown activation of a Dense module',
    withDense({ activation_function: 'torch.nn.modules.activation.Mish' }),
    /Mish/,
  ],
  ['weights of a Dense module of the wrong shape', withDense({ out_features: 4 }), /linear\.weight.*3, 64.*4, 64/],
  ['a Dense module without its bias', withDense({ bias: true }), /linear\.bias/],
  [
    'a setting of config.json that is not known',
    { 'config.json': { ...configOf('bert-xlmr-mean'), use_bidirectional_attention: 'no' } },
    /use_bidirectional_attention is "no", which is not supported/,
  ],
  [
    'a length of queries',
    { 'sentence_bert_config.json': { query_length: 8 } },
    /sentence_bert_config\.json: query_length is 8, which is not supported/,
  ],
  ['an expansion of queries', { 'sentence_bert_config.json': { query_expansion: { length: 8 } } }, /query_expansion/],
  [
    'options of the tokenizer',
    { 'sentence_bert_config.json': { processing_kwargs: { text: { max_length: 6 } } } },
    /processing_kwargs/,
  ],
  [
    'another task',
    { 'sentence_bert_config.json': { transformer_task: 'fill-mask' } },
    /transformer_task.*"feature-extraction"/,
  ],
  [
    'an unknown option of pooling',
    { '1_Pooling/config.json': { pooling_mode: 'mean', skip: 1 } },
    /1_Pooling\/config\.json: skip is 1/,
  ],
  ['an unknown option of Dense', withDense({ residual: true }), /2_Dense\/config\.json: residual is true/],
  [
    'Dense of each token',
    withDense({ module_input_name: 'token_embeddings' }),
    /module_input_name is "token_embeddings"/,
  ],
  [
    'Normalize with options',
    { 'modules.json': modules('Normalize'), '2_Normalize/config.json': { p: 1 } },
    /2_Normalize\/config\.json: p is 1/,
  ],
  [
    'an unknown setting of the model',
    { 'config_sentence_transformers.json': { truncate_dim: 32 } },
    /truncate_dim is 32/,
  ],
  [
    'texts that lose their beginning',
    { 'tokenizer_config.json': { truncation_side: 'left' } },
    /truncation_side is "left", supported: "right"/,
  ],
  [
    'a default prompt that is not there',
    { 'config_sentence_transformers.json': { prompts: { query: 'q' }, default_prompt_name: 'document' } },
    /document/,
  ],
])('%s is one clear error before the weights are read', async (_what, changes, message) => {
  let read = 0;
  const weights = (async function* stream() {
    read += 1;
    yield new Uint8Array(1);
  })();
  const error = await failureOf(load({ ...filesOf('bert-xlmr-mean', xlmr, changes), 'model.safetensors': weights }));
  expect(error.message).toMatch(message);
  expect(['FORMAT', 'UNSUPPORTED', 'INPUT']).toContain(error.code);
  expect(read).toBe(0);
});

test('a tensor in two shards is rejected before its data is read again', async () => {
  const files = filesOf('bert-xlmr-mean', xlmr, { 'model.safetensors.index.json': { weight_map: {} } });
  const { 'model.safetensors': whole, ...described } = files;
  const twice = { ...described, 'model-00001-of-00002.safetensors': whole, 'model-00002-of-00002.safetensors': whole };
  expect(await failureOf(load(twice))).toMatchObject({
    code: 'INPUT',
    reason: 'duplicate',
    message: expect.stringContaining('is in two files'),
  });
});

test('quantize while loading gives the bits of a converted file', async () => {
  const folder = fixturePath('encoders/bert-cls-folder');
  const source = Object.fromEntries(
    ['config.json', 'vocab.txt', 'model.safetensors'].map((name) => [name, `${folder}/${name}`]),
  );
  const bytes = await new Response(convert(source, { to: 'weights', quantize: 'int8-row' })).arrayBuffer();
  const converted = await load(bytes);
  const streamed = await load(source, { quantize: 'int8' });
  expect(await streamed.embed('the cat')).toEqual(await converted.embed('the cat'));
});
