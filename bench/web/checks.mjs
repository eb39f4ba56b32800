// Turns what was measured into lines of a table, as bench/formats/checks.mjs does.
import { summary } from '../shared/statistics.mjs';

const TARGETS = { coldMilliseconds: 3000, warmMilliseconds: 1000, pageKilobytes: 300, longTasks: 0 };

export function checksOf({ visits: { cold, warm, bytes }, indexing: { passages, seconds, longTasks } }) {
  const section = 'Chromium: the search page';
  const line = (what, quintet, value, target) => ({
    section,
    what,
    quintet,
    ...(target === undefined ? {} : { target: `<= ${target}`, met: value <= target }),
  });
  const times = (samples) => {
    const { best, median } = summary(samples);
    return `${best.toFixed(0)} / ${median.toFixed(0)}`;
  };
  const kilobytes = (value) => (value / 1000).toFixed(0);
  const longest = Math.max(0, ...longTasks);
  return [
    line('first result, first visit, ms, best / median', times(cold), summary(cold).median, TARGETS.coldMilliseconds),
    line('first result, second visit, ms, best / median', times(warm), summary(warm).median, TARGETS.warmMilliseconds),
    line('page until then, kB transferred', kilobytes(bytes.page), bytes.page / 1000, TARGETS.pageKilobytes),
    line('passages with their vectors, kB transferred', kilobytes(bytes.corpus)),
    line('model, kB transferred', kilobytes(bytes.model)),
    line(`${passages} passages indexed, a second`, (passages / seconds).toFixed(0)),
    line('tasks of more than 50 ms meanwhile (the longest, ms)', `${longTasks.length} (${longest.toFixed(0)})`, longTasks.length, TARGETS.longTasks),
  ];
}
