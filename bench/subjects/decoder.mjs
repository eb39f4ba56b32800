// Text generation compared with wllama and, as native code, llama.cpp: same weights, same token ids, one thread.
//   [--shape NAME | --cache | --grammar]
import { join } from 'node:path';

import { ENVIRONMENTS, nameOf, onFreshStage, outputOfNode, pathIn } from '../harness/environments.mjs';
import { atLeast, atMost, figure, MEGABYTE, more, number } from '../harness/lines.mjs';
import { takeTurns, withStages } from '../harness/rounds.mjs';
import { mapValues, median } from '../harness/statistics.mjs';
import { ANSWER_TOKENS, GRAMMAR, isOfGrammar, MAX_TOKENS, PROMPT_TOKENS, promptIds } from '../jobs/decoding.mjs';
import { ggufFile, matrixBytesPerToken, prepareModels, quintetFile } from '../models/decoder/prepare.mjs';
import { CACHE_MODEL, CONTEXT_LENGTH, headDimOf, layersWith, SHAPES } from '../models/decoder_shapes.mjs';
import { measureBandwidth } from '../native/kernel_bench.mjs';
import { cacheSections, measureCache } from '../parts/kv_cache.mjs';

export const peers = ['@wllama/wllama', 'wllama-3', 'node-llama-cpp'];
export const chromium = true;
export const options = {
  shape: { type: 'string', choices: Object.keys(SHAPES) },
  cache: { type: 'boolean' },
  grammar: { type: 'boolean' },
};
/**
 * The default number of rounds of a shape, that of KV caches, and that of the shapes with texts that follow a grammar.
 */
export const paces = {
  full: { rounds: 5, 'stories-15M': 15, cache: 15, grammar: { 'stories-15M': 6, 'qwen2.5-0.5b': 4 } },
  quick: { rounds: 1, 'stories-15M': 5, cache: 5, grammar: { 'stories-15M': 3, 'qwen2.5-0.5b': 1 } },
};

const MODULE = join(import.meta.dirname, '../contestants/decoder.mjs');
const VARIANTS = ['relaxed', 'baseline'];
const quintet = (variant, environment) => `quintet ${variant}, ${nameOf(environment)}`;
/** The reference for quintet's answers. */
const WLLAMA = 'wllama 2, Chromium';
const WLLAMA_3 = 'wllama 3, Chromium';
/** In each phase, quintet is compared with the faster one. */
const RIVALS = [WLLAMA, WLLAMA_3];
const NATIVE = 'node-llama-cpp, native';

const PHASES = { prefill: `prefill of ${PROMPT_TOKENS}`, decode: `decode of ${ANSWER_TOKENS}` };
/** Few: only the text after the prompt, which is constrained by a grammar, is timed. */
const GRAMMAR_PROMPT = 16;
const KV_CACHE = { type: 'f16', bytes: 2 };

/** In one thread. Speed relative to the faster rival, except for tokens per second. */
const TARGETS = {
  'TinyLlama-1.1B': {
    relaxed: {
      prefill: atLeast(4),
      decode: atLeast(4),
      tokensPerSecond: { prefill: atLeast(60), decode: atLeast(20) },
    },
    baseline: { decode: atLeast(1.5) },
  },
  'stories-15M': { relaxed: { prefill: atLeast(3), decode: atLeast(3) } },
  others: { relaxed: { prefill: atLeast(5), decode: atLeast(5) } },
  /** Generating a text that follows a grammar. */
  grammar: atLeast(5),
  /** Largest difference of logarithms of probabilities to llama.cpp's, which rounds activations as well. */
  likelihood: atMost(0.1),
  /** Allowance beyond 1.1 times the weights and the KV cache, in MB. */
  megabytesBeyond: atMost(32),
};

function contestantsOf(shape) {
  const ours = Object.keys(ENVIRONMENTS).flatMap((environment) =>
    VARIANTS.map((variant) => ({
      name: quintet(variant, environment),
      environment,
      library: 'quintet',
      options: { model: pathIn(environment, quintetFile(shape)), variant },
    })),
  );
  const inPage = { environment: 'chromium', options: { model: pathIn('chromium', ggufFile(shape)) } };
  return [
    ...ours,
    { name: WLLAMA, library: 'wllama', ...inPage },
    // One run takes minutes, so there are only a few.
    { name: WLLAMA_3, library: 'wllama-3', ...inPage, maxRounds: 2 },
    { name: NATIVE, library: 'node-llama-cpp', options: { model: ggufFile(shape) } },
  ].map((each) => ({ ...each, module: MODULE }));
}

export async function measure({ pace, options }) {
  const all = options.shape === undefined && !options.cache && !options.grammar;
  const shapes = all ? Object.keys(SHAPES) : [options.shape].filter(Boolean);
  const grammars = all || options.grammar ? Object.keys(pace.grammar) : [];
  const withCache = all || options.cache;
  await prepareModels([...new Set([...shapes, ...grammars, ...(withCache ? [CACHE_MODEL] : [])])]);

  const results = { shapes: {}, grammars: {} };
  if (shapes.length > 0) results.bandwidth = await measureBandwidth();
  for (const shape of shapes) results.shapes[shape] = await measureShape(shape, pace[shape] ?? pace.rounds);
  if (withCache) results.cache = await measureCache(pace.cache);
  for (const shape of grammars) results.grammars[shape] = await measureGrammar(shape, pace.grammar[shape]);
  for (const shape of shapes) results.shapes[shape].memory = await measureMemory(shape);
  return results;
}

function measureShape(shape, rounds) {
  const ids = promptIds(SHAPES[shape].vocabulary);
  return withStages(contestantsOf(shape), {}, async (stages) => {
    const differences = await compareAnswers(stages, ids);
    const samples = await takeTurns(stages, { rounds, title: shape }, ({ call }) =>
      call('generate', ids, ANSWER_TOKENS),
    );
    const rates = (samples) => ({ best: Math.max(...samples), median: median(samples) });
    return { differences, speeds: mapValues(samples, (phases) => mapValues(phases, rates)) };
  });
}

/** The largest differences in the logarithms of the tokens that wllama finds most probable after the prompt. */
async function compareAnswers(stages, ids) {
  const peer = stages.find(({ contestant }) => contestant.name === WLLAMA);
  const expected = await peer.call('likeliest', ids, 10);
  const differences = {};
  for (const { contestant, call } of stages.filter(({ contestant }) => contestant.library === 'quintet')) {
    // Enough that all tokens of the peer are among them.
    const answer = new Map(await call('likeliest', ids, 1000));
    const distances = expected.map(([id, logarithm]) => Math.abs(logarithm - (answer.get(id) ?? -Infinity)));
    differences[contestant.name] = Math.max(...distances);
  }
  return differences;
}

/** Tokens per second of the first text, which warms up, and of later ones. wllama 2 cannot follow a whole grammar. */
function measureGrammar(shape, rounds) {
  const names = [quintet('relaxed', 'node'), quintet('relaxed', 'chromium'), WLLAMA_3];
  const ids = promptIds(SHAPES[shape].vocabulary).slice(0, GRAMMAR_PROMPT);
  const contestants = contestantsOf(shape).filter(({ name }) => names.includes(name));
  return withStages(contestants, {}, async (stages) => {
    const first = {};
    const samples = await takeTurns(
      stages,
      { rounds, title: `${shape}, grammar` },
      async ({ contestant, call }, _, round) => {
        const { text, tokens, ms } = await call('generateByGrammar', ids, GRAMMAR, MAX_TOKENS);
        if (!isOfGrammar(text)) throw new Error(`${contestant.name} wrote what is not of the grammar: ${text}`);
        const rate = (1000 * tokens) / ms;
        if (round === 0) first[contestant.name] = rate;
        return { rate };
      },
    );
    return Object.fromEntries(names.map((name) => [name, { first: first[name], later: median(samples[name].rate) }]));
  });
}

/**
 * In a separate process, which loads a model and generates text: bytes. `idle`: a process of Node that does
 * nothing.
 */
async function measureMemory(shapeName) {
  const shape = SHAPES[shapeName];
  const options = {
    model: quintetFile(shapeName),
    contextLength: CONTEXT_LENGTH,
    kvCache: KV_CACHE.type,
    threads: 'auto',
  };
  const measured = await onFreshStage('node', MODULE, async ({ call }) => {
    await call('open', 'quintet', options);
    return call('memoryAfter', promptIds(shape.vocabulary), ANSWER_TOKENS);
  });
  const idle = await outputOfNode('--print', "/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status'))[1] * 1024");
  const attentions = layersWith(['attention'], shape).length;
  const kvCache = 2 * attentions * shape.kvHeads * headDimOf(shape) * CONTEXT_LENGTH * KV_CACHE.bytes;
  return { ...measured, kvCache, idle: Number(idle) };
}

export function sections({ shapes, bandwidth, cache, grammars }) {
  const titleOf = (shape) => `${shape}, ${SHAPES[shape].mixture}`;
  const perShape = Object.entries(shapes).flatMap(([shape, { speeds, differences, memory }]) => [
    { title: `${titleOf(shape)}: tokens per second, median`, lines: speedLines(shape, speeds) },
    {
      title: `${titleOf(shape)}: bytes of weights that decoding reads, GB/s`,
      lines: [bandwidthLine(shape, speeds, bandwidth)],
    },
    {
      title: `${shape}: logarithms of the ten highest probabilities, largest difference to wllama`,
      lines: Object.entries(differences).map(([name, value]) =>
        figure(name, value, TARGETS.likelihood, value.toFixed(4)),
      ),
    },
    { title: `${titleOf(shape)}, Node 24: memory, MB`, lines: memoryLines(memory) },
  ]);
  const perGrammar = Object.entries(grammars).map(([shape, rates]) => ({
    title: `${titleOf(shape)}: tokens per second of a text that is kept to a grammar`,
    lines: grammarLines(rates),
  }));
  return [...perShape, ...(cache ? cacheSections(cache) : []), ...perGrammar];
}

function speedLines(shape, speeds) {
  const targets = TARGETS[shape] ?? TARGETS.others;
  const rate = (name, phase) => speeds[name][phase].median;
  const beside = (environment, variant, phase) => {
    const rival = RIVALS.reduce((best, name) => (rate(name, phase) > rate(best, phase) ? name : best));
    const ours = rate(quintet(variant, environment), phase);
    const what = `${PHASES[phase]}, ${variant}, ${nameOf(environment)}, beside ${rival}`;
    const alone = targets[variant]?.tokensPerSecond?.[phase];
    return [
      more(what, ours, rate(rival, phase), targets[variant]?.[phase]),
      ...(alone ? [figure('the same, alone', ours, alone)] : []),
    ];
  };
  const native = (phase) => {
    const what = `${PHASES[phase]}, relaxed, Node 24, beside llama.cpp as native code`;
    return more(what, rate(quintet('relaxed', 'node'), phase), rate(NATIVE, phase));
  };
  const phases = Object.keys(PHASES);
  return [
    ...Object.keys(ENVIRONMENTS).flatMap((environment) =>
      VARIANTS.flatMap((variant) => phases.flatMap((phase) => beside(environment, variant, phase))),
    ),
    ...phases.map(native),
  ];
}

function bandwidthLine(shape, speeds, gigabytesPerSecond) {
  const rate = (speeds[quintet('relaxed', 'node')].decode.median * matrixBytesPerToken(SHAPES[shape])) / 1e9;
  const share = ((100 * rate) / gigabytesPerSecond).toFixed(0);
  return figure(`relaxed, Node 24: ${share} % of the ${number(gigabytesPerSecond)} that a plain loop reads`, rate);
}

function memoryLines({ weights, kvCache, wasm, resident, idle }) {
  const megabytes = (bytes) => bytes / MEGABYTE;
  const beyond = (bytes) => megabytes(bytes - 1.1 * weights - kvCache);
  const lessIdle = 'the same, less a process of Node that does nothing, beyond 1.1 x weights + KV cache';
  return [
    figure('weights', megabytes(weights)),
    figure('KV cache of the whole context, float16', megabytes(kvCache)),
    figure('peak of the wasm memory', megabytes(wasm)),
    figure('the same beyond 1.1 x weights + KV cache', beyond(wasm), TARGETS.megabytesBeyond),
    figure('peak resident set of the process', megabytes(resident)),
    figure(lessIdle, beyond(resident - idle)),
  ];
}

function grammarLines(rates) {
  const environments = Object.keys(ENVIRONMENTS);
  const line = (words, key, target) => (environment) => {
    const name = quintet('relaxed', environment);
    return more(`${words}, ${name}, beside ${WLLAMA_3}`, rates[name][key], rates[WLLAMA_3][key], target);
  };
  return [
    ...environments.map(line('the first text', 'first')),
    ...environments.map(line('later texts, median', 'later', TARGETS.grammar)),
  ];
}
