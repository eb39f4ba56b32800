'use client';

import { Embedder, SearchIndex } from 'quintet';
import { embedder } from 'quintet-models';
import { useState } from 'react';

const notes = [
  { id: 'bread', text: 'Yeast makes gas that lets bread rise.' },
  { id: 'tides', text: 'The moon pulls the sea, which makes tides.' },
  { id: 'frost', text: 'Cover young plants before a cold night.' },
];

let loading;
async function loadIndex() {
  const index = new SearchIndex({ embedder: await Embedder.load(embedder) });
  await index.addTexts(notes);
  return index;
}

export default function Page() {
  const [found, setFound] = useState([]);

  async function search(event) {
    event.preventDefault();
    const query = new FormData(event.currentTarget).get('query');
    loading ??= loadIndex();
    const index = await loading;
    setFound(await index.search(query));
  }

  return (
    <main>
      <form onSubmit={search}>
        <input name="query" type="search" aria-label="Search" required />
        <button type="submit">Search</button>
      </form>
      <ol>
        {found.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ol>
    </main>
  );
}
