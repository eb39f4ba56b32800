// The hits of a search for pictures as a web page.
import { dirname, relative, resolve, sep } from 'node:path';
import type { PictureHit } from './picture_index.js';

/** `path`: that of the page, from which it finds the pictures. */
export function hitsPage(path: string, title: string, hits: readonly PictureHit[]): string {
  const figures = hits.map(({ path: picture, score, taken }) => {
    const link = relative(dirname(resolve(path)), resolve(picture))
      .split(sep)
      .map(encodeURIComponent)
      .join('/');
    return `<figure><a href="${link}"><img src="${link}" alt="" loading="lazy"></a>
<figcaption>${score.toFixed(4)} ${escaped(picture)}${taken ? `<br>${escaped(taken.replace('T', ' '))}` : ''}</figcaption></figure>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<style>
  body { font-family: sans-serif; }
  main { display: flex; flex-wrap: wrap; gap: 1rem; }
  figure { margin: 0; width: 18rem; overflow-wrap: anywhere; }
  img { width: 100%; height: 14rem; object-fit: contain; }
</style>
<h1>${escaped(title)}</h1>
<main>
${figures.join('\n')}
</main>
</html>
`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
