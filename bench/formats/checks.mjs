// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }. Lines without a
// target only inform.
import { summary } from '../shared/statistics.mjs';
import { TARGETS } from './targets.mjs';

const MEGABYTE = 1e6;
const KILOBYTE = 1e3;
const FILE_NAMES = { safetensors: 'safetensors', amb: 'AMB', gguf: 'GGUF' };

export function checksOf({ reading, inspection, conversions }) {
  return [
    ...inspection.filter(({ reader }) => reader === 'quintet').flatMap((ours) =>
      inspectionChecks(
        ours,
        inspection.find(({ file, reader }) => file === ours.file && reader !== 'quintet'),
      ),
    ),
    ...reading.flatMap(readingChecks),
    ...conversions.flatMap(conversionChecks),
  ];
}

function inspectionChecks(ours, peer) {
  const section = `Node 24: inspect, ${ours.tensors} tensors, milliseconds, best / median`;
  const megabytes = Math.round(ours.fileBytes / MEGABYTE);
  const beside = peer === undefined ? '' : `, beside ${peer.reader}`;
  const line = (what, key, target) => ({
    section,
    what: `${FILE_NAMES[ours.file]} of ${megabytes} MB, ${what}${beside}`,
    quintet: times(ours[key]),
    peer: peer && times(peer[key]),
    ratio: peer && peer[key].median / ours[key].median,
    ...verdict(target, ours[key].median),
  });
  return [
    line('warm', 'warm', TARGETS.inspectMilliseconds),
    line('import and first call', 'cold'),
    {
      section,
      what: `${FILE_NAMES[ours.file]}: kB read`,
      quintet: number(ours.bytes / KILOBYTE),
      peer: peer && number(peer.bytes / KILOBYTE),
    },
  ];
}

function readingChecks({ file, bytes, values, copied, kept, packed, decoded }) {
  const line = (how, samples, target) => {
    const section = `WebAssembly in Node 24: ${how}, MB/s of the file, best / median, beside memcpy`;
    const ours = rates(samples, bytes);
    const memcpy = rates(copied, bytes);
    return {
      section,
      what: `${file}, ${number(bytes / MEGABYTE)} MB, ${number(values / 1e6)} million values`,
      quintet: `${number(ours.best)} / ${number(ours.median)}`,
      peer: `${number(memcpy.best)} / ${number(memcpy.median)}`,
      ratio: ours.median / memcpy.median,
      ...verdict(target, ours.median),
    };
  };
  return [
    line('read and kept', kept, TARGETS.keptMegabytesPerSecond),
    ...(packed.length ? [line('read and packed', packed, TARGETS.repackedMegabytesPerSecond)] : []),
    ...(decoded.length
      ? [line('read and decoded to float32', decoded, TARGETS.repackedMegabytesPerSecond)]
      : []),
  ];
}

function conversionChecks({ what, sourceBytes, largestTensorBytes, seconds, peakBytes }) {
  const section = 'Node 24: convert by the command line';
  const megabytes = sourceBytes / MEGABYTE;
  const peak = peakBytes / MEGABYTE;
  return [
    { section, what: `${what}, ${number(megabytes)} MB: seconds, best / median`, quintet: times(seconds) },
    { section, what: `${what}: MB/s of the source`, quintet: number(megabytes / seconds.median) },
    {
      section,
      what: `${what}: peak resident set, MB; the largest tensor has ${number(largestTensorBytes / MEGABYTE)}`,
      quintet: number(peak),
      ...verdict(TARGETS.peakMegabytes(largestTensorBytes), peak),
    },
  ];
}

/** MB/s. */
function rates(seconds, bytes) {
  const { best, median } = summary(seconds);
  return { best: bytes / best / MEGABYTE, median: bytes / median / MEGABYTE };
}

function verdict(target, measured) {
  return target === undefined ? {} : { target: target.text, met: target.isMet(measured) };
}

const times = ({ best, median }) => `${number(best)} / ${number(median)}`;

function number(value) {
  if (value >= 100) return value.toFixed(0);
  return value.toPrecision(3);
}
