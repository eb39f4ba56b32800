// The pages of the documentation, in the order of its menu.
import { readdirSync } from 'node:fs';
import { root } from '../../tools/build/paths.mjs';

const formats = [
  'amb',
  'alt',
  'weights',
  'safetensors',
  'tinyruntime',
  'gguf',
  'huggingface',
  'tokenizers',
  'search-index',
  'site-index',
];

const ordered = [
  ['Start', ['README.md', ...docs('README', 'getting-started', 'devices', 'migrating', 'glossary')]],
  ['Chat and text', docs('chat', 'documents', 'structured_output', 'generation', 'kv-cache', 'tokenizing')],
  ['Search', docs('embedding', 'site-search', 'search-box', 'bulk-embedding', 'pipes')],
  ['Labels and pictures', docs('labels', 'images', 'image-search')],
  ['Models', docs('models', 'hub', 'caching', 'sizes', 'benchmarks')],
  ['Where it runs', docs('bundlers', 'browsers', 'server', 'frameworks')],
  ['Reference', docs('cli', 'errors', 'safetensors', ...formats.map((name) => `formats/${name}`))],
  ['The project', [...docs('architecture'), 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md']],
];

/** Files of docs/ that have no place in the menu yet. */
function others() {
  const placed = ordered.flatMap(([, files]) => files);
  const names = readdirSync(`${root}docs`, { recursive: true }).filter((name) => name.endsWith('.md'));
  return names.map((name) => `docs/${name}`).filter((file) => !placed.includes(file));
}

/** [title, files of the repository]. */
export const sections = [...ordered, ['More', others().sort()]].filter(([, files]) => files.length > 0);

function docs(...names) {
  return names.map((name) => `docs/${name}.md`);
}

/**
 * The place of a page in the built documentation: `formats/amb.html` for docs/formats/amb.md, and the README is the
 * first page.
 */
export function pageOf(file) {
  if (file === 'README.md') return 'index.html';
  return file.startsWith('docs/')
    ? file.slice(5).replace(/\.md$/, '.html')
    : file.toLowerCase().replace(/\.md$/, '.html');
}
