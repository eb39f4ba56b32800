// Model files: inspected, read into memory, converted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { onFreshStage, outputOfNode, outputOfProgram } from '../harness/environments.mjs';
import {
  atLeast,
  atMost,
  bestAndMedian,
  faster,
  figure,
  KILOBYTE,
  MEGABYTE,
  number,
  verdict,
} from '../harness/lines.mjs';
import { NODE_24, REPOSITORY } from '../harness/paths.mjs';
import { alternate } from '../harness/rounds.mjs';
import { mapValues, summary } from '../harness/statistics.mjs';
import {
  CONVERTED,
  elementsOf,
  FOLDERS,
  INSPECTED,
  LAYERS,
  llamaTensors,
  prepareModels,
} from '../models/checkpoint.mjs';

export const peers = ['@huggingface/gguf'];
export const paces = {
  full: { rounds: 15, processes: 7, repetitions: 50, conversions: 3 },
  quick: { rounds: 5, processes: 3, repetitions: 20, conversions: 1 },
};

const TARGETS = {
  /** `inspect` of a file of 500 MB that was inspected before. */
  inspectMilliseconds: atMost(50),
  /** Reading a file's bytes from memory, in MB/s. */
  read: { kept: atLeast(1000), packed: atLeast(400), decoded: atLeast(400) },
  /** Memory of a conversion: three times the largest tensor, and 200 MB. */
  peakMegabytes: (largestTensorBytes) => atMost(Math.round((3 * largestTensorBytes) / MEGABYTE + 200)),
};

const MODULE = join(import.meta.dirname, '../contestants/formats.mjs');
const CLI = join(REPOSITORY, 'dist/cli.js');
const FILES = [
  { file: 'safetensors', name: 'safetensors', peer: 'JSON.parse' },
  { file: 'amb', name: 'AMB' },
  { file: 'gguf', name: 'GGUF', peer: '@huggingface/gguf' },
];
const READ = { kept: 'read and kept', packed: 'read and packed', decoded: 'read and decoded to float32' };
const CONVERSIONS = [
  { from: 'f32', quantize: 'int8', elementBytes: 4 },
  { from: 'f16', quantize: 'int4block', elementBytes: 2 },
];

export async function measure({ pace }) {
  await prepareModels();
  const inspection = [];
  for (const file of FILES) inspection.push(await measureInspection(file, pace));
  // A line for each file: { file, bytes, values, copied, kept, packed, decoded }, the last four lists of seconds.
  const lines = (await outputOfProgram('formats_bench', pace.rounds)).split('\n');
  const reading = lines.map((line) => JSON.parse(line));
  const conversions = [];
  for (const conversion of CONVERSIONS) conversions.push(await measureConversion(conversion, pace.conversions));
  return { inspection, reading, conversions };
}

/**
 * { name, peer, fileBytes, tensors, results: { reader: { cold, warm, bytes } } }, times as summaries in milliseconds.
 */
async function measureInspection({ file, name, peer }, { processes, repetitions }) {
  const tensors = llamaTensors(LAYERS.f16);
  const elements = tensors.reduce((sum, [, shape]) => sum + elementsOf(shape), 0);
  const path = INSPECTED[file];
  const inspect = (reader) => async () => {
    const sample = await onFreshStage('node', MODULE, async ({ call }) => {
      await call('open', reader);
      return call('inspect', path, repetitions);
    });
    if (sample.tensors !== tensors.length || sample.elements !== elements) {
      throw new Error(`${reader} finds ${sample.tensors} tensors of ${sample.elements} values in ${file}`);
    }
    return sample;
  };
  const readers = ['quintet', peer].filter(Boolean);
  const samples = await alternate(processes, Object.fromEntries(readers.map((reader) => [reader, inspect(reader)])));
  const results = mapValues(samples, (all) => ({
    cold: summary(all.map(({ cold }) => cold)),
    warm: summary(all.flatMap(({ warm }) => warm)),
    bytes: all[0].bytes,
  }));
  return { name, peer, fileBytes: (await stat(path)).size, tensors: tensors.length, results };
}

/** Uses the command line, each call in its own process; `validate` then reads the result. */
async function measureConversion({ from, quantize, elementBytes }, repetitions) {
  const folder = FOLDERS[from];
  const { samples } = await alternate(repetitions, { samples: () => convert(folder, quantize) });
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  return {
    what: `safetensors ${from} to AMB ${quantize}`,
    sourceBytes: sizes.reduce((sum, size) => sum + size, 0),
    largestTensorBytes: Math.max(...llamaTensors(1).map(([, shape]) => elementsOf(shape))) * elementBytes,
    seconds: summary(samples.map(({ seconds }) => seconds)),
    peakBytes: Math.max(...samples.map(({ peakBytes }) => peakBytes)),
  };
}

/** Imported ahead of a program: at its end, reports its peak resident memory on file descriptor 3. */
const REPORT_PEAK = `data:text/javascript,
  import { writeSync } from 'node:fs';
  process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS * 1024)));`;

async function convert(folder, quantize) {
  const args = ['convert', folder, '--to', 'amb', '--quantize', quantize, '--out', CONVERTED];
  const begin = performance.now();
  const child = spawn(NODE_24, ['--import', REPORT_PEAK, CLI, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [errors, peak, [status]] = await Promise.all([text(child.stderr), text(child.stdio[3]), once(child, 'exit')]);
  const seconds = (performance.now() - begin) / 1000;
  if (status !== 0) throw new Error(`the conversion of ${folder} failed: ${errors}`);
  await outputOfNode(CLI, 'validate', CONVERTED);
  await rm(CONVERTED);
  return { seconds, peakBytes: Number(peak) };
}

export function sections({ inspection, reading, conversions }) {
  const read = Object.entries(READ).map(([how, words]) => ({
    title: `WebAssembly in Node 24: ${words}, MB/s of the file, best / median, beside memcpy`,
    lines: reading.filter((file) => file[how].length > 0).map((file) => readingLine(file, how)),
  }));
  return [
    {
      title: `Node 24: inspect, ${inspection[0].tensors} tensors, milliseconds, best / median`,
      lines: inspection.flatMap(inspectionLines),
    },
    ...read,
    { title: 'Node 24: convert by the command line', lines: conversions.flatMap(conversionLines) },
  ];
}

function inspectionLines({ name, peer, fileBytes, results }) {
  const { quintet: ours, [peer]: theirs } = results;
  const file = `${name} of ${Math.round(fileBytes / MEGABYTE)} MB`;
  const beside = peer ? `, beside ${peer}` : '';
  const line = (what, key) => {
    const title = `${file}, ${what}${beside}`;
    return theirs ? faster(title, ours[key], theirs[key]) : { what: title, quintet: bestAndMedian(ours[key]) };
  };
  return [
    { ...line('warm', 'warm'), ...verdict(TARGETS.inspectMilliseconds, ours.warm.median) },
    line('import and first call', 'cold'),
    {
      what: `${name}: kB read`,
      quintet: number(ours.bytes / KILOBYTE),
      peer: theirs && number(theirs.bytes / KILOBYTE),
    },
  ];
}

function readingLine({ file, bytes, values, copied, ...seconds }, how) {
  const rates = (samples) => {
    const { best, median } = summary(samples);
    return { best: bytes / best / MEGABYTE, median: bytes / median / MEGABYTE };
  };
  const [ours, memcpy] = [rates(seconds[how]), rates(copied)];
  return {
    what: `${file}, ${number(bytes / MEGABYTE)} MB, ${number(values / 1e6)} million values`,
    quintet: bestAndMedian(ours),
    peer: bestAndMedian(memcpy),
    ratio: ours.median / memcpy.median,
    ...verdict(TARGETS.read[how], ours.median),
  };
}

function conversionLines({ what, sourceBytes, largestTensorBytes, seconds, peakBytes }) {
  const megabytes = sourceBytes / MEGABYTE;
  const largest = number(largestTensorBytes / MEGABYTE);
  return [
    { what: `${what}, ${number(megabytes)} MB: seconds, best / median`, quintet: bestAndMedian(seconds) },
    figure(`${what}: MB/s of the source`, megabytes / seconds.median),
    figure(
      `${what}: peak resident set, MB; the largest tensor has ${largest}`,
      peakBytes / MEGABYTE,
      TARGETS.peakMegabytes(largestTensorBytes),
    ),
  ];
}
