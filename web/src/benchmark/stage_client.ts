import type { Library } from './contestant.js';
import type { Calls, Method, Reply, Request } from './stage.js';

// Bundlers recognize exactly this form.
const workers: Record<Library, () => Worker> = {
  quintet: () => new Worker(new URL('./quintet_worker.ts', import.meta.url), { type: 'module', name: 'quintet-side' }),
  'onnxruntime-web': () =>
    new Worker(new URL('./onnx_worker.ts', import.meta.url), { type: 'module', name: 'onnxruntime-side' }),
};

/** A library in its worker. One call at a time; `signal` terminates the worker and its work. */
export class Stage {
  readonly #worker: Worker;

  constructor(
    private readonly library: Library,
    private readonly signal: AbortSignal,
  ) {
    signal.throwIfAborted();
    this.#worker = workers[library]();
    signal.addEventListener('abort', this.close);
  }

  call<Name extends Method>(method: Name, ...args: Parameters<Calls[Name]>): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const request: Request = { method, args };
    return new Promise((resolve, reject) => {
      const refuse = (reason: string) => reject(new Error(`${this.library}: ${reason}`));
      if (this.signal.aborted) return refuse('stopped');
      this.signal.addEventListener('abort', () => refuse('stopped'), { once: true });
      this.#worker.onerror = ({ message }) => refuse(message || 'its worker could not be started');
      this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if ('error' in data) refuse(data.error);
        else resolve(data.result as Awaited<ReturnType<Calls[Name]>>);
      };
      this.#worker.postMessage(request);
    });
  }

  readonly close = (): void => {
    this.signal.removeEventListener('abort', this.close);
    this.#worker.terminate();
  };
}
