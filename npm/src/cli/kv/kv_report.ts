// The report on a compressed KV cache: as text and as JSON.
import type { Option } from '../command.js';
import { readableBytes } from '../options/numbers.js';
import { alignColumns } from '../output/columns.js';
import type { KvCacheFile, KvQuality } from './kv_file.js';

/** For the help of the commands that print a report. */
export const LIMITS_HELP = `Limits: RMSE below 0.10, SNR above 18 dB, cosine similarity above 0.99 (each the average over the
tensors), and no single error of 0.50 or more. SNR is the variance divided by the power of the
error.`;

export const REPORT_JSON = {
  type: 'boolean',
  help:
    'print the report as one JSON object: {"compressionRatio", "storedRatio", "ratioToF16", "originalSizeBytes", ' +
    '"compressedSizeBytes", "rmse", "snrDb" (null if a tensor has no error), "cosineSimilarity", "maxError", ' +
    '"qualityLevel", "qualityPassed", "violations", "groupSize", "layout", "tensors"}; sizes are those of keys and ' +
    'values, scales included',
} as const satisfies Option;

export interface KvReport extends KvQuality {
  /**
   * Bytes in F16 to those in packed INT4 with this group size, scales included. Without groups it is the same as
   * `storedRatio`.
   */
  compressionRatio: number;
  /** Original bytes of keys and values to those of the other file, scales included. */
  storedRatio: number;
  ratioToF16: number;
  originalSizeBytes: number;
  compressedSizeBytes: number;
  qualityPassed: boolean;
  /** Null without groups. */
  groupSize: number | null;
  layout: string;
  /** Keys and values of the layers. */
  tensors: number;
}

export function reportOf(original: KvCacheFile, compressed: KvCacheFile): KvReport {
  const { violations, ...quality } = original.compare(compressed);
  const { layers, kvHeads, positions, headDim, layout, group, dataBytes } = compressed.facts;
  const storedRatio = original.facts.dataBytes / dataBytes;
  return {
    // Four bits of sixteen, and a scale of two bytes for each group.
    compressionRatio: group === 0 ? storedRatio : (4 * group) / (group + 2),
    storedRatio,
    ratioToF16: (2 * layers * kvHeads * positions * headDim * 2) / dataBytes,
    originalSizeBytes: original.facts.dataBytes,
    compressedSizeBytes: dataBytes,
    ...quality,
    qualityPassed: violations.length === 0,
    violations,
    groupSize: group === 0 ? null : group,
    layout,
    tensors: 2 * layers,
  };
}

export function describeReport(report: KvReport): string {
  const { groupSize: group } = report;
  const groups = group === null ? '' : `, groups of ${group}`;
  const sizes = `${readableBytes(report.originalSizeBytes)} -> ${readableBytes(report.compressedSizeBytes)}`;
  const rows = [
    ['tensors', `${report.tensors}, layout ${report.layout}${groups}`],
    ['keys and values', sizes],
    ['stored ratio', `${report.storedRatio.toFixed(3)}, to F16 ${report.ratioToF16.toFixed(3)}`],
    ['compression ratio', report.compressionRatio.toFixed(3)],
    ['RMSE', report.rmse.toFixed(6)],
    ['SNR', describeSnr(report)],
    ['cosine similarity', report.cosineSimilarity.toFixed(6)],
    ['largest error', report.maxError.toFixed(6)],
    ['quality', `${report.qualityLevel}, ${report.qualityPassed ? 'passed' : 'not passed'}`],
    ...report.violations.map((violation) => ['', violation]),
  ];
  return alignColumns(rows).join('\n');
}

function describeSnr({ snrDb: snr, maxError }: KvReport): string {
  if (snr !== null) return `${snr.toFixed(2)} dB`;
  return maxError === 0 ? 'no error at all' : 'infinite: a tensor has no error';
}

/** For stderr; undefined if all limits are kept. */
export function missedLimits({ violations }: KvReport): string | undefined {
  return violations.length === 0
    ? undefined
    : `quintet: safetensors: the loss exceeds the limits: ${violations.join(', ')}`;
}
