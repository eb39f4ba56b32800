// A progress bar on stderr, drawn only on a terminal and without --quiet.
import type { Output } from './output.js';

const WIDTH = 30;
const MS_BETWEEN_DRAWINGS = 80;

export class ProgressBar {
  private lastDrawn = 0;
  private drawn = false;

  constructor(
    private readonly stderr: Output,
    public label: string,
  ) {}

  /** Without a known total only the count is shown, or `detail` instead of it. */
  update(done: number, total?: number, detail?: string): void {
    const now = performance.now();
    if (!this.stderr.showsProgress || now - this.lastDrawn < MS_BETWEEN_DRAWINGS) return;
    this.lastDrawn = now;
    this.drawn = true;
    void this.stderr.write(`\r\x1b[K${this.label} ${bar(done, total, detail)}`);
  }

  clear(): void {
    if (this.drawn) void this.stderr.write('\r\x1b[K');
    this.drawn = false;
  }
}

function bar(done: number, total: number | undefined, detail: string | undefined): string {
  if (total === undefined || total === 0) return detail ?? String(done);
  const filled = Math.round(WIDTH * Math.min(1, done / total));
  const percent = Math.floor((100 * Math.min(done, total)) / total);
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${percent} %${detail === undefined ? '' : `  ${detail}`}`;
}
