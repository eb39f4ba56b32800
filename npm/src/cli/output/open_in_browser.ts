// Opens a file in the system's program for such files.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { inputError, messageOf } from '../../base/errors.js';

const openers: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // The first argument of `start` is the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Resolves when the program has started; it outlives this one. */
export async function openInBrowser(path: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, pathToFileURL(path).href], { detached: true, stdio: 'ignore' });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(inputError('missing', `${path} cannot be shown: ${program} did not start: ${messageOf(error)}`)),
    );
  });
  child.unref();
}
