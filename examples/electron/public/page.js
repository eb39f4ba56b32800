import { Embedder, SearchIndex } from './quintet/quintet.js';

const notes = [
  { id: 'bread', text: 'Yeast makes gas that lets bread rise.' },
  { id: 'tides', text: 'The moon pulls the sea, which makes tides.' },
  { id: 'frost', text: 'Cover young plants before a cold night.' },
];

// The window starts a worker for the model.
let loading;
async function loadIndex() {
  const index = new SearchIndex({ embedder: await Embedder.load('./embedder.weights') });
  await index.addTexts(notes);
  return index;
}

document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const query = new FormData(event.target).get('query');
  loading ??= loadIndex();
  const index = await loading;
  const found = await index.search(query);
  const items = found.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text }));
  document.querySelector('ol').replaceChildren(...items);
});

// The main process answers.
document.querySelector('#tell').addEventListener('click', async () => {
  const response = await fetch('/v1/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'stories', prompt: 'Once upon a time', max_tokens: 40, temperature: 0 }),
  });
  const { choices } = await response.json();
  document.querySelector('output').textContent = choices[0].text;
});
