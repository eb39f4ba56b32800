import type { LoadProgress } from 'quintet';

import { element } from './dom.js';
import { bytes } from './numbers.js';

const stages = { download: 'Downloading', compile: 'Compiling', prepare: 'Preparing' };

/**
 * A bar with words. It takes its place in `host` at once and keeps it while it shows something; `hide` empties it.
 * Screen readers meet it as a progressbar.
 */
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

  constructor(private readonly host: HTMLElement) {
    this.track.role = 'progressbar';
  }

  /** `done` out of `total`, said as `amount`; without a total the bar only shows that something goes on. */
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

  /** For `onProgress` of a load; `what` is what is loaded: 'the model'. */
  load(what: string, { stage, loaded, total }: LoadProgress): void {
    const amount =
      stage !== 'download' ? '' : total === undefined ? bytes(loaded) : `${bytes(loaded)} of ${bytes(total)}`;
    this.show(`${stages[stage]} ${what}`, loaded, total, amount);
  }

  hide(): void {
    this.box.remove();
  }
}
