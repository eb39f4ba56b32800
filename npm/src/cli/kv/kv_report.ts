// What is left of a KV cache after compression, for people and for programs.
import { alignColumns } from '../output/columns.js';
import type { KvCacheFile, KvQuality } from './kv_file.js';
import { readableBytes } from '../options/numbers.js';

/** The limits of a report, for the help of the commands that print one. */
export const LIMITS_HELP = `The report: averages over the tensors of RMSE, SNR (power about the mean over that of the error)
and cosine similarity, and the largest error of all. The limits: RMSE below 0.10, SNR above 18 dB,
cosine similarity above 0.99, largest error below 0.50.`;

export const REPORT_HELP = `  --json                  the report as one JSON object: {"compression_ratio", "stored_ratio",
                          "ratio_to_f16", "original_size_bytes", "compressed_size_bytes", "rmse",
                          "snr_db" (null: some tensor has no error at all), "cosine_similarity",
                          "max_error", "quality_level", "quality_passed", "violations",
                          "group_size", "layout", "tensors"}; sizes are those of keys and values,
                          scales included`;

export interface KvReport extends KvQuality {
  /** By the reference's formula, which holds for F16 and one group size; without groups as `stored_ratio`. */
  compression_ratio: number;
  /** Of the bytes that keys and values take, scales included. */
  stored_ratio: number;
  ratio_to_f16: number;
  original_size_bytes: number;
  compressed_size_bytes: number;
  quality_passed: boolean;
  /** Null without groups. */
  group_size: number | null;
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
    compression_ratio: group === 0 ? storedRatio : (4 * group) / (group + 2),
    stored_ratio: storedRatio,
    ratio_to_f16: (2 * layers * kvHeads * positions * headDim * 2) / dataBytes,
    original_size_bytes: original.facts.dataBytes,
    compressed_size_bytes: dataBytes,
    ...quality,
    quality_passed: violations.length === 0,
    violations,
    group_size: group === 0 ? null : group,
    layout,
    tensors: 2 * layers,
  };
}

export function describeReport(report: KvReport): string {
  const { group_size: group } = report;
  const groups = group === null ? '' : `, groups of ${group}`;
  const sizes = `${readableBytes(report.original_size_bytes)} -> ${readableBytes(report.compressed_size_bytes)}`;
  const rows = [
    ['tensors', `${report.tensors}, layout ${report.layout}${groups}`],
    ['keys and values', sizes],
    ['stored ratio', `${report.stored_ratio.toFixed(3)}, to F16 ${report.ratio_to_f16.toFixed(3)}`],
    ['compression ratio', report.compression_ratio.toFixed(3)],
    ['RMSE', report.rmse.toFixed(6)],
    ['SNR', describeSnr(report)],
    ['cosine similarity', report.cosine_similarity.toFixed(6)],
    ['largest error', report.max_error.toFixed(6)],
    ['quality', `${report.quality_level}, ${report.quality_passed ? 'passed' : 'not passed'}`],
    ...report.violations.map((violation) => ['', violation]),
  ];
  return alignColumns(rows).join('\n');
}

function describeSnr({ snr_db: snr, max_error: maxError }: KvReport): string {
  if (snr !== null) return `${snr.toFixed(2)} dB`;
  return maxError === 0 ? 'no error at all' : 'infinite, for a tensor without an error';
}

/** In words, for stderr; nothing where all limits are kept. */
export function missedLimits({ violations }: KvReport): string | undefined {
  return violations.length === 0 ? undefined : `quintet: safetensors: too much is lost: ${violations.join(', ')}`;
}
