// A client for the W3C WebDriver protocol: https://www.w3.org/TR/webdriver2/

// No command takes this long: page.mjs waits for scripts in short rounds.
const timeout = 240_000;

/** One session of a driver that listens at `address`. */
export class WebDriverSession {
  /** Commands run one at a time, because the current window is part of the session's state. */
  #last = Promise.resolve();

  constructor(address, { sessionId, capabilities }) {
    this.address = `${address}session/${sessionId}`;
    this.capabilities = capabilities;
  }

  static async start(address, capabilities = {}) {
    return new WebDriverSession(
      address,
      await send('POST', `${address}session`, { capabilities: { alwaysMatch: capabilities } }),
    );
  }

  command(method, path, body) {
    return this.#exclusively(() => send(method, this.address + path, body));
  }

  /** A command for one window. */
  commandIn(handle, method, path, body) {
    return this.#exclusively(async () => {
      await send('POST', `${this.address}/window`, { handle });
      return send(method, this.address + path, body);
    });
  }

  #exclusively(job) {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Whether a driver at this address accepts sessions yet. */
export const isReady = (address) =>
  send('GET', `${address}status`).then(
    ({ ready }) => ready,
    () => false,
  );

async function send(method, url, body) {
  const response = await fetch(url, {
    method,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeout),
  });
  const { value } = await response.json();
  if (response.ok) return value;
  throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
}
