// The memory that `inspect` tells, compared with what loading and a first use take, each in its own process: the input
// is that of docs/sizes.md, "Memory".
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'quintet';
import { run } from '../helpers/program.mjs';
import { memoryModels } from './memory_models.mjs';

const bundled = new URL('../../../models/', import.meta.url).pathname;

const firstUses = {
  Embedder: 'await model.embedIds(Array(256).fill(7));',
  TextGenerator: 'await model.generate(Array(model.contextLength - 1).fill(7), { maxTokens: 1 }).text();',
  ImageClassifier: `await model.classify({
    data: new Uint8Array(3 * 224 * 224).fill(99), width: 224, height: 224, channels: 3 });`,
};

/** Bytes of the engine after the load and the use. */
const takenBy = (type, source, options) =>
  run(`import { capabilities, ${type} } from 'quintet';
       const options = { ...${JSON.stringify(options)}, threads: 1 };
       const model = await ${type}.load(${JSON.stringify(source)}, options);
       ${firstUses[type]}
       console.log(capabilities().memory.heapBytes);`);

let root;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'quintet-memory-'));
});
afterAll(() => rm(root, { recursive: true }));

/** { source, inspected }: the paths to load, and of the file that `inspect` reads. */
async function written(title, { make, inspected = 'model.bin' }) {
  if (!make) return { source: bundled + inspected, inspected: bundled + inspected };
  const folder = join(root, title.replaceAll(/\W+/g, '-'));
  await mkdir(folder);
  const files = await make();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const isFolder = Object.keys(files).length > 1;
  return { source: isFolder ? folder : join(folder, inspected), inspected: join(folder, inspected) };
}

test.each(Object.entries(memoryModels))(
  '%s: the reported memory of a load is within 5 percent',
  async (title, model) => {
    const { type, options = {} } = model;
    const { source, inspected } = await written(title, model);
    const { memory } = await inspect(inspected, { load: options });
    const taken = await takenBy(type, source, options);
    expect(memory.load / taken).toBeGreaterThan(0.95);
    expect(memory.load / taken).toBeLessThan(1.05);
  },
);
