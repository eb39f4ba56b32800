// Shared parts of the pages, inserted while the site is built so that nothing moves when scripts arrive. A page marks
// the places with <!-- head -->, <!-- header -->, <!-- cards -->, <!-- usage --> and <!-- footer -->.

import { pages } from './pages.mjs';
import { base, isForPlainHost } from './paths.mjs';
import { usageOf } from './usage.mjs';

const navigation = [
  ...pages.filter(({ card }) => card).map(({ name, title }) => [`${name}.html`, title]),
  ['docs/index.html', 'Docs'],
];

/** Five strokes, one for each of the five formats. */
const mark = `<svg class="mark" viewBox="0 0 30 28" aria-hidden="true" focusable="false">
  <g stroke-width="3.4" stroke-linecap="round" fill="none">
    <path class="stroke-1" d="M3 16v6"/><path class="stroke-2" d="M9 8v12"/><path class="stroke-3" d="M15 3v18"/>
    <path class="stroke-4" d="M21 9v14"/><path class="stroke-5" d="M27 12v6"/>
  </g>
</svg>`;

const head = `<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${isForPlainHost ? '<meta name="headers" content="added">' : ''}
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/styles/site.css">
    <script src="/theme.js"></script>`;

const header = (page) => `<a class="skip" href="#content">Skip to content</a>
    <header class="site-header">
      <div class="bar">
        <a class="brand" href="/"${page === 'index.html' ? ' aria-current="page"' : ''}>${mark}<span>quintet</span></a>
        <nav aria-label="Pages">
          ${navigation.map((entry) => link(entry, page)).join('\n          ')}
        </nav>
        <button class="theme" type="button" id="theme" aria-label="Switch between light and dark">
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" stroke-width="2"/>
            <path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor"/>
          </svg>
        </button>
      </div>
    </header>`;

const link = ([file, title], page) => `<a href="/${file}"${file === page ? ' aria-current="page"' : ''}>${title}</a>`;

const footer = `<footer class="site-footer">
      <div class="bar">
        <p>Everything on these pages runs on your device. Your texts, pictures and files are never uploaded.</p>
        <p id="offline" role="status"></p>
      </div>
    </footer>`;

const cards = `<ul class="cards">
        ${pages
          .filter(({ card }) => card)
          .map(cardOf)
          .join('\n        ')}
      </ul>`;

function cardOf({ name, tone, card: [title, text] }) {
  return `<li class="card tone-${tone}"><h2><a href="/${name}.html">${title}</a></h2><p>${text}</p></li>`;
}

/** A Vite plugin. */
export const pageFrame = {
  name: 'page-frame',
  transformIndexHtml: {
    order: 'pre',
    handler(html, { path }) {
      const page = path.replace(/^\//, '');
      const parts = { head, header: header(page), cards, usage: usageOf(page), footer };
      return html
        .replace(/<!-- (\w+) -->/g, (comment, name) => parts[name] ?? comment)
        .replace(/(<a [^>]*href=")\/(?!\/)/g, (_, before) => `${before}${base}`);
    },
  },
};
