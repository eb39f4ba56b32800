// Starting compute threads: by the page where the engine is in a worker. Of Firefox 153 a worker that starts workers may hang for
// ever where something listens to its worker debuggers, as WebDriver BiDi does: parent and child wait at one condition
// variable, of which one is notified (WorkerPrivate::SetIsDebuggerRegistered). Without listeners its tab crashed after some
// thousands that were ended again. Workers that pages start have neither.

import { threads } from '#platform/threads';

import type { ComputeReport, StartTeam } from './compute_task.js';
import type { WorkerEndpoint } from '../platform/threads.js';

/** The compute threads of one engine. */
export function computeTeam(): StartTeam {
  const workers: WorkerEndpoint[] = [];
  return (tasks) =>
    new Promise((resolve) => {
      for (const worker of workers.splice(0)) worker.terminate();
      let waiting = tasks.length;
      for (const task of tasks) {
        const worker = threads.startWorker('compute_thread');
        workers.push(worker);
        worker.onFailure(resolve);
        worker.listen((report) => {
          if (report !== undefined || --waiting === 0) resolve(report as ComputeReport);
        });
        worker.post(task);
        worker.hold(false);
      }
    });
}
