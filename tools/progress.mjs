// The display of a long job while it runs: its current step, its progress and its time. On a terminal a line replaces
// the one before it; elsewhere there is a line now and then.

const { stderr } = process;
const secondsBetweenLines = 20;
/** The share of a step after which the time that it will take can be estimated. */
const shareToEstimate = 0.05;

/**
 * Runs a step of a job, `run(update)`. Nothing is shown before the first `update()`, or `update(done, all)`: a step
 * that finds nothing to do stays silent.
 */
export async function step(title, run) {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let shownAt = -Infinity;
  const update = (done = 0, all = 0) => {
    if (!stderr.isTTY && elapsed() - shownAt < secondsBetweenLines) return;
    shownAt = elapsed();
    const left = done < all * shareToEstimate ? '' : `, about ${duration((elapsed() / done) * (all - done))} left`;
    show(all === 0 ? `${title} …` : `${title}: ${done} of ${all}${left}`);
  };
  const end = (how) => shownAt >= 0 && show(`${title}: ${how}`, '\n');
  try {
    const result = await run(update);
    end(duration(elapsed()));
    return result;
  } catch (error) {
    end('failed');
    throw error;
  }
}

/** A time for people. */
export const duration = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`);

/** Makes room for a line of other output; the next update shows the step again. */
export const clearDisplay = () => stderr.isTTY && stderr.write('\r\x1b[K');

function show(text, end = '') {
  clearDisplay();
  stderr.write(`${text}${stderr.isTTY ? end : '\n'}`);
}
