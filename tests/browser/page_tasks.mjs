// The time for which pages' main threads were busy, from a trace of Chromium.

/** The time of the tasks on a page's main thread while a job runs. */
export async function tasksDuring(page, job) {
  await page.tracing.start({ categories: ['toplevel'] });
  await job();
  // A task is recorded when it ends, and the job's last may have answered before that.
  await page.evaluate(() => {});
  const { traceEvents } = JSON.parse(new TextDecoder().decode(await page.tracing.stop()));
  return millisecondsOfTasks(traceEvents);
}

/** Processor time of each task: on a busy machine a task may take long only because it has to wait. */
function millisecondsOfTasks(events) {
  const isPage = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
  const pages = new Set(events.filter(isPage).map(({ pid, tid }) => `${pid} ${tid}`));
  const isTask = ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pages.has(`${pid} ${tid}`);
  const measured = events.filter(isTask).filter(({ tdur }) => tdur !== undefined);
  return measured.map(({ tdur }) => tdur / 1000);
}
