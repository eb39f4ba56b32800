// Starts compute threads. If the engine is in a worker, the page starts them, not the worker: in Firefox 153, a worker
// that starts workers may hang forever if something listens to its worker debuggers, as WebDriver BiDi does, since
// parent and child wait at the same condition variable and only one is notified
// (WorkerPrivate::SetIsDebuggerRegistered). Without listeners, the tab crashed after some thousand workers that were
// started and ended. Workers started by pages have neither problem.

import { threads } from '#platform/threads';

import type { WorkerEndpoint } from '../../platform/threads.js';
import type { ComputeReport, StartTeam } from './compute_task.js';

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
