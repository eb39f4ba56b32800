// A WebKit window, with those methods of puppeteer's Page that the tests use.

// Milliseconds that one command waits for a job. Meanwhile no other window can be used.
const round = 50;

export class WebKitPage {
  #session;
  #handle;
  #jobs = 0;

  /** `workers` returns the workers of all windows. */
  constructor(session, handle, workers) {
    this.#session = session;
    this.#handle = handle;
    this.workers = workers;
  }

  goto(url) {
    return this.#command('/url', { url });
  }

  reload() {
    return this.#command('/refresh', {});
  }

  close() {
    return this.#session.commandIn(this.#handle, 'DELETE', '/window');
  }

  /** `job` is an expression, or a function with the parameters `args`. Its result is passed as JSON. */
  async evaluate(job, ...args) {
    const id = ++this.#jobs;
    await this.#execute(
      'sync',
      `(${start})(${id}, ${typeof job === 'function' ? job : `() => (${job})`}, arguments[0])`,
      [args],
    );
    for (;;) {
      const { left, error, value } = (await this.#execute('async', `(${wait})(${id}, ${round}, arguments[0])`)) ?? {};
      if (left) throw new Error('the page was left before its script finished');
      if (error !== undefined) throw new Error(error);
      if (value !== undefined) return JSON.parse(value);
    }
  }

  async waitForFunction(job) {
    while (!(await this.evaluate(job)));
  }

  #command(path, body) {
    return this.#session.commandIn(this.#handle, 'POST', path, body);
  }

  #execute(kind, script, args = []) {
    return this.#command(`/execute/${kind}`, { script, args });
  }
}

/** Starts a job. Runs on the page. */
function start(id, job, args) {
  const outcome = (async () => job(...args))().then(
    (value) => ({ value: JSON.stringify(value) ?? 'null' }),
    (error) => ({ error: String(error) }),
  );
  (globalThis.webKitJobs ??= new Map()).set(id, outcome);
}

/** Passes the outcome of a job to `tell`, or null if it is still running. Runs on the page. */
function wait(id, round, tell) {
  const jobs = globalThis.webKitJobs;
  if (!jobs?.has(id)) return tell({ left: true });
  const none = new Promise((resolve) => setTimeout(resolve, round));
  return void Promise.race([jobs.get(id), none]).then((outcome) => {
    if (outcome) jobs.delete(id);
    tell(outcome ?? null);
  });
}
