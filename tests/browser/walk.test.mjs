// The way from a model's name to the first vector: a reader who follows it needs no more files than these.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const maxFiles = 45;
const tool = fileURLToPath(new URL('../../tools/walk.mjs', import.meta.url));

test(`loading and embedding pass at most ${maxFiles} source files`, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [tool]);
  const files = stdout.trim().split('\n').slice(0, -1);
  expect(files).toEqual(expect.arrayContaining(['embed/embedder.ts', 'sources/locate.ts', 'embed/host.ts']));
  // The list is the message.
  expect(files.length > maxFiles ? files : []).toEqual([]);
});
