// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }. Lines without a target
// only inform.
import { ENVIRONMENTS, NATIVE, quintetName, RIVALS, VARIANTS, WLLAMA } from './contestants.mjs';
import { matrixBytesPerToken } from './model/tensors.mjs';
import { CACHE_TOKENS, SHAPES } from './shapes.mjs';
import { TARGETS } from './targets.mjs';
import { ANSWER_TOKENS, PROMPT_TOKENS } from './workload.mjs';

const MEGABYTE = 1e6;
const PHASES = { prefill: `prefill of ${PROMPT_TOKENS}`, decode: `decode of ${ANSWER_TOKENS}` };

export function checksOf({ shapes, memory, bandwidth, cache }) {
  return [
    ...Object.entries(shapes).flatMap(([shape, { speeds, differences }]) => [
      ...speedChecks(shape, speeds),
      ...bandwidthChecks(shape, speeds, bandwidth),
      ...answerChecks(shape, differences),
    ]),
    ...Object.entries(memory).flatMap(([shape, bytes]) => memoryChecks(shape, bytes)),
    ...(cache ? cacheChecks(cache) : []),
  ];
}

const titleOf = (shape) => `${shape}, ${SHAPES[shape].mixture}`;

function speedChecks(shape, speeds) {
  const section = `${titleOf(shape)}: tokens per second, median`;
  const lines = Object.keys(ENVIRONMENTS).flatMap((environment) =>
    VARIANTS.flatMap((variant) =>
      Object.entries(PHASES).flatMap(([phase, words]) => {
        const ours = speeds[quintetName(variant, environment)][phase].median;
        const rival = fasterRival(speeds, phase);
        const ratio = ours / rival.rate;
        const what = `${words}, ${variant}, ${ENVIRONMENTS[environment].name}, beside ${rival.name}`;
        const { tokensPerSecond, speedup } = (TARGETS[shape] ?? TARGETS.others)[variant];
        const absolute = tokensPerSecond?.[phase];
        return [
          { section, what, quintet: number(ours), peer: number(rival.rate), ratio, ...verdict(speedup?.[phase], ratio) },
          ...(absolute ? [{ section, what: `the same, alone`, quintet: number(ours), ...verdict(absolute, ours) }] : []),
        ];
      }),
    ),
  );
  const native = Object.entries(PHASES).map(([phase, words]) => {
    const ours = speeds[quintetName('relaxed', 'node')][phase].median;
    const theirs = speeds[NATIVE][phase].median;
    return {
      section,
      what: `${words}, relaxed, Node 24, beside llama.cpp as native code`,
      quintet: number(ours),
      peer: number(theirs),
      ratio: ours / theirs,
    };
  });
  return [...lines, ...native];
}

function fasterRival(speeds, phase) {
  const rates = RIVALS.map((name) => ({ name, rate: speeds[name][phase].median }));
  return rates.reduce((best, each) => (each.rate > best.rate ? each : best));
}

function bandwidthChecks(shape, speeds, gigabytesPerSecond) {
  const tokens = speeds[quintetName('relaxed', 'node')].decode.median;
  const rate = (tokens * matrixBytesPerToken(SHAPES[shape])) / 1e9;
  const share = (100 * rate) / gigabytesPerSecond;
  return [
    {
      section: `${titleOf(shape)}: bytes of weights that decoding reads, GB/s`,
      what: `relaxed, Node 24: ${share.toFixed(0)} % of the ${number(gigabytesPerSecond)} that a plain loop reads`,
      quintet: number(rate),
    },
  ];
}

function answerChecks(shape, differences) {
  return Object.entries(differences).map(([what, difference]) => ({
    section: `${shape}: logarithms of the ten highest probabilities, largest difference to wllama`,
    what,
    quintet: difference.toFixed(4),
    ...verdict(TARGETS.likelihood, difference),
  }));
}

function memoryChecks(shape, { weights, kvCache, wasm, resident, idle }) {
  const section = `${titleOf(shape)}, Node 24: memory, MB`;
  const beyond = (bytes) => (bytes - 1.1 * weights - kvCache) / MEGABYTE;
  const line = (what, megabytes, target) => ({ section, what, quintet: number(megabytes), ...verdict(target, megabytes) });
  return [
    line('weights', weights / MEGABYTE),
    line('KV cache of the whole context, float16', kvCache / MEGABYTE),
    line('peak of the wasm memory', wasm / MEGABYTE),
    line('the same beyond 1.1 x weights + KV cache', beyond(wasm), TARGETS.megabytesBeyond),
    line('peak resident set of the process', resident / MEGABYTE),
    line('the same, less a process of Node that does nothing, beyond 1.1 x weights + KV cache', beyond(resident - idle)),
  ];
}

function cacheChecks({ memory, file, differences }) {
  const title = `KV cache of ${CACHE_TOKENS} tokens, 22 layers, 4 heads of 64 values`;
  const words = { save: 'saved', load: 'loaded' };
  const throughMemory = Object.entries(memory).flatMap(([name, forms]) =>
    Object.entries(forms).flatMap(([form, times]) =>
      Object.keys(words).map((way) => ({
        section: `${title}: milliseconds, best / median, beside a copy of the same bytes`,
        what: `${name}: ${form}, ${number(times.bytes.median / MEGABYTE)} MB, ${words[way]}`,
        ...beside(times[way], times.copy),
        ...(form === 'F32' ? verdict(TARGETS.cacheMilliseconds, times[way].median) : {}),
      })),
    ),
  );
  const throughFile = Object.keys(words).map((way) => ({
    section: `${title}, float16: milliseconds to a file and back, beside llama.cpp as native code`,
    what: `Node 24, ${words[way]}`,
    ...beside(file[quintetName('f16', 'node')][way], file[NATIVE][way]),
  }));
  const answers = Object.entries(differences).flatMap(([name, bytes]) =>
    Object.entries({ logits: 'logits after the restored cache', file: 'the restored cache, saved again' }).map(([key, what]) => ({
      section: `${title}, F32: bytes that differ`,
      what: `${name}: ${what}`,
      quintet: String(bytes[key]),
      ...verdict(TARGETS.cacheDifference, bytes[key]),
    })),
  );
  return [...throughMemory, ...throughFile, ...answers];
}

function beside(ours, peer) {
  const text = ({ best, median }) => `${number(best)} / ${number(median)}`;
  return { quintet: text(ours), peer: text(peer), ratio: peer.median / ours.median };
}

function verdict(target, measured) {
  return target ? { target: target.text, met: target.isMet(measured) } : {};
}

function number(value) {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}
