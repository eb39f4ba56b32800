// Files and folders to remove when a run is interrupted.
import { rmSync } from 'node:fs';

const pending = new Set<string>();

export function trackTemporary(path: string): void {
  pending.add(path);
}

export function releaseTemporary(path: string): void {
  pending.delete(path);
}

/** Synchronous, for signal handlers, after which the process ends. */
export function removeTemporaries(): void {
  for (const path of pending) rmSync(path, { force: true, recursive: true });
  pending.clear();
}
