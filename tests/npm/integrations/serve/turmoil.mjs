// Many clients of a server at once, which behave in every way: they ask, stream, read slowly, leave, cut their
// connection, send too much or what is malformed. Clients that wait for their answer get the same as alone.

import { deepStrictEqual } from 'node:assert';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

/** A client that has waited this long is stuck. */
const patienceMs = 120_000;

/**
 * Requests for a server with `--max-body 256KB`: a text whose tokens fill the buffers of a connection, and one that is
 * too large.
 */
const largeText = 'Lily and Tom went to the park. '.repeat(5000);
const tooLarge = 'a'.repeat(300_000);

const prompts = ['Once upon a time', 'The dog', 'Lily was', 'One day a cat'];
const asked = {
  texts: prompts.map((prompt, seed) => ['completions', { model: 'story', prompt, seed, max_tokens: 8 + 8 * seed }]),
  choices: prompts.map((prompt) => [
    'completions',
    { model: 'story', prompt, seed: 7, n: 3, max_tokens: 8, logprobs: 2 },
  ]),
  schemas: [1, 2].map((seed) => [
    'completions',
    { model: 'story', prompt: 'A', seed, max_tokens: 20, grammar: 'root ::= [a-c]*' },
  ]),
  vectors: prompts.map((input, i) => ['embeddings', { model: 'vectors', input: [...prompts.slice(i), input] }]),
  tokens: [['tokenize', { model: 'story', content: largeText }]],
};
const all = Object.values(asked).flat();

/** The members of an answer that are the same each time. */
const lasting = ({ choices, data, tokens }) => ({ choices, data, tokens });

export class Turmoil {
  counts = {};
  failures = [];
  slowestMs = 0;
  started = 0;
  #random;
  #agent = new Agent({ keepAlive: true });
  #alone = new Map();

  constructor({ url, key, seed = 1 }) {
    Object.assign(this, { url, port: Number(new URL(url).port), key });
    this.#random = randomNumbers(seed);
  }

  /** Asks for everything once, one after another. */
  async askAlone() {
    for (const each of all) this.#alone.set(each, lasting(JSON.parse((await this.#answerTo(...each)).body)));
  }

  /** `atOnce` clients, one after another in each place, as long as `goesOn()`. */
  async run(atOnce, goesOn) {
    const client = async () => {
      while (goesOn(this)) await this.#act();
    };
    await Promise.all(Array.from({ length: atOnce }, client));
  }

  closeConnections() {
    this.#agent.destroy();
  }

  async #act() {
    ++this.started;
    const [name, act] = this.#oneOf(Object.entries(this.#acts));
    const started = performance.now();
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer after ${patienceMs} ms`)), patienceMs);
    });
    try {
      await Promise.race([act(), late]);
    } catch (error) {
      this.failures.push(`${name}: ${error.message}`);
    } finally {
      clearTimeout(timer);
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  #acts = {
    waits: async () => {
      const each = this.#oneOf(all);
      this.#expectAlone(each, await this.#answerTo(...each));
    },
    streams: async () => {
      const each = this.#oneOf(asked.texts);
      const { body } = await this.#answerTo(each[0], { ...each[1], stream: true });
      deepStrictEqual(textOfEvents(body), this.#alone.get(each).choices[0].text);
    },
    readsSlowly: async () => {
      const each = this.#oneOf([...asked.tokens, ...asked.choices]);
      this.#expectAlone(each, await this.#answerTo(...each, { slowly: true }));
    },
    leaves: async () => {
      const [path, body] = this.#oneOf(all);
      const asking = this.#request(path, { agent: this.#oneOf([this.#agent, false]) });
      const gone = new Promise((resolve) => asking.on('close', resolve));
      asking.on('response', (response) => {
        response.on('error', () => {});
        response.once('data', () => asking.destroy());
      });
      asking.end(JSON.stringify(this.#oneOf([body, { ...body, stream: true, max_tokens: 200 }])));
      if (this.#random() < 0.5) setTimeout(() => asking.destroy(), 30 * this.#random());
      await gone;
    },
    cutsItsRequest: async () => {
      const text = this.#written(JSON.stringify(asked.texts[0][1]));
      const socket = connect(this.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(text.slice(0, Math.floor(text.length * this.#random())), () => socket.destroy());
      await once(socket, 'close');
    },
    stopsReading: async () => {
      const socket = connect(this.port, '127.0.0.1').on('error', () => {});
      socket.write(
        this.#written(JSON.stringify({ ...asked.texts[0][1], max_tokens: 200, stream: true, logprobs: 20 })),
      );
      await once(socket, 'readable');
      await new Promise((resolve) => setTimeout(resolve, 100 * this.#random()));
      this.#oneOf([() => socket.destroy(), () => socket.resetAndDestroy()])();
    },
    sendsTooMuch: async () => {
      const framing = this.#oneOf([{ 'content-length': tooLarge.length }, { 'transfer-encoding': 'chunked' }]);
      const { status } = await this.#answerTo('completions', tooLarge, { headers: framing });
      deepStrictEqual(status, 413);
    },
    sendsNonsense: async () => {
      const [path, body, status] = this.#oneOf([
        ['completions', '{', 400],
        ['completions', '[[[[', 400],
        ['completions', '\u0000\uffff', 400],
        ['completions', { model: 'story', prompt: 'A', nonsense: 1 }, 400],
        ['completions', { model: 'story', prompt: [1e9] }, 400],
        ['completions', { model: 'story', prompt: 'A', grammar: 'root ::= (' }, 400],
        ['embeddings', { model: 'story', input: 'a' }, 400],
        ['completions', { model: 'nobody', prompt: 'A' }, 404],
        ['nowhere', {}, 404],
      ]);
      deepStrictEqual((await this.#answerTo(path, body)).status, status);
    },
    isNotKnown: async () => {
      const headers = { authorization: `Bearer ${this.key}x` };
      deepStrictEqual((await this.#answerTo('completions', asked.texts[0][1], { headers })).status, 401);
    },
    speaksAnotherLanguage: async () => {
      const socket = connect(this.port, '127.0.0.1').on('error', () => {});
      socket.end('\u0016\u0003\u0001\r\n\r\n').resume();
      await once(socket, 'close');
    },
  };

  #expectAlone(each, { status, body }) {
    deepStrictEqual(status, 200, body);
    deepStrictEqual(lasting(JSON.parse(body)), this.#alone.get(each));
  }

  #request(path, { headers, ...options } = {}) {
    const prefix = path === 'tokenize' ? '' : '/v1';
    return request(`${this.url}${prefix}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...options,
    }).on('error', () => {});
  }

  async #answerTo(path, body, { headers, slowly = false } = {}) {
    const asking = this.#request(path, { headers, agent: slowly ? false : this.#agent });
    asking.end(typeof body === 'string' ? body : JSON.stringify(body));
    const [response] = await once(asking, 'response');
    const chunks = [];
    for await (const chunk of response) {
      chunks.push(chunk);
      if (slowly) await new Promise((resolve) => setTimeout(resolve, 5 * this.#random()));
    }
    return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
  }

  #written(body) {
    const head = `POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${this.key}`;
    return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }

  #oneOf(list) {
    return list[Math.floor(this.#random() * list.length)];
  }
}

const textOfEvents = (body) =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)).choices[0]?.text ?? '')
    .join('');

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
