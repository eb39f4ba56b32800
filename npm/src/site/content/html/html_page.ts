// A page of HTML: bytes to sections.

import type { ExtractedPage } from '../extracted_page.js';
import { finishedSections } from '../page_blocks.js';
import { decodeHtml } from './charset.js';
import { parseDocument } from './dom.js';
import { mainContent } from './main_content.js';
import { pageFacts } from './page_facts.js';
import { sectionsOf } from './section_collector.js';

/** `bytes`: a whole page. */
export const readHtmlPage = (bytes: Uint8Array): ExtractedPage => readHtmlText(decodeHtml(bytes));

export function readHtmlText(html: string): ExtractedPage {
  const { document, cutOff } = parseDocument(html);
  const { title, heading, givenTitle, ...facts } = pageFacts(document);
  const { roots, isMarked } = mainContent(document);
  return {
    ...facts,
    titles: { given: givenTitle, own: title, heading },
    sections: finishedSections(sectionsOf(roots, isMarked)),
    cutOff,
  };
}
