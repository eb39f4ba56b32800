// The entry for Node: the same API over node_platform.ts, and the command line's way to it.

export * from './index.js';
