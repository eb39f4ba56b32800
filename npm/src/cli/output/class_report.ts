// The output of `classify` for each image.
import { likeliest } from '../../classify/client.js';
import type { Classification } from '../../index.js';
import { float32Json } from '../options/numbers.js';
import { alignColumns, printable } from './columns.js';
import type { Output } from './output.js';

export interface ClassReportSettings {
  labels: readonly string[];
  /** Classes to show. */
  count: number;
  /** Print the raw output for all classes. */
  logits: boolean;
  json: boolean;
}

const BAR_WIDTH = 20;

export class ClassReport {
  private images = 0;

  constructor(
    private readonly settings: ClassReportSettings,
    private readonly stdout: Output,
  ) {}

  async add(kind: 'image' | 'tensor', path: string, logits: Float32Array): Promise<void> {
    if (this.settings.json) {
      await this.stdout.line(`{"${kind}":${JSON.stringify(path)},${this.json(logits)}}`);
      return;
    }
    const gap = this.images++ > 0 ? '\n' : '';
    await this.stdout.line(gap + printable(path));
    for (const line of alignColumns(this.rows(logits))) await this.stdout.line(`  ${line}`);
  }

  private json(logits: Float32Array): string {
    if (this.settings.logits) return `"logits":${float32Json(logits)}`;
    const results = this.results(logits).map(({ index, label, score }) => ({ index, label, score }));
    return `"results":${JSON.stringify(results)}`;
  }

  private rows(logits: Float32Array): string[][] {
    if (this.settings.logits) {
      return Array.from(logits, (logit, index) => [logit.toFixed(4).padStart(9), this.settings.labels[index]!]);
    }
    return this.results(logits).map(({ label, score }) => [
      `${(100 * score).toFixed(2)} %`.padStart(8),
      '#'.repeat(Math.round(BAR_WIDTH * score)).padEnd(BAR_WIDTH),
      label,
    ]);
  }

  private results(logits: Float32Array): Classification[] {
    return likeliest(logits, this.settings.labels, this.settings.count);
  }
}
