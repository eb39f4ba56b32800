// A page with all photographs and their labels, for terminals that cannot show them.
import { mkdir, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = new URL('../../build/pictures.html', import.meta.url);

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 1.5rem }
  figure { margin: 0 }
  img { width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: 0.5rem; display: block }
  b, small { display: block }`;

/** Writes the page, which needs no other file, and returns its path. `classes`: captions, the best one first. */
export async function writeContactSheet(pictures) {
  await mkdir(new URL('.', PAGE), { recursive: true });
  await writeFile(
    PAGE,
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Classified by quintet</title>
<style>${style}
</style>
<h1>Classified by quintet</h1>
<main>
${pictures.map(figure).join('\n')}
</main>
<p><small>Photographs: google-coral/edgetpu, Apache-2.0</small></p>
</html>
`,
  );
  return relative(process.cwd(), fileURLToPath(PAGE));
}

function figure({ name, bytes, classes: [best, ...others], ms }) {
  const source = `data:image/jpeg;base64,${bytes.toString('base64')}`;
  const rest = [...others, ms].join(', ');
  return `<figure><img src="${source}" alt="photograph: ${name}"><b>${best}</b><small>${rest}</small></figure>`;
}
