// docs/getting-started.md shows files of the apps as they are, without their comments.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const uncommented = (code) => code.replace(/^ *\/\/.*\n/gm, '');
const shown = [...readFileSync(`${root}docs/getting-started.md`, 'utf8').matchAll(/^```js\n([^]*?)^```$/gm)].map(
  ([, code]) => uncommented(code),
);

test.each(['nextjs/next.config.mjs', 'sveltekit/server.js', 'electron/main.mjs'])('%s', (path) => {
  expect(shown).toContain(uncommented(readFileSync(`${root}examples/${path}`, 'utf8')));
});
