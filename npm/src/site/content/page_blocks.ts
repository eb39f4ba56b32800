// The text of a page in the parts in which it is found: sections, which have paragraphs and blocks of code.

import type { SiteSection } from '../page.js';
import type { Block } from './block.js';
import { passagesOf } from './passages.js';

export interface SectionDraft {
  anchor: string;
  title: string;
  trail: string[];
  blocks: Block[];
}

/** Sections, in passages. Those that have neither a title nor text are left out. */
export function finishedSections(drafts: readonly SectionDraft[]): SiteSection[] {
  return drafts
    .map(({ blocks, ...named }) => ({ ...named, passages: passagesOf(blocks) }))
    .filter(({ title, passages }) => title !== '' || passages.length > 0);
}
