// One build at a time in a checkout: two that link into the same folder would mix their outputs.
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { buildFolder } from './paths.mjs';

const lockFile = `${buildFolder}lock`;

/** Runs `action` while no other process builds here. */
export async function exclusively(action) {
  await mkdir(buildFolder, { recursive: true });
  while (!(await acquire())) await delay(200);
  try {
    return await action();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function acquire() {
  try {
    const file = await open(lockFile, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!(await holderLives())) await rm(lockFile, { force: true });
  return false;
}

// A build that was killed leaves its file behind.
async function holderLives() {
  const pid = Number(await readFile(lockFile, 'utf8').catch(() => ''));
  if (!pid) return true; // just being written
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
