import { openSite, type Site, type SiteHit } from 'quintet/site';

/** The index of a book, made by `quintet site`. It is many small files, of which a question downloads only a few. */
export const openBook = (folder: string | URL): Promise<Site> => openSite(folder);

/** The pages that answer best, each with the place that does: { address, title, heading, excerpt, marks }. */
export async function find(book: Site, question: string, k = 5) {
  return (await book.search(question, { k })).map(placeOf);
}

function placeOf({ url, title, excerpt, sections: [best] }: SiteHit) {
  const { text, marks } = best?.excerpt ?? excerpt;
  const address = best?.anchor ? `${url}#${best.anchor}` : url;
  return { address, title, heading: best?.anchor ? best.title : '', excerpt: text, marks };
}
