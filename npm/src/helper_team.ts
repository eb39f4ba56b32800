// Starting helper threads: by the page where the engine is in a worker. Of Firefox 153 a worker that starts workers may hang for
// ever where something listens to its worker debuggers, as WebDriver BiDi does: parent and child wait at one condition
// variable, of which one is notified (WorkerPrivate::SetIsDebuggerRegistered). Without listeners its tab crashed after some
// thousands that were ended again. Workers that pages start have neither.

import { threads } from 'quintet-threads';

import type { HelperReport, StartTeam } from './helpers.js';
import type { WorkerEndpoint } from './threads.js';

/** The helpers of one engine. */
export function helperTeam(): StartTeam {
  const workers: WorkerEndpoint[] = [];
  return (tasks) =>
    new Promise((resolve) => {
      for (const worker of workers.splice(0)) worker.terminate();
      let waiting = tasks.length;
      for (const task of tasks) {
        const worker = threads.startWorker('helper');
        workers.push(worker);
        worker.onFailure(resolve);
        worker.listen((report) => {
          if (report !== undefined || --waiting === 0) resolve(report as HelperReport);
        });
        worker.post(task);
        worker.hold(false);
      }
    });
}
