// Saving a KV cache and loading it into another session: in memory, and in Node through a file, where llama.cpp has a file of
// its own kind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { summaries } from '../../shared/statistics.mjs';
import { cacheContestants, NATIVE, quintetName } from '../contestants.mjs';
import { rotated, withStages } from '../rounds.mjs';
import { CACHE_MODEL, CACHE_TOKENS, MODELS } from '../shapes.mjs';
import { promptIds } from '../workload.mjs';

const CACHE_FORMS = {
  F32: { dtype: 'F32' },
  F16: { dtype: 'F16' },
  'INT4 packed': { compression: 'INT4' },
};
const FILE_CONTESTANTS = [quintetName('f16', 'node'), NATIVE];

/**
 * { memory: { contestant: { form: { save, load, copy, bytes } } }, file: { contestant: { save, load } } } of summaries in
 * milliseconds, and { differences: { contestant: { logits, file } } } in bytes. The first round is not counted.
 */
export function measureCache(server, { rounds, log }) {
  const ids = promptIds(MODELS[CACHE_MODEL].vocabulary, CACHE_TOKENS);
  return withStages(cacheContestants(), server, async (stages) => {
    for (const { call } of stages) await call('hold', ids);
    const usesFile = ({ contestant }) => FILE_CONTESTANTS.includes(contestant.name);
    const throughFile = stages.filter(usesFile);
    const throughMemory = stages.filter((stage) => !usesFile(stage));
    const samples = { memory: {}, file: {} };
    const folder = await mkdtemp(join(tmpdir(), 'quintet-bench-'));
    for (let round = 0; round <= rounds; round++) {
      const kept = round === 0 ? { memory: {}, file: {} } : samples;
      await runThroughMemory(rotated(throughMemory, round), kept.memory);
      await runThroughFile(rotated(throughFile, round), kept.file, join(folder, 'cache'));
      log(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`);
    }
    await rm(folder, { recursive: true });
    return { ...summaries(samples), differences: await differences(throughMemory) };
  });
}

async function runThroughMemory(stages, samples) {
  for (const { contestant, call } of stages) {
    const forms = (samples[contestant.name] ??= {});
    for (const [form, options] of Object.entries(CACHE_FORMS)) {
      keep((forms[form] ??= {}), await call('throughMemory', options));
    }
  }
}

async function runThroughFile(stages, samples, path) {
  for (const { contestant, call } of stages) {
    keep((samples[contestant.name] ??= {}), await call('throughFile', path, { dtype: 'F16' }));
  }
}

function keep(samples, sample) {
  for (const [name, value] of Object.entries(sample)) (samples[name] ??= []).push(value);
}

async function differences(stages) {
  const found = {};
  for (const { contestant, call } of stages) found[contestant.name] = await call('differences');
  return found;
}
