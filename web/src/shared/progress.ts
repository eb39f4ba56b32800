import type { LoadProgress } from 'quintet';

import { element } from './dom.js';
import { bytes, milliseconds } from './numbers.js';

/** Milliseconds after which the speed of a download is shown: before that it means little. */
const settling = 1000;

const stages = { compile: 'Compiling', prepare: 'Preparing' };

/** A progress bar with a label. It is in `host` while it shows something; `hide` removes it. */
export class ProgressBar {
  private readonly label = element('span', {});
  private readonly amount = element('span', {});
  private readonly track = element('div', { className: 'track' }, element('div', { className: 'fill' }));
  private readonly box = element(
    'div',
    { className: 'progress' },
    element('div', { className: 'words' }, this.label, this.amount),
    this.track,
  );

  /** The time of the first bytes, and the number of bytes then: a resumed download begins with some. */
  private began: { at: number; loaded: number } | undefined;

  constructor(private readonly host: HTMLElement) {
    this.track.role = 'progressbar';
  }

  /** `done` out of `total`, with `amount` as text; without a total the bar only shows that something is going on. */
  show(label: string, done: number, total: number | undefined, amount: string): void {
    this.label.textContent = label;
    this.amount.textContent = amount;
    this.track.ariaLabel = label;
    this.track.ariaValueText = amount;
    this.track.ariaValueMin = '0';
    this.box.classList.toggle('unknown', total === undefined);
    const share = total === undefined ? undefined : total === 0 ? 1 : done / total;
    this.track.ariaValueMax = share === undefined ? null : '100';
    this.track.ariaValueNow = share === undefined ? null : String(Math.round(100 * share));
    this.box.style.setProperty('--done', String(share ?? 0));
    if (!this.box.isConnected) this.host.replaceChildren(this.box);
  }

  /**
   * For `onProgress` of a load. `what` is loaded: 'the model'. `download` is the verb for that stage; local files are
   * read.
   */
  load(what: string, { stage, loaded, total }: LoadProgress, download = 'Downloading'): void {
    if (stage !== 'download') return this.show(`${stages[stage]} ${what}`, loaded, total, '');
    const amount = total === undefined ? bytes(loaded) : `${bytes(loaded)} of ${bytes(total)}`;
    this.show(`${download} ${what}`, loaded, total, amount + this.pace(loaded, total));
  }

  /** The speed, and the time left if it is known. */
  private pace(loaded: number, total: number | undefined): string {
    const now = performance.now();
    this.began ??= { at: now, loaded };
    const took = now - this.began.at;
    const arrived = loaded - this.began.loaded;
    if (took < settling || arrived === 0) return '';
    const speed = `, ${bytes(Math.round((1000 * arrived) / took))} per second`;
    if (total === undefined || loaded >= total) return speed;
    return `${speed}, ${milliseconds(1000 * Math.ceil(((total - loaded) * took) / arrived / 1000))} left`;
  }

  hide(): void {
    this.box.remove();
  }
}
