// How browsers and Node differ in the processors of the machine: `#platform/processors`.

export interface Processors {
  /** Threads that the machine runs at once. */
  count(): number;
  /** Why this thread may not wait for others, though memory can be shared. */
  refusal(): string | undefined;
}
