// From a model's name to the first vector: who follows the way reads no more files than these.
import { walkToFirstVector } from './walk.mjs';

const maxFiles = 45;

test(`loading and embedding pass at most ${maxFiles} source files`, async () => {
  const { files, runtime } = await walkToFirstVector();
  expect(runtime).toMatchObject({ worker: true, threads: expect.any(Number), fallbacks: [] });
  expect(files).toContain('embed/host.ts');
  // The list is the message.
  expect(files.length > maxFiles ? files : []).toEqual([]);
});
