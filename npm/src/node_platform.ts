// Node, and what is compatible with it.

import type { Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';

import { chunkBytes, seekableSource, type ByteSource } from './byte_source.js';
import { inputError, ioError, messageOf } from './errors.js';
import type { Endpoint, Platform, WorkerEndpoint } from './platform.js';

export const platform: Platform = {
  worker: false,
  // Those of `openAsBlob` refuse.
  sendsBlobs: false,
  resolve(location) {
    // What has no scheme of these is a path: 'C:\model.weights' too.
    if (!/^(https?|data|blob|file):/i.test(location)) return pathToFileURL(location);
    try {
      return new URL(location);
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  openFile,
  startWorker,
  parent(): Endpoint {
    const port = parentPort!;
    return {
      post: (message, transfer = []) => port.postMessage(message, transfer as never),
      listen: (onMessage) => void port.on('message', onMessage),
    };
  },
};

async function openFile(location: URL): Promise<ByteSource> {
  const path = pathOf(location);
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'not_found' : 'read_failed';
    throw ioError(reason, `cannot open ${path}: ${error.message}`, error);
  });
  const stats = await handle.stat();
  if (!stats.isDirectory()) return fileSource(path, handle, stats);
  await handle.close();
  throw ioError('not_a_file', `${path} is a directory`);
}

function pathOf(location: URL): string {
  try {
    return fileURLToPath(location);
  } catch (error) {
    throw inputError('wrong_type', `${location}: ${messageOf(error)}`);
  }
}

function fileSource(path: string, handle: FileHandle, stats: Stats): ByteSource {
  // One buffer for all chunks: each is copied on before the next is read.
  const buffer = new Uint8Array(chunkBytes);
  const read = async (position: number | null, length: number) => {
    try {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(length, chunkBytes), position);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw ioError('read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
    }
  };
  const close = () => handle.close();
  // Pipes and devices have neither a length nor positions.
  if (!stats.isFile()) {
    return { read: async () => nonEmpty(await read(null, chunkBytes)), close };
  }
  return seekableSource(stats.size, async (position, length) => {
    const chunk = await read(position, length);
    if (chunk.length === 0) throw ioError('read_failed', `${path} became shorter while it was read`);
    return chunk;
  }, close);
}

const nonEmpty = (chunk: Uint8Array) => (chunk.length ? chunk : null);

function startWorker(): WorkerEndpoint {
  // Node options such as --input-type or --inspect concern the program, and some would keep the worker from starting.
  const worker = new Worker(new URL('./node_worker.js', import.meta.url), { name: 'quintet', execArgv: [] });
  worker.unref();
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer as never),
    listen: (onMessage) => void worker.on('message', onMessage),
    onFailure: (failed) => {
      worker.on('error', (error) => failed(messageOf(error)));
      worker.on('exit', (code) => failed(`it ended with code ${code}`));
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
