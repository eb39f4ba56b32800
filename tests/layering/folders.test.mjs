// Rooms of tests are small enough to find one's way.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { maxFilesInFolder } from './import_graph.mjs';

const tests = fileURLToPath(new URL('../', import.meta.url));

test.each(['npm', 'unit'])('no folder of tests/%s is crowded', (group) => {
  const files = readdirSync(tests + group, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const counts = new Map();
  for (const { parentPath, path = parentPath } of files) counts.set(path, (counts.get(path) ?? 0) + 1);
  expect(files.length).toBeGreaterThan(40);
  expect([...counts].filter(([, count]) => count > maxFilesInFolder)).toEqual([]);
  // Every test is in a room.
  expect(counts.get(tests + group)).toBeUndefined();
});
