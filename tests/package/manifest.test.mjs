// The published packages, judged by tools for packages.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pack, root } from './packed.mjs';

const run = promisify(execFile);

describe.each([
  ['quintet', root],
  ['quintet-models', `${root}models`],
])('%s', (_, source) => {
  let folder;
  let packed;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quintet-manifest-'));
    packed = pack(source, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('publint finds nothing', async () => {
    const { stdout } = await run(process.execPath, [
      `${root}node_modules/publint/src/cli.js`,
      'run',
      packed.path,
      '--strict',
    ]);
    expect(stdout).toMatch(/All good!/);
  });

  // ESM only; Node from 22.12 on may require() it all the same.
  test('the types match the imported modules', async () => {
    const attw = `${root}node_modules/@arethetypeswrong/cli/dist/index.js`;
    const { stdout } = await run(process.execPath, [attw, packed.path, '--profile', 'esm-only', '--format', 'ascii']);
    expect(stdout).toMatch(/node16 \(from ESM\): .*\(ESM\)/);
  });

  test('every exported file exists', () => {
    const { exports } = packed.manifest;
    const paths = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    for (const path of paths) {
      const pattern = new RegExp(`^${path.replace('./', '').replace(/[.]/g, '\\.').replace('*', '.+')}$`);
      expect(packed.files.filter((file) => pattern.test(file))).not.toEqual([]);
    }
  });
});

test('everything has one version, which the changelog describes', () => {
  const textOf = (file) => readFileSync(`${root}${file}`, 'utf8');
  const { version } = JSON.parse(textOf('package.json'));
  expect(JSON.parse(textOf('models/package.json')).version).toBe(version);
  const lock = JSON.parse(textOf('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
  expect(textOf('CMakeLists.txt')).toContain(`project(quintet VERSION ${version} `);
  expect(textOf('CHANGELOG.md')).toContain(`\n## [${version}] - `);
});
