import { openVisitor } from '../search_page.mjs';

/** First visits, each with a browser of its own, and a second one with each; what the first downloaded. */
export async function measureVisits(count) {
  const cold = [];
  const warm = [];
  let bytes;
  for (let i = 0; i < count; ++i) {
    const visitor = await openVisitor();
    try {
      cold.push(await visitor.visit());
      bytes = weigh(visitor.transfers);
      await visitor.page.waitForFunction(() => /Works offline/.test(document.querySelector('#offline').textContent));
      warm.push(await visitor.visit());
    } finally {
      await visitor.close();
    }
  }
  return { cold, warm, bytes };
}

const isModel = ({ path }) => path.endsWith('.weights');
const isCorpus = ({ path }) => path.endsWith('.index');

function weigh(transfers) {
  const sum = (isMeant) => transfers.filter(isMeant).reduce((total, { bytes }) => total + bytes, 0);
  return { page: sum((it) => !isModel(it) && !isCorpus(it)), corpus: sum(isCorpus), model: sum(isModel) };
}
