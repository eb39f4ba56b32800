// Part of the subject decoder: saving a KV cache and loading it into another session, in memory, and in Node through a
// file, where llama.cpp has its own format. A rival in pages can do neither.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nameOf, pathIn } from '../harness/environments.mjs';
import { atMost, faster, figure, MEGABYTE, number, verdict } from '../harness/lines.mjs';
import { takeTurns, withStages } from '../harness/rounds.mjs';
import { summaries } from '../harness/statistics.mjs';
import { promptIds } from '../jobs/decoding.mjs';
import { ggufFile, quintetFile } from '../models/decoder/prepare.mjs';
import { CACHE_MODEL, CACHE_TOKENS, MODELS } from '../models/decoder_shapes.mjs';

const MODULE = join(import.meta.dirname, '../contestants/decoder.mjs');
const NATIVE = 'node-llama-cpp, native';
const quintet = (kvCache, environment) => `quintet ${kvCache}, ${nameOf(environment)}`;
const THROUGH_FILE = [quintet('f16', 'node'), NATIVE];

/** In memory. */
const FORMS = { F32: { dtype: 'F32' }, F16: { dtype: 'F16' }, 'INT4 packed': { compression: 'INT4' } };
const WAYS = { save: 'saved', load: 'loaded' };

/** Saving a KV cache in float32, and loading it: milliseconds each. */
const MILLISECONDS = atMost(150);
/** Bytes that differ between a cache and what was restored from its file. */
const DIFFERENCES = atMost(0);

const contestants = [
  ...[
    ['node', 'f32'],
    ['chromium', 'f32'],
    ['node', 'f16'],
  ].map(([environment, kvCache]) => ({
    name: quintet(kvCache, environment),
    environment,
    library: 'quintet',
    options: { model: pathIn(environment, quintetFile(CACHE_MODEL)), kvCache },
  })),
  {
    name: NATIVE,
    library: 'node-llama-cpp',
    options: { model: ggufFile(CACHE_MODEL), contextSize: MODELS[CACHE_MODEL].contextLength },
  },
].map((each) => ({ ...each, module: MODULE }));

/**
 * { memory: { contestant: { form: { save, load, copy, bytes } } }, file: { contestant: { save, load } } } of
 * summaries in milliseconds, and { differences: { contestant: { logits, file } } } in bytes.
 */
export function measureCache(rounds) {
  const ids = promptIds(MODELS[CACHE_MODEL].vocabulary, CACHE_TOKENS);
  return withStages(contestants, {}, async (stages) => {
    for (const { call } of stages) await call('hold', ids);
    const folder = await mkdtemp(join(tmpdir(), 'quintet-bench-'));
    const throughFile = stages.filter(({ contestant }) => THROUGH_FILE.includes(contestant.name));
    const throughMemory = stages.filter((stage) => !throughFile.includes(stage));
    const title = 'KV cache';
    const memory = await takeTurns(
      throughMemory,
      { rounds, jobs: Object.keys(FORMS), title },
      async ({ call }, form) => ({
        [form]: await call('throughMemory', FORMS[form]),
      }),
    );
    const file = await takeTurns(throughFile, { rounds, title: `${title}, file` }, ({ call }) =>
      call('throughFile', join(folder, 'cache'), FORMS.F16),
    );
    await rm(folder, { recursive: true });
    const differences = {};
    for (const { contestant, call } of throughMemory) differences[contestant.name] = await call('differences');
    return { memory: summaries(memory), file: summaries(file), differences };
  });
}

export function cacheSections({ memory, file, differences }) {
  const title = `KV cache of ${CACHE_TOKENS} tokens, 22 layers, 4 heads of 64 values`;
  const ways = Object.entries(WAYS);
  const memoryLines = Object.entries(memory).flatMap(([name, forms]) =>
    Object.entries(forms).flatMap(([form, times]) =>
      ways.map(([way, word]) => ({
        ...faster(`${name}: ${form}, ${number(times.bytes.median / MEGABYTE)} MB, ${word}`, times[way], times.copy),
        ...(form === 'F32' ? verdict(MILLISECONDS, times[way].median) : {}),
      })),
    ),
  );
  const [ours, theirs] = THROUGH_FILE.map((name) => file[name]);
  const differenceLines = Object.entries(differences).flatMap(([name, { logits, file: bytes }]) => [
    figure(`${name}: logits after the restored cache`, logits, DIFFERENCES, String(logits)),
    figure(`${name}: the restored cache, saved again`, bytes, DIFFERENCES, String(bytes)),
  ]);
  return [
    { title: `${title}: milliseconds, best / median, beside a copy of the same bytes`, lines: memoryLines },
    {
      title: `${title}, float16: milliseconds to a file and back, beside llama.cpp as native code`,
      lines: ways.map(([way, word]) => faster(`Node 24, ${word}`, ours[way], theirs[way])),
    },
    { title: `${title}, F32: bytes that differ`, lines: differenceLines },
  ];
}
