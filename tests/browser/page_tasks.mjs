// How long the main threads of pages were busy, from a trace of Chromium.

/** Processor time of each task: on a busy machine a task may take long only because it has to wait. */
export function millisecondsOfTasks(events) {
  const isPage = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
  const pages = new Set(events.filter(isPage).map(({ pid, tid }) => `${pid} ${tid}`));
  const isTask = ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pages.has(`${pid} ${tid}`);
  const measured = events.filter(isTask).filter(({ tdur }) => tdur !== undefined);
  return measured.map(({ tdur }) => tdur / 1000);
}
