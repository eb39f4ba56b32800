// Links of the Markdown pages, also where npm shows a README: it resolves relative links against `repository` of
// package.json.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path) => readFileSync(root + path, 'utf8');
// New files too, as long as Git does not ignore them.
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');
const known = new Set([...files, ...files.flatMap(foldersOf)]);
const pages = files.filter((file) => file.endsWith('.md'));

function foldersOf(file) {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

const withoutCode = (text) =>
  text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ''));

/** The anchors that GitHub and npm give to the headings of a page. */
function anchorsOf(text) {
  const seen = new Map();
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}

const targetsIn = (text) => [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?\)/g)].map(([, target]) => target);

/** The targets of a page's links and images that lead nowhere in this repository. */
function broken(page, text) {
  return targetsIn(text).filter((target) => {
    if (/^https?:\/\//.test(target)) return !URL.canParse(target);
    const [path, anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path).replace(/\/$/, '');
    if (!known.has(file)) return true;
    return anchor !== undefined && !anchorsOf(file === page ? text : textOf(file)).includes(anchor);
  });
}

test.each(pages)('%s', (page) => {
  expect(broken(page, textOf(page))).toEqual([]);
});

test('the pages have links to check', () => {
  expect(targetsIn(textOf('README.md')).length).toBeGreaterThan(20);
  expect(targetsIn(textOf('models/README.md')).length).toBeGreaterThan(3);
});

test('a dead link is found', () => {
  const text =
    '# A page\n[a](#a-page) [b](#b) ![c](none.png) [d](docs/cli.md#embed) [e](docs/cli.md#none) `[f](g)` [h](https://)\n';
  expect(broken('README.md', text)).toEqual(['#b', 'none.png', 'docs/cli.md#none', 'https://']);
});

test('the address of the repository is that of package.json wherever it stands', () => {
  const [quintet, models] = ['package.json', 'models/package.json'].map((path) => JSON.parse(textOf(path)));
  // The form with which npm resolves links.
  const [, address] = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/.exec(quintet.repository.url);
  expect(quintet).toMatchObject({
    repository: { type: 'git' },
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
  });
  expect(models).toMatchObject({
    repository: { ...quintet.repository, directory: 'models' },
    homepage: `${address}/tree/main/models#readme`,
    bugs: quintet.bugs,
  });
  const replaced = ['.github/ISSUE_TEMPLATE/config.yml', 'models/package.json', 'package.json'];
  expect(textOf(replaced[0])).toContain(`${address}/blob/main/docs/README.md`);
  // The command in CONTRIBUTING.md, which has the placeholder itself, replaces it in all of them.
  const having = execFileSync('git', ['grep', '-lF', address, '--', ':!CONTRIBUTING.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(having.trim().split('\n').sort()).toEqual(replaced);
  const [command] = /^sed -i [^`]+/m.exec(textOf('CONTRIBUTING.md'));
  for (const path of replaced) expect(command).toContain(path);
});
