import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { buildPreset } from '../build/cmake.mjs';
import { root } from '../build/paths.mjs';
import { runProgram } from '../process.mjs';
import { step } from '../progress.mjs';

const secondsPerTarget = 7;
const kept = `${root}tests/fuzz/corpus/`;
const work = `${root}build/fuzz/`;

/**
 * Every fuzzer for a short while, starting from its kept corpus. New inputs stay in build/fuzz/corpus,
 * crashes in build/fuzz/crashes.
 */
export async function runFuzzers(tally) {
  const sources = await readdir(`${root}tests/fuzz`);
  const names = sources.filter((name) => name.endsWith('_fuzzer.cc')).map((name) => name.slice(0, -'.cc'.length));
  await buildPreset('fuzz', names);
  await mkdir(`${work}crashes`, { recursive: true });
  // Two at a time, for two processors.
  await step('fuzzing', (update) => {
    const all = names.length;
    const runNext = async () => {
      for (let name; (name = names.pop()) !== undefined; update(all - names.length, all)) await runFuzzer(tally, name);
    };
    return Promise.all([runNext(), runNext()]);
  });
}

async function runFuzzer(tally, name) {
  const topic = name.slice(0, -'_fuzzer'.length);
  const grown = `${work}corpus/${topic}`;
  await mkdir(grown, { recursive: true });
  const corpora = [grown, kept + topic].filter(existsSync);
  const { ok, output } = await runProgram(`${work}${name}`, [
    `-max_total_time=${secondsPerTarget}`,
    // Seconds for one input, on a busy machine: what takes longer hangs.
    '-timeout=60',
    '-rss_limit_mb=1024',
    `-artifact_prefix=${work}crashes/${topic}-`,
    ...corpora,
  ]);
  tally.add(`fuzz ${topic}`, { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }, output);
}
