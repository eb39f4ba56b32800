// The pace of work, and the time that is left.

import { count } from '../shared/numbers.js';

const rates = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** '12 of 100 pictures, 3.4 per second, 26 s left'. `begun`: how many were done when the time began. */
export function paceWords(done: number, total: number, milliseconds: number, begun = 0): string {
  const share = `${count(done)} of ${count(total)}`;
  const made = done - begun;
  if (made === 0 || milliseconds === 0) return share;
  const rate = (1000 * made) / milliseconds;
  return `${share}, ${rates.format(rate)} per second, ${timeWords((total - done) / rate)} left`;
}

/** '26 s', '4 min', '1 h 20 min'. */
export function timeWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
