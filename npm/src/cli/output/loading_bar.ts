// The progress of a load on stderr. A download has its speed and the time left.
import type { LoadProgress } from '../../index.js';
import { readableBytes } from '../options/numbers.js';
import type { Output } from './output.js';
import { ProgressBar } from './progress_bar.js';

const LABELS: Record<LoadProgress['stage'], string> = {
  compile: 'starting',
  download: 'loading',
  prepare: 'preparing',
};
/** The speed before this means little. */
const MS_TO_MEASURE = 500;

export class LoadingBar {
  private readonly bar: ProgressBar;
  private started: number | undefined;

  constructor(stderr: Output) {
    this.bar = new ProgressBar(stderr, LABELS.download);
  }

  update({ stage, loaded, total }: LoadProgress): void {
    this.bar.label = LABELS[stage];
    if (stage !== 'download') return this.bar.update(loaded, total);
    this.started ??= performance.now();
    const seconds = (performance.now() - this.started) / 1000;
    this.bar.update(loaded, total, seconds * 1000 < MS_TO_MEASURE ? undefined : rateOf(loaded, total, seconds));
  }

  clear(): void {
    this.bar.clear();
  }
}

/** `12.3 MB of 27.0 MB, 5.1 MB/s, 3 s left` */
export function rateOf(loaded: number, total: number | undefined, seconds: number): string {
  const speed = loaded / seconds;
  const amount = total === undefined ? readableBytes(loaded) : `${readableBytes(loaded)} of ${readableBytes(total)}`;
  const left = total === undefined || speed === 0 ? '' : `, ${readableTime((total - loaded) / speed)} left`;
  return `${amount}, ${readableBytes(Math.round(speed))}/s${left}`;
}

function readableTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
