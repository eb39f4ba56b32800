// The installed package in each supported Node, as its users run it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeMajors, nodePath } from '../../tools/node_versions.mjs';
import { model, texts, worstCosine } from './golden.mjs';
import { installInEmptyProject, pack } from './packed.mjs';

const program = `
import { Embedder } from 'quintet';
const [model, texts] = JSON.parse(process.argv[2]);
const embedder = await Embedder.load(model);
const vectors = await embedder.embed(texts);
console.log(JSON.stringify({ dimension: embedder.dimension, vectors: vectors.map((vector) => [...vector]) }));
embedder.close();
`;

let project;
beforeAll(() => {
  project = installInEmptyProject(pack().path);
  writeFileSync(join(project.folder, 'embed.mjs'), program);
}, 60_000);
afterAll(() => project?.remove());

const run = (major, args) =>
  execFileSync(nodePath(major), args, { cwd: project.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe.each(nodeMajors)('Node %i', (major) => {
  test('embeds text, without code from strings', () => {
    const flags = ['--disallow-code-generation-from-strings', '--throw-deprecation'];
    const { dimension, vectors } = JSON.parse(run(major, [...flags, 'embed.mjs', JSON.stringify([model, texts])]));
    expect(dimension).toBe(256);
    expect(worstCosine(vectors)).toBeGreaterThanOrEqual(0.99);
  });

  test('runs the command line', () => {
    const output = run(major, ['node_modules/.bin/quintet', 'embed', '--model', model, texts[0]]);
    expect(output.trim().split('\n')).toHaveLength(1);
  });
});

test('newer Node may require() it', () => {
  const script = "console.log(typeof require('quintet').Embedder.load)";
  writeFileSync(join(project.folder, 'require.cjs'), script);
  expect(run(24, ['--no-warnings', 'require.cjs']).trim()).toBe('function');
});
