// The figures of the documentation, from the runs in bench/results: an overview as a table and as a chart, and the
// speeds of small models.
import { matrixBytesPerToken } from '../models/decoder/prepare.mjs';
import { SHAPES } from '../models/decoder_shapes.mjs';
import { markdown, readRun } from './report.mjs';

const embedder = { run: 'embedder-amd-epyc', peer: 'onnxruntime-web' };
const chromium = { ...embedder, table: 'Chromium: milliseconds, best / median', unit: 'ms' };
const encoder = {
  run: 'encoder-amd-epyc',
  table: 'Encoders: milliseconds of processor time, median',
  ours: 'quintet, ms',
  theirs: 'peer, ms',
  unit: 'ms',
  peer: 'onnxruntime-web',
};
const small = {
  run: 'decoder-amd-epyc small-models',
  ours: 'quintet, Chromium',
  theirs: 'wllama',
  ratio: 'ratio, Chromium',
  unit: 'tokens/s',
  peer: 'wllama',
};
const prompt = { ...small, table: 'Prefill of 128, tokens per second' };
const answer = { ...small, table: 'Decode of 64, tokens per second' };
const resnet = { run: 'cnn-amd-epyc', table: 'ResNet-18, Chromium: milliseconds, best / median', unit: 'ms' };

/**
 * `run`, `table`: the source of the figures; `row`: the beginning of a row's cells; `ours`, `theirs`, `ratio`: its
 * columns. A row with `native` compares with machine code, which a page cannot run.
 */
const jobs = [
  { ...chromium, what: 'MiniLM, int8: a text of 128 tokens', row: ['int8 1x128 relaxed, beside onnxruntime-web'] },
  { ...chromium, what: 'MiniLM, float32: a text of 128 tokens', row: ['fp32 1x128 relaxed, beside onnxruntime-web'] },
  {
    ...embedder,
    what: 'MiniLM, int8: cold start to the first vector',
    table: 'Chromium: cold start to the first vector, int8, milliseconds, best / median',
    row: ['import, compile, load, embed'],
    unit: 'ms',
  },
  {
    ...embedder,
    what: 'MiniLM, int8: short sentences in batches of 32',
    table: 'Chromium: sentences per second',
    row: ['int8 relaxed, beside transformers.js in padded batches of 32'],
    unit: 'texts/s',
    peer: 'transformers.js',
  },
  {
    ...embedder,
    what: 'MiniLM, int8: peak memory of the process, Node 24',
    table: 'Node 24: memory with the int8 model, MB',
    row: ['peak resident set, after the first vector'],
    unit: 'MB',
  },
  { ...encoder, what: 'e5-small, int8: 64 texts of 8 to 256 tokens', row: ['multilingual-e5-small', 'int8', 'mixed'] },
  { ...encoder, what: 'MiniLM reranker, int8: 100 passages', row: ['ms-marco-MiniLM-L6', 'int8', 'pairs'] },
  { ...prompt, what: 'Qwen3 0.6B, Q4_K_M: prompt', row: ['qwen3-0.6b', 'Q4_K_M'] },
  { ...answer, what: 'Qwen3 0.6B, Q4_K_M: answer', row: ['qwen3-0.6b', 'Q4_K_M'] },
  { ...answer, what: 'Gemma 3 1B, Q4_K_M: answer', row: ['gemma-3-1b', 'Q4_K_M'] },
  { ...prompt, what: 'Llama 3.2 1B, Q4_K_M: prompt', row: ['llama-3.2-1b', 'Q4_K_M'] },
  { ...answer, what: 'Llama 3.2 1B, Q4_K_M: answer', row: ['llama-3.2-1b', 'Q4_K_M'] },
  {
    ...small,
    what: 'Qwen2.5 0.5B, Q4_K_M: JSON by a grammar',
    run: 'decoder-amd-epyc grammar',
    table: 'Tokens per second',
    row: ['qwen2.5-0.5b, Q4_K_M, later texts, median, relaxed, Chromium'],
    ours: 'quintet',
    theirs: 'wllama 3',
    ratio: 'ratio',
  },
  {
    ...resnet,
    what: 'ResNet-18, float32: a picture',
    row: ['fp32 relaxed, beside tfjs-backend-wasm fp32'],
    peer: 'TensorFlow.js',
  },
  {
    ...resnet,
    what: 'ResNet-18, int8: a picture',
    row: ['sq8 relaxed, beside onnxruntime-web int8'],
    peer: 'onnxruntime-web',
  },
  {
    ...embedder,
    what: 'MiniLM, int8: short sentences, Node 24',
    table: 'Node 24: sentences per second',
    row: ['int8 relaxed, beside transformers.js in padded batches of 32 (native code)'],
    unit: 'texts/s',
    peer: 'transformers.js',
    native: true,
  },
  {
    run: 'decoder-amd-epyc',
    what: 'TinyLlama 1.1B, Q4_0: answer, Node 24',
    table: 'TinyLlama-1.1B, Q4_0: tokens per second, median',
    row: ['decode of 64, relaxed, Node 24, beside llama.cpp as native code'],
    unit: 'tokens/s',
    peer: 'llama.cpp',
    native: true,
  },
];

/** Medians, and how many times as fast, or as small, quintet is. */
function figuresOf({ run, table, row, ours = 'quintet', theirs = 'peer', ratio = 'ratio' }) {
  const { columns, rows } = readRun(run).tables.find(({ title }) => title === table);
  const cells = rows.find((candidate) => row.every((cell, i) => candidate[i] === cell));
  const median = (column) => cells[columns.indexOf(column)].split(' / ').at(-1);
  return { ours: median(ours), theirs: median(theirs), ratio: Number.parseFloat(median(ratio)) };
}

const measured = () => jobs.map((job) => ({ ...job, ...figuresOf(job) }));
const peerOf = ({ peer, native }) => (native ? `${peer}, native code` : peer);

/** The table, in Markdown. */
export function overview() {
  const rows = measured().map(({ unit, ours, theirs, ratio, ...job }) => [
    job.what,
    `${ours} ${unit}`,
    `${theirs} ${unit}`,
    peerOf(job),
    `${ratio.toFixed(1)} x`,
  ]);
  return markdown({ columns: ['job', 'quintet', 'peer', 'which', 'ratio'], rows });
}

const titles = {
  'gemma-3-270m': 'Gemma 3 270M',
  'smollm2-360m': 'SmolLM2 360M',
  'qwen3-0.6b': 'Qwen3 0.6B',
  'gemma-3-1b': 'Gemma 3 1B',
  'llama-3.2-1b': 'Llama 3.2 1B',
};

/** Sizes of small models and their speeds in Chromium, smallest first. Their embeddings are tied: all weights count. */
export function speeds() {
  const [prompts, answers] = readRun(small.run).tables;
  const speedIn = ({ columns }, cells) => cells[columns.indexOf('quintet, Chromium')];
  const lines = prompts.rows.map((cells, i) => {
    const [name, types] = cells;
    const shape = SHAPES[types === 'Q8_0' ? `${name}-q8` : name];
    const bytes = matrixBytesPerToken(shape);
    return {
      bytes,
      cells: [
        titles[name],
        types,
        (bytes / 1e6).toFixed(0),
        speedIn(prompts, cells),
        speedIn(answers, answers.rows[i]),
      ],
    };
  });
  const rows = lines.sort((a, b) => a.bytes - b.bytes).map(({ cells }) => cells);
  return markdown({ columns: ['model', 'types', 'weights, MB', 'prompt, tokens/s', 'answer, tokens/s'], rows });
}

const rowHeight = 24;
const [left, right, top, width] = [330, 200, 34, 920];
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** The ratios as bars, in SVG. The line is at 1: as fast as the peer. */
export function chart() {
  const lines = measured();
  const longest = Math.max(...lines.map(({ ratio }) => ratio));
  const x = (ratio) => left + (ratio / longest) * (width - left - right);
  const bars = lines.map((job, i) => {
    const y = top + i * rowHeight;
    return [
      `  <text x="${left - 10}" y="${y + 14}" text-anchor="end">${escaped(job.what)}</text>`,
      `  <rect class="${job.ratio < 1 ? 'slower' : 'faster'}" x="${left}" y="${y + 2}" width="${(x(job.ratio) - left).toFixed(1)}" height="16" />`,
      `  <text x="${(Math.max(x(job.ratio), x(1)) + 8).toFixed(1)}" y="${y + 14}">${job.ratio.toFixed(1)} x ${escaped(peerOf(job))}</text>`,
    ].join('\n');
  });
  const height = top + lines.length * rowHeight + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12.5" role="img" aria-label="How many times as fast quintet is as other libraries">
  <style>
    .faster { fill: #5638c2; }
    .slower { fill: #b07a1e; }
    .one { stroke: #666; stroke-dasharray: 3 3; }
    .title { font-weight: 600; }
  </style>
  <rect width="${width}" height="${height}" fill="#fff" />
  <text class="title" x="${left}" y="20">Times as fast, or as small, as the peer</text>
${bars.join('\n')}
  <line class="one" x1="${x(1).toFixed(1)}" y1="${top - 6}" x2="${x(1).toFixed(1)}" y2="${height - 8}" />
</svg>
`;
}
