// The pages of the documentation, in the order of its menu: [title, files of the repository]. The build refuses a file of docs/
// that is missing here.

const formats = ['amb', 'alt', 'weights', 'safetensors', 'tinyruntime', 'gguf', 'huggingface', 'search-index'];

export const sections = [
  ['Start', ['README.md', ...docs('models', 'hub', 'caching', 'browsers', 'bundlers', 'cli', 'errors')]],
  ['Search', docs('embedding', 'image-search', 'bulk-embedding', 'pipes')],
  ['Text', docs('generation', 'chat', 'structured_output', 'tokenizing', 'kv-cache')],
  ['Pictures', docs('images')],
  ['Files', docs('safetensors', ...formats.map((name) => `formats/${name}`))],
  ['The project', [...docs('benchmarks', 'sizes', 'architecture'), 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']],
];

function docs(...names) {
  return names.map((name) => `docs/${name}.md`);
}

/** Where a page is in the built documentation: `formats/amb.html` for docs/formats/amb.md, and the README is the first page. */
export function pageOf(file) {
  if (file === 'README.md') return 'index.html';
  return file.startsWith('docs/')
    ? file.slice(5).replace(/\.md$/, '.html')
    : file.toLowerCase().replace(/\.md$/, '.html');
}
