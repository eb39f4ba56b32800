// Collects the text of a page in sections, which begin at headings, and at terms of definition lists that have an id.

import type { Block } from '../block.js';
import type { SectionDraft } from '../page_blocks.js';
import { attributeOf, type Element, walk } from './dom.js';
import { isFurniture, kindOf } from './element_kinds.js';
import { isSymbolLink, oneLine, textOf } from './element_text.js';
import { ignoredPart, indexedAttributes, weightOf } from './pagefind.js';

/** The limit in UTF-16 units: the title of a section is one line of a list of results. */
const maxTitle = 120;
/** Cells of a table with longer paragraphs are paragraphs, as in pages that are laid out in tables. */
const maxCell = 300;

export function sectionsOf(roots: readonly Element[], isMarked: boolean): SectionDraft[] {
  const collector = new SectionCollector(isMarked);
  for (const root of roots) {
    walk(root, collector);
    collector.endBlock();
  }
  return collector.sections;
}

/** An element with an id, before any text of it. */
interface Opening {
  id: string;
  isOpen: boolean;
}

/** A definition list. */
interface List {
  /** The section that it is in, and continues after it. */
  around: SectionDraft;
  /** Its last term, if that is a section. */
  term: SectionDraft | undefined;
  /** The number of headings before it. */
  headings: number;
}

class SectionCollector {
  readonly sections: SectionDraft[] = [{ anchor: '', title: '', trail: [], blocks: [] }];
  private section = this.sections[0]!;
  private readonly headings: { level: number; section: SectionDraft }[] = [];
  private readonly lists: List[] = [];
  private readonly openings = new Map<Element, Opening>();
  private readonly weights: { element: Element; weight: number }[] = [];
  private readonly anchors = new Set<string>();
  private headingCount = 0;
  private codeDepth = 0;
  private cellDepth = 0;
  private buffer = '';
  /** Whether there is text in the last cell of a table or, before the first, in the buffer. */
  private hasText = false;

  constructor(private readonly isMarked: boolean) {}

  enter(element: Element): boolean {
    const kind = kindOf(element);
    if (kind === 'dropped' || ignoredPart(element) || isSymbolLink(element)) return false;
    if (!this.isMarked && isFurniture(element)) return false;
    const id = idOf(element);
    if (id) this.openings.set(element, { id, isOpen: true });
    this.text(indexedAttributes(element));
    if (kind === 'heading') return this.heading(element);
    if (element.tagName === 'dt' && this.term(element)) return false;
    const weight = weightOf(element);
    if (weight !== undefined) {
      this.endBlock();
      this.weights.push({ element, weight });
    }
    this.border(element, kind);
    if (kind === 'code') this.codeDepth += 1;
    if (kind === 'cell') this.cell();
    if (element.tagName === 'dl') {
      this.lists.push({ around: this.section, term: undefined, headings: this.headingCount });
    }
    return true;
  }

  leave(element: Element): void {
    const kind = kindOf(element);
    this.border(element, kind);
    if (kind === 'code') this.codeDepth -= 1;
    if (kind === 'cell') this.cellDepth -= 1;
    if (element.tagName === 'dl') this.endList();
    if (this.weights.at(-1)?.element === element) {
      this.endBlock();
      this.weights.pop();
    }
    const opening = this.openings.get(element);
    if (opening) opening.isOpen = false;
  }

  text(text: string): void {
    this.buffer += text;
    if (!/\S/.test(text)) return;
    this.hasText = true;
    if (this.openings.size > 0) this.openings.clear();
  }

  /** Handles the beginning or end of an element. */
  private border(element: Element, kind: ReturnType<typeof kindOf>): void {
    if (kind === 'inline') return;
    if (this.codeDepth > 0 && kind !== 'code') {
      // Lines of code may be elements.
      const isLine = element.tagName === 'br' || kind === 'block';
      if (isLine && this.buffer !== '' && !this.buffer.endsWith('\n')) this.buffer += '\n';
    } else if (kind === 'space' || kind === 'cell' || (this.isInCell(element) && this.buffer.length < maxCell)) {
      this.buffer += ' ';
    } else this.endBlock();
  }

  private isInCell(element: Element): boolean {
    return this.cellDepth > 0 && !/^(tr|table|pre)$/.test(element.tagName);
  }

  private cell(): void {
    this.cellDepth += 1;
    if (this.hasText) this.buffer += '| ';
    this.hasText = false;
  }

  endBlock(): void {
    const isCode = this.codeDepth > 0;
    const text = isCode ? codeText(this.buffer) : oneLine(this.buffer).replace(/ \|$/, '');
    this.buffer = '';
    this.hasText = false;
    const weight = this.weights.at(-1)?.weight ?? 1;
    if (text !== '' && weight > 0) this.section.blocks.push({ text, isCode, weight } satisfies Block);
  }

  private heading(element: Element): false {
    this.endBlock();
    const title = shortened(textOf(element));
    const anchor = this.anchorOf(element);
    if (title === '') return false;
    const level = Number(element.tagName[1]);
    if (anchor === undefined && !this.isTitle(level)) {
      // No link leads there: it stays a part of the section.
      this.section.blocks.push({ text: title, isCode: false, weight: 1, isHeading: true });
      return false;
    }
    while (this.headings.length > 0 && this.headings.at(-1)!.level >= level) this.headings.pop();
    this.begin(title, anchor, []);
    this.headings.push({ level, section: this.section });
    this.headingCount += 1;
    return false;
  }

  /** Whether a heading is that of the whole page: the first of the first level. */
  private isTitle(level: number): boolean {
    return level === 1 && this.headings.length === 0;
  }

  /** Whether the term of a definition list is a section. */
  private term(element: Element): boolean {
    this.endBlock();
    const list = this.lists.at(-1);
    if (!list) return false;
    const id = idOf(element) ?? idInside(element);
    const text = textOf(element);
    if (!id || text === '') {
      if (list.term) this.section = list.around;
      list.term = undefined;
      return false;
    }
    const title = termTitle(text);
    const { term } = list;
    if (term && this.section === term && term.blocks.every((block) => block === signatures.get(term))) {
      // Several terms have one definition.
      if (term.title.length + title.length < maxTitle) term.title += `, ${title}`;
    } else {
      this.section = list.around;
      this.begin(title, id, this.lists.slice(0, -1));
      list.term = this.section;
    }
    if (text !== title) {
      const signature = { text, isCode: false, weight: 1 };
      this.section.blocks.push(signature);
      signatures.set(this.section, signature);
    }
    this.openings.clear();
    return true;
  }

  private endList(): void {
    const list = this.lists.pop();
    if (list?.headings === this.headingCount) this.section = list.around;
  }

  private begin(title: string, anchor: string | undefined, lists: readonly List[]): void {
    const above = [...this.headings.map(({ section }) => section), ...lists.flatMap(({ term }) => term ?? [])];
    // Links lead to the first element with an id. Near it is better than at the beginning of the page.
    const isFree = anchor !== undefined && !this.anchors.has(anchor);
    if (isFree) this.anchors.add(anchor);
    this.section = {
      anchor: isFree ? anchor : (above.at(-1)?.anchor ?? ''),
      title,
      trail: above.map((section) => section.title),
      blocks: [],
    };
    this.sections.push(this.section);
  }

  /** The id of a heading, of an element in it, of the element that it opens, or of an empty element before it. */
  private anchorOf(element: Element): string | undefined {
    this.openings.delete(element);
    const before = [...this.openings.values()];
    const opened = before.filter(({ isOpen }) => isOpen);
    this.openings.clear();
    return idOf(element) ?? idInside(element) ?? opened.at(-1)?.id ?? before.at(-1)?.id;
  }
}

/** The first paragraph of a section for a term: all of the term. */
const signatures = new WeakMap<SectionDraft, Block>();

function idOf(element: Element): string | undefined {
  return attributeOf(element, 'id') || (element.tagName === 'a' && attributeOf(element, 'name')) || undefined;
}

function idInside(element: Element): string | undefined {
  let id: string | undefined;
  walk(element, {
    enter(child) {
      id ??= idOf(child);
      return true;
    },
    isDone: () => id !== undefined,
  });
  return id;
}

/** Without the parameters of a function. */
function termTitle(text: string): string {
  const [, name] = /^([^(]{2,})\(/.exec(text) ?? [];
  return shortened(name === undefined || /\s$/.test(name) ? text : `${name}()`);
}

function shortened(title: string): string {
  if (title.length <= maxTitle) return title;
  const cut = title.slice(0, maxTitle - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxTitle / 2)).trimEnd()}…`.replace(/\p{Surrogate}/gu, '');
}

/** Without the empty lines around it. */
function codeText(text: string): string {
  const code = text
    .trimEnd()
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Surrogate}/gu, '\ufffd');
  return code.slice(code.lastIndexOf('\n', code.search(/[^ \t\n]/)) + 1);
}
