// The part of a page for developers: how to install quintet, the code that this page runs, and where to read more. The code is
// the page's own source file, so it cannot differ from what runs.

import { readFileSync } from 'node:fs';
import { web } from './paths.mjs';
import { addressOf } from './repository.mjs';

const install = 'npm install quintet quintet-models';

const usages = {
  'index.html': {
    code: 'src/welcome/example.ts',
    runs: true,
    docs: [
      ['README.md', 'Getting started'],
      ['docs/models.md', 'Which models work'],
      ['docs/bundlers.md', 'Bundlers'],
      ['docs/browsers.md', 'Browsers and Node versions'],
      ['docs/errors.md', 'Errors'],
      ['docs/architecture.md', 'Architecture'],
    ],
  },
  'search.html': {
    code: 'src/search/semantic_search.ts',
    docs: [
      ['docs/embedding.md', 'Embeddings and search'],
      ['docs/bulk-embedding.md', 'Embedding many texts'],
      ['docs/caching.md', 'Caching models'],
      ['docs/formats/weights.md', 'The .weights format'],
    ],
  },
  'story.html': {
    code: 'src/story/storytelling.ts',
    docs: [
      ['docs/generation.md', 'Text generation'],
      ['docs/kv-cache.md', 'The KV cache'],
      ['docs/formats/amb.md', 'The AMB format'],
      ['docs/formats/gguf.md', 'The GGUF format'],
    ],
  },
  'chat.html': {
    code: 'src/chat/answering.ts',
    docs: [
      ['docs/chat.md', 'Conversations'],
      ['docs/generation.md', 'Text generation'],
      ['docs/kv-cache.md', 'The KV cache'],
      ['docs/models.md', 'Which models work'],
    ],
  },
  'images.html': {
    code: 'src/images/classification.ts',
    docs: [
      ['docs/images.md', 'Image classification'],
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
    ],
  },
  'photos.html': {
    code: 'src/photos/photo_search.ts',
    docs: [
      ['docs/image-search.md', 'Image search'],
      ['docs/embedding.md', 'Embeddings and search'],
      ['docs/images.md', 'Image classification'],
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
    ],
  },
  'files.html': {
    code: 'src/files/model_files.ts',
    docs: [
      ['docs/cli.md', 'The command line'],
      ['docs/errors.md', 'Errors'],
      ...['AMB', 'ALT', 'weights', 'safetensors', 'tinyRuntime', 'GGUF'].map((name) => [
        `docs/formats/${name.toLowerCase()}.md`,
        name === 'weights' ? '.weights' : name,
      ]),
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
    ],
  },
  'benchmark.html': {
    code: 'src/benchmark/quintet_jobs.ts',
    docs: [
      ['docs/benchmarks.md', 'Benchmarks'],
      ['docs/sizes.md', 'Download sizes'],
    ],
  },
};

/** The section of a page, as HTML. */
export function usageOf(page) {
  // The documentation has none: it is what the others link to.
  if (!usages[page]) return '';
  const { code, docs, runs } = usages[page];
  const source = readFileSync(web + code, 'utf8').trimEnd();
  return `<section class="usage" aria-labelledby="usage-title">
        <h2 id="usage-title">Use it in your project</h2>
        <div class="usage-code">
          <div class="snippet line">
            <pre><code id="install">${escaped(install)}</code></pre>
            <button class="button" type="button" data-copies="install" aria-label="Copy the install command">Copy</button>
          </div>
          <p>The code that this page runs:</p>
          <div class="snippet">
            <p>${link(`web/${code}`, `<code>web/${code}</code>`)}</p>
            <button class="button" type="button" data-copies="code" aria-label="Copy the code">Copy</button>
            <pre tabindex="0" role="region" aria-label="Code"><code id="code">${highlighted(source)}</code></pre>
          </div>
          <p class="visually-hidden" id="copied" role="status"></p>${runs ? runButton : ''}
        </div>
        <div class="usage-docs">
          <h3 id="docs-title">Documentation</h3>
          <ul aria-labelledby="docs-title">
            ${docs.map(([path, title]) => `<li>${link(path, title)}</li>`).join('\n            ')}
          </ul>
        </div>
      </section>`;
}

const runButton = `
          <div class="buttons"><button class="button primary" type="button" id="run" disabled>Run it here</button></div>
          <div id="running"></div>
          <pre class="output" id="output" role="status"></pre>`;

/** Without an address of the repository, the path says where to look. */
function link(path, html) {
  const address = addressOf(path);
  if (address) return `<a href="${escaped(address)}">${html}</a>`;
  return html.includes(path) ? html : `${html} (<code>${path}</code>)`;
}

const tokens =
  /(?<comment>\/\/.*|\/\*[^]*?\*\/)|(?<string>'[^'\n]*')|(?<keyword>\b(?:async|await|const|export|for|from|function|import|new|of|return|type)\b)/g;

/** TypeScript with comments, strings and keywords marked. */
function highlighted(source) {
  let html = '';
  let end = 0;
  for (const match of source.matchAll(tokens)) {
    const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined);
    html += `${escaped(source.slice(end, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escaped(source.slice(end));
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (character) => entities[character]);
