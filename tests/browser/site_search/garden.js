// A page with <quintet-search> and a small site that is written by hand: what the element shows is known without an
// index.
import '/dist/quintet-search.js';

const pages = [
  {
    url: 'beds/tomatoes.html',
    title: 'Tomatoes',
    text: 'Tomatoes want warm soil and a place in the sun. Water them at the root, in the morning.',
    filters: { kind: ['vegetable'], month: ['May', 'June'] },
    sections: [
      [
        'pruning',
        'Pruning tomatoes',
        'Break off the side shoots of tomatoes as soon as they show, and tie the stem to a cane.',
      ],
      ['blight', 'Blight', 'Brown spots on the leaves of tomatoes are blight, which comes with long rain.'],
    ],
  },
  {
    url: 'beds/beans.html',
    title: 'Beans',
    text: 'Beans climb up poles next to tomatoes and feed the soil.',
    filters: { kind: ['vegetable'], month: ['May'] },
    sections: [],
  },
  {
    url: 'flowers/index.html',
    title: 'Marigolds & <b>friends</b>',
    text: 'Marigolds keep insects away from tomatoes.',
    filters: { kind: ['flower'], month: ['June'] },
    sections: [],
  },
];

function excerptOf(text, words) {
  const marks = [...text.matchAll(new RegExp(words.join('|'), 'gi'))].map((it) => [it.index, it.index + it[0].length]);
  return { text, marks };
}

/** Finds pages with any of the words. The meaning adds one thing: what is red. */
export class Garden {
  questions = [];
  bytes = 0;

  async search(text, { k, filters, mode }) {
    this.questions.push({ text, mode });
    const asked = text.toLowerCase().split(/\s+/);
    const words = mode === 'hybrid' && asked.includes('red') ? [...asked, 'tomatoes'] : asked;
    const isChosen = (page) =>
      Object.entries(filters).every(([name, values]) => values.some((value) => page.filters[name].includes(value)));
    const has = (said) => words.some((word) => said.toLowerCase().includes(word));
    return pages
      .filter((page) => isChosen(page) && has(`${page.title} ${page.text}`))
      .slice(0, k)
      .map(({ url, title, text: said, sections }, i) => ({
        url,
        title,
        score: 1 / (i + 1),
        meta: { image: 'picture.png' },
        excerpt: excerptOf(said, words),
        sections: sections
          .filter(([, name, content]) => has(`${name} ${content}`))
          .map(([anchor, name, content]) => ({ anchor, title: name, score: 1, excerpt: excerptOf(content, words) })),
      }));
  }

  async filters() {
    return { kind: { vegetable: 2, flower: 1 }, month: { May: 2, June: 2 } };
  }

  close() {}
}

globalThis.garden = new Garden();
for (const search of document.querySelectorAll('quintet-search')) search.site = globalThis.garden;
