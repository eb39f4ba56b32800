import '../shared/shell.js';

import { byId } from '../shared/dom.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import type { Effort } from './comparison.js';
import { runComparison, threadWords } from './comparison.js';
import type { Library } from './contestant.js';
import { readDownloads } from './downloads.js';
import { Report } from './report.js';
import { hashOf, resultIn } from './result_link.js';

/** More threads hardly ever help with models of this size. */
const MAX_THREADS = 16;
const efforts: Record<string, Effort> = {
  short: { starts: 1, rounds: 2, turn: 40 },
  usual: { starts: 3, rounds: 7, turn: 120 },
  thorough: { starts: 5, rounds: 25, turn: 250 },
};

const start = byId('start', HTMLButtonElement);
const cancel = byId('cancel', HTMLButtonElement);
const copy = byId('copy', HTMLButtonElement);
const link = byId('link', HTMLButtonElement);
const effort = byId('effort', HTMLSelectElement);
const problem = byId('problem', HTMLElement);
const done = byId('done', HTMLElement);
const report = new Report();
let controller: AbortController | undefined;
let runtime: Record<Library, string> | undefined;

const processors = Math.min(navigator.hardwareConcurrency, MAX_THREADS);
/** Threads need shared memory, which only cross-origin isolated pages have. */
const threadCounts = crossOriginIsolated && processors > 1 ? [1, processors] : [1];

async function run(): Promise<void> {
  controller = new AbortController();
  const { signal } = controller;
  const progress = new ProgressBar(byId('progress', HTMLElement));
  problem.replaceChildren();
  done.textContent = '';
  byId('whose', HTMLElement).textContent = 'Measured on this device.';
  [start.disabled, effort.disabled, cancel.disabled, copy.disabled, link.disabled] = [true, true, false, true, true];
  try {
    report.begin(await readDownloads());
    byId('results', HTMLElement).hidden = false;
    runtime = await runComparison({
      effort: efforts[effort.value]!,
      threadCounts,
      signal,
      onStep: (words, step, total) => progress.show(words, step, total, `${step + 1} of ${total}`),
      onResult: (result) => report.add(result),
    });
    done.textContent = 'Done.';
    history.replaceState(null, '', linkHash());
  } catch (error) {
    if (signal.aborted) done.textContent = 'Stopped.';
    else showProblem(problem, 'The comparison failed', error, { again: () => void run() });
  } finally {
    progress.hide();
    [start.disabled, effort.disabled, cancel.disabled] = [false, false, true];
    copy.disabled = link.disabled = report.isEmpty;
  }
}

function linkHash(): string {
  const { userAgent: browser, hardwareConcurrency } = navigator;
  return hashOf({
    date: new Date().toISOString(),
    browser,
    processors: hardwareConcurrency,
    results: [...report.results],
  });
}

async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    done.textContent = `${what} copied.`;
  } catch (error) {
    showProblem(problem, 'The browser did not let this page write to the clipboard', error);
  }
}

/** A result that a link has brought. */
async function showShared(): Promise<void> {
  // Disabled while this device is measured.
  if (!cancel.disabled) return;
  const shared = resultIn(location.hash);
  if (!shared) {
    if (location.hash.startsWith('#result=')) done.textContent = 'The result in this link cannot be read.';
    return;
  }
  report.begin(await readDownloads());
  for (const result of shared.results) report.add(result);
  byId('results', HTMLElement).hidden = false;
  const where = `${shared.browser}, ${threadWords(shared.processors)}`;
  byId('whose', HTMLElement).textContent = `From a link, measured on ${shared.date.slice(0, 10)}: ${where}`;
}

byId('machine', HTMLElement).textContent = crossOriginIsolated
  ? `This device has ${threadWords(processors)}.`
  : 'This page is not cross-origin isolated, so both libraries run on one thread.';
start.onclick = () => void run();
cancel.onclick = () => controller?.abort();
copy.onclick = () => void copyText(report.json(runtime), 'Results');
link.onclick = () => void copyText(new URL(linkHash(), location.href).href, 'Link');
addEventListener('hashchange', () => void showShared());
void showShared();
start.disabled = false;
