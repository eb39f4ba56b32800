// Cuts a page at its headings, for engines that do not read HTML.
import { parse } from 'parse5';

const LEFT_OUT = /^(script|style|nav)$/;
const LEFT_OUT_CLASS = /(^| )(navheader|navfooter|headerlink|permalink|top|toplang|bottomlang)( |$)/;
const BLOCK = /^(p|div|dd|dt|li|pre|td|th|tr|table|section)$/;

const attributeOf = (node, name) => node.attrs?.find((each) => each.name === name)?.value;
const squash = (text) => text.replace(/\s+/g, ' ').trim();
const isLeftOut = (node) =>
  LEFT_OUT.test(node.nodeName) ||
  LEFT_OUT_CLASS.test(attributeOf(node, 'class') ?? '') ||
  attributeOf(node, 'id') === 'quickview';

function find(node, test) {
  if (test(node)) return node;
  for (const child of node.childNodes ?? []) {
    const found = find(child, test);
    if (found) return found;
  }
  return undefined;
}

const textIn = (node) =>
  node.nodeName === '#text' ? node.value : isLeftOut(node) ? '' : (node.childNodes ?? []).map(textIn).join('');

/** `main`: a tag, `.class` or `#id`. */
function matches(main) {
  if (main.startsWith('#')) return (node) => attributeOf(node, 'id') === main.slice(1);
  if (main.startsWith('.')) return (node) => attributeOf(node, 'class')?.split(/\s+/).includes(main.slice(1));
  return (node) => node.nodeName === main;
}

/** { lang, sections: [{ title, titles, text }] } */
export function sectionsOf(html, main) {
  const document = parse(html);
  const titled = find(document, (node) => node.nodeName === 'title');
  const sections = [{ title: titled ? squash(textIn(titled)) : '', titles: '', text: '' }];
  let above = [];
  const visit = (node) => {
    if (node.nodeName === '#text') sections.at(-1).text += node.value;
    if (!node.childNodes || isLeftOut(node)) return;
    const level = /^h([1-6])$/.exec(node.nodeName)?.[1];
    if (level) {
      above = above.filter((heading) => heading.level < level);
      const title = squash(textIn(node));
      sections.push({ title, titles: above.map((heading) => heading.title).join(' '), text: '' });
      above.push({ level, title });
      return;
    }
    node.childNodes.forEach(visit);
    if (BLOCK.test(node.nodeName)) sections.at(-1).text += ' ';
  };
  const root = find(document, matches(main)) ?? find(document, (node) => node.nodeName === 'body');
  root.childNodes.forEach(visit);
  const element = find(document, (node) => node.nodeName === 'html');
  return {
    lang: attributeOf(element, 'lang') ?? '',
    sections: sections.map((section) => ({ ...section, text: squash(section.text) })),
  };
}
