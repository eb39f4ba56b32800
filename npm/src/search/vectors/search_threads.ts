// Several threads that score rows. The vectors move to memory that threads share, with kernels for it; compute threads
// take chunks of rows in turns with the index's own thread (bindings/search/threads.cc), which takes the scores in
// their order. So the results are those of one thread.

import bytes from 'quintet-search-threads';
import { countThreads, startComputeThreads } from '../../engine/threads/compute_threads.js';
import { computeTeam } from '../../worker/loading.js';
import { moduleBytes, type SearchKernels } from './kernels.js';
import type { RowScorer } from './row_scorer.js';
import type { Scanned } from './vector_storage.js';
import { type Arena, blockRows, padded, scannedRows } from './vector_table.js';

/** Exports of the module. */
interface ThreadedKernels extends Omit<SearchKernels, 'memory'> {
  /** Address of the fields of `Job` in bindings/search/threads.cc. */
  search_job(): number;
  start_search(): void;
  score_next_chunk(): number;
}

const stackBytes = 4096;

const abandoned = new FinalizationRegistry<() => void>((end) => end());

/** The threads of an index. */
export interface SearchTeam {
  threads: number;
  end(): void;
}

interface ThreadedIndex {
  readonly vectors: { readonly scanned: Scanned };
  readonly isOpen: boolean;
  team: SearchTeam | undefined;
}

/** Starts threads for the searches of an index. Rejects where there cannot be several. */
export async function startThreads(core: ThreadedIndex, threads: number | 'auto'): Promise<void> {
  const { vectors } = core;
  const team = await startSearchTeam(vectors.scanned, threads);
  if (core.isOpen) core.team = team;
  else team.end();
}

async function startSearchTeam(scanned: Scanned, wanted: number | 'auto'): Promise<SearchTeam> {
  const threads = countThreads(wanted, []);
  if (threads === 1) return { threads, end() {} };
  const module = await WebAssembly.compile(moduleBytes(bytes));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const kernels = { ...(instance.exports as unknown as ThreadedKernels), memory };
  const { arena } = scanned;
  arena.moveTo(kernels as unknown as SearchKernels);
  // `thread_memory` and `set_threads` of other modules.
  const exports = { thread_memory: () => arena.take(stackBytes + padded(1)) + stackBytes, set_threads() {} };
  const end = await startComputeThreads({ exports }, module, memory, threads, computeTeam());
  abandoned.register(scanned, end, scanned);
  scanned.scorer = teamScorer(arena, kernels);
  return {
    threads,
    end() {
      abandoned.unregister(scanned);
      scanned.scorer = undefined;
      end();
    },
  };
}

function teamScorer(arena: Arena, kernels: ThreadedKernels): RowScorer {
  let room = 0;
  let [blocks, scores, done] = [0, 0, 0];
  let searches = 0;
  /** Makes room for this many rows. Earlier contents are lost. */
  const reserve = (rows: number): void => {
    if (rows <= room) return;
    room = Math.max(rows, Math.ceil(1.5 * room));
    blocks = arena.take(4 * Math.ceil(room / blockRows));
    scores = arena.take(4 * room);
    done = arena.take(4 * Math.ceil(room / scannedRows));
  };
  return (kernel, query, table, count, take) => {
    reserve(count);
    const chunks = Math.ceil(count / scannedRows);
    const addresses = new Uint32Array(arena.bytes, blocks, Math.ceil(count / blockRows));
    for (let block = 0; block < addresses.length; ++block) addresses[block] = table.row(block * blockRows);
    searches += 1;
    const isBinary = kernel === 'score_rows_binary' ? 1 : 0;
    const job = [
      query,
      blocks,
      scores,
      done,
      count,
      table.rowBytes,
      isBinary,
      scannedRows / blockRows,
      chunks,
      searches,
    ];
    new Uint32Array(arena.bytes, kernels.search_job(), job.length).set(job);
    const isDone = new Int32Array(arena.bytes, done, chunks);
    const all = new Int32Array(arena.bytes, scores, count);
    let taken = 0;
    const takeDone = (): void => {
      for (; taken < chunks && Atomics.load(isDone, taken) === searches; ++taken) {
        take(taken * scannedRows, all.subarray(taken * scannedRows, Math.min(count, (taken + 1) * scannedRows)));
      }
    };
    kernels.start_search();
    try {
      while (kernels.score_next_chunk()) takeDone();
      // Others are at their last chunk: waiting takes microseconds, and pages may not block anyway.
      while (taken < chunks) takeDone();
    } finally {
      // If `take` throws: the next search must not begin before this one has ended.
      while (kernels.score_next_chunk());
      for (let chunk = taken; chunk < chunks; ) if (Atomics.load(isDone, chunk) === searches) ++chunk;
    }
  };
}
