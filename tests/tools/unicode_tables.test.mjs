// The committed tables are what the generator writes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const ages = '/usr/share/unicode/DerivedAge.txt';
const installed = existsSync(ages) && readFileSync(ages, 'utf8').startsWith('# DerivedAge-15.0.0.txt');

// Debian 12 has this version in its package unicode-data.
(installed ? test : test.skip)('generating the Unicode tables again gives the same bytes', () => {
  const generated = execFileSync(process.execPath, [pathOf('tools/generate_unicode_tables.mjs'), '--out', '-'], {
    encoding: 'utf8',
  });
  expect(generated).toBe(readFileSync(pathOf('src/base/unicode/data.h'), 'utf8'));
});
