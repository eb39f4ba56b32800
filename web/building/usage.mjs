// The part of a page for developers: how to install quintet, the code that this page runs, and where to read more. The
// code is the page's own source file, so it cannot differ from what runs.

import { readFileSync } from 'node:fs';
import { pageOf } from './documentation_pages.mjs';
import { pages } from './pages.mjs';
import { web } from './paths.mjs';
import { addressOf } from './repository.mjs';

const install = 'npm install quintet quintet-models';

/** The section of a page, as HTML. */
export function usageOf(page) {
  const shown = pages.find(({ name }) => page === `${name}.html`);
  // The documentation has none: the other pages link to it.
  if (!shown) return '';
  const { code, docs } = shown;
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
            <p>${sourceLink(`web/${code}`)}</p>
            <button class="button" type="button" data-copies="code" aria-label="Copy the code">Copy</button>
            <pre tabindex="0" role="region" aria-label="Code"><code id="code">${highlighted(source)}</code></pre>
          </div>
          <p class="visually-hidden" id="copied" role="status"></p>
        </div>
        <div class="usage-docs">
          <h3 id="docs-title">Documentation</h3>
          <ul aria-labelledby="docs-title">
            ${docs.map(([path, title]) => `<li><a href="/docs/${pageOf(path)}">${title}</a></li>`).join('\n            ')}
          </ul>
        </div>
      </section>`;
}

/** Without an address of the repository, the path shows where to look. */
function sourceLink(path) {
  const address = addressOf(path);
  const name = `<code>${path}</code>`;
  return address ? `<a href="${escaped(address)}">${name}</a>` : name;
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
