// Shows the progress of a run on stderr: one line that updates on a terminal, else a line now and then.
const linesApartMs = 10_000;

export class Progress {
  #stream;
  #total;
  #started = performance.now();
  #before;
  #lastLine = -Infinity;

  /** @param {number} total lines of the run */
  constructor(total, stream = process.stderr) {
    this.#stream = stream;
    this.#total = total;
  }

  /**
   * @param {{ done: number, running: number, retried: number, setAside: number }} state `done` in the unit of the total
   */
  update({ done, running, retried, setAside }) {
    // Lines done before this program started do not count for the speed.
    this.#before ??= done;
    const seconds = (performance.now() - this.#started) / 1000;
    const rate = (done - this.#before) / seconds;
    const parts = [`${done} of ${this.#total} lines`, `${running} jobs running`];
    if (rate > 0) parts.push(`${rate.toFixed(0)} lines/s`, `${duration((this.#total - done) / rate)} left`);
    if (retried > 0) parts.push(`${retried} waiting for a retry`);
    if (setAside > 0) parts.push(`${setAside} set aside`);
    this.#write(parts.join(', '));
  }

  /** Leaves the last line on the terminal. */
  end() {
    if (this.#stream.isTTY) this.#stream.write('\n');
  }

  #write(text) {
    if (this.#stream.isTTY) {
      this.#stream.write(`\r\u001b[K${text}`);
    } else if (performance.now() - this.#lastLine >= linesApartMs) {
      this.#lastLine = performance.now();
      this.#stream.write(`${text}\n`);
    }
  }
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const clock = `${minutes % 60}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  return minutes < 60 ? clock : `${Math.floor(minutes / 60)} h ${clock}`;
}
