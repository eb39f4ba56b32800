// The demo site uses the packages as anybody does: by their names, never by their files.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../../web/src/', import.meta.url));
const packages = [
  'marked',
  'quintet',
  'quintet/safetensors',
  'quintet/site',
  'quintet-models',
  'onnxruntime-web',
  'onnxruntime-web/wasm',
];

const importsOf = (text) =>
  [...text.matchAll(/^(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm)].map(
    (match) => match[1] ?? match[2],
  );

test('pages import public names and their own files', () => {
  const files = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    for (const name of importsOf(readFileSync(sources + file, 'utf8'))) {
      if (packages.includes(name)) continue;
      const { pathname } = new URL(name, `file://${sources}${file}`);
      expect(name).toMatch(/^\.\.?\//);
      expect(pathname.startsWith(sources)).toBe(true);
    }
  }
});
