import { chunksOf } from './chunks.js';
import type { Passage } from './passage.js';

interface Section {
  /** The headings above, outermost first. */
  path: string[];
  line: number;
  text: string;
}

/**
 * One or more passages per section, with the headings as title. Emphasis, links and other markup are removed; code
 * stays unchanged.
 */
export function* markdownPassages(name: string, text: string, hasLines = true): Generator<Passage> {
  const fallback = name.replace(/\.[^.]+$/, '');
  for (const section of sectionsOf(text)) {
    const title = section.path.join(' › ') || fallback;
    const heading = section.path.at(-1);
    for (const chunk of chunksOf(section.text, section.line)) {
      yield {
        title,
        text: chunk.text,
        source: hasLines ? `${name}, line ${chunk.line}` : name,
        ...(heading ? { heading } : {}),
      };
    }
  }
}

function* sectionsOf(text: string): Generator<Section> {
  const path: string[] = [];
  const lines = text.split('\n');
  let body: string[] = [];
  let begin = frontMatterLines(lines);
  let fence: string | undefined;
  const section = (): Section => ({ path: path.filter(Boolean), line: begin + 1, text: body.join('\n') });
  for (let i = begin; i < lines.length; ++i) {
    const line = lines[i]!;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      body.push('');
      continue;
    }
    const heading = fence === undefined ? headingAt(lines, i) : undefined;
    if (!heading) {
      body.push(fence === undefined ? withoutMarks(line) : line);
      continue;
    }
    yield section();
    body = [];
    path.length = heading.level - 1;
    path[heading.level - 1] = withoutMarks(heading.text).trim();
    i += heading.lines - 1;
    begin = i + 1;
  }
  yield section();
}

/** "# Heading", or a line underlined with = or -. */
function headingAt(lines: string[], i: number): { level: number; text: string; lines: number } | undefined {
  const marked = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(lines[i]!);
  if (marked) return { level: marked[1]!.length, text: marked[2]!, lines: 1 };
  const underline = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(lines[i + 1] ?? '');
  // Below a list or a table, dashes mean something else.
  if (!underline || !/^ {0,3}[^\s>|*+\-#]/.test(lines[i]!)) return undefined;
  const isNewParagraph = i === 0 || lines[i - 1]!.trim() === '';
  return isNewParagraph ? { level: underline[1]!.startsWith('=') ? 1 : 2, text: lines[i]!, lines: 2 } : undefined;
}

function frontMatterLines(lines: string[]): number {
  if (lines[0] !== '---') return 0;
  return lines.findIndex((line, i) => i > 0 && (line === '---' || line === '...')) + 1;
}

const withoutMarks = (line: string): string =>
  line
    .replace(/^ {0,3}(?:>[ \t]?)+/, '')
    .replace(/^(\s*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/, '$1')
    .replace(/^ {0,3}(?:[-*_][ \t]*){3,}$/, '')
    .replace(/!?\[([^\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/!?\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/<(https?:[^>\s]+)>/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+)\*(?!\w)|(?<!\w)_(?=\S)([^_]+)_(?!\w)/g, '$1$2')
    .replace(/`([^`]+)`/g, '$1');
