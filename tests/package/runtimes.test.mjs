// The installed packages in each supported Node, in Deno and in Bun, as their users run them.
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bunPath, denoPath, nodeMajors, nodePath } from '../../tools/node_versions.mjs';
import { expectRight, model, texts, worstCosine } from './golden.mjs';
import { installInEmptyProject, root } from './packed.mjs';

const strict = ['--disallow-code-generation-from-strings', '--throw-deprecation'];
const runtimes = [
  ...nodeMajors.map((major) => [`Node ${major}`, nodePath(major), strict]),
  // No more than what a model needs: Deno asks for every permission.
  ['Deno', denoPath, ['run', '--no-prompt', '--allow-read', '--allow-env']],
  ['Bun', bunPath, ['run']],
];

let project;
beforeAll(() => {
  project = installInEmptyProject();
  cpSync(`${root}tests/package/site`, project.folder, { recursive: true });
});
afterAll(() => project?.remove());

const run = (program, args, input = '') =>
  execFileSync(program, args, { cwd: project.folder, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });

// The default runtime of models: V8 has relaxed SIMD since Node 22.
const threads = Math.min(availableParallelism(), 16);
const byDefault = {
  'Node 20': { variant: 'baseline', threads },
  'Node 22': { variant: 'relaxed', threads },
  'Node 24': { variant: 'relaxed', threads },
};

describe.each(runtimes)('%s', (name, program, flags) => {
  const jobs = ['embed', 'generate', 'classify', 'convert'];

  test.each([false, true])('embeds, generates, classifies and converts, worker: %s', (worker) => {
    const requests = jobs.map((job) => ({ job, worker, ...(job === 'embed' ? { texts } : {}) }));
    const answers = JSON.parse(run(program, [...flags, 'program.mjs', JSON.stringify(requests)]));
    jobs.forEach((job, i) => {
      expectRight[job](answers[i]);
      if (job !== 'convert') expect(answers[i].runtime).toMatchObject({ ...byDefault[name], worker });
    });
  });

  test('runs the command line', () => {
    const cli = [...flags, 'node_modules/quintet/dist/cli.js'];
    const embedded = run(program, [...cli, 'embed'], texts.join('\n'));
    const lines = embedded
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(worstCosine(lines.map(({ embedding, vector }) => embedding ?? vector))).toBeGreaterThanOrEqual(0.99);
    const generated = run(program, [...cli, 'generate', '--prompt', '', '--temperature', '0', '--max-tokens', '40']);
    expectRight.generate({ text: generated.trimEnd() });
    expect(JSON.parse(run(program, [...cli, 'inspect', '--json', model])).kind).toBe('EMBD');
  });
});

test.each([22, 24])('Node %i may require() it', (major) => {
  const script =
    "console.log(typeof require('quintet').Embedder.load, typeof require('quintet/safetensors').readSafetensors)";
  writeFileSync(join(project.folder, 'require.cjs'), script);
  expect(run(nodePath(major), ['--no-warnings', 'require.cjs']).trim()).toBe('function function');
});
