// The codes and reasons of npm/src/base/errors.ts and the fallbacks of npm/src/base/fallbacks.ts, with their comments.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const pathOf = (name) => fileURLToPath(new URL(`../../npm/src/base/${name}.ts`, import.meta.url));

/**
 * { codes: [{ name, happened, remedy }], reasons: [{ name, codes: [...], happened, remedy }] }, in the order of the
 * source.
 */
export function readErrorList(source = readFileSync(pathOf('errors'), 'utf8')) {
  const file = parse(source);
  const codes = membersOf(file, 'ErrorCode').map(({ name, text }) => ({ name, ...described(name, text) }));
  const reasons = membersOf(file, 'ErrorReason').map(({ name, text }) => {
    const [, named, rest] = /^With ((?:`\w+`, )*`\w+`): (.*)$/.exec(text) ?? fail(name, 'begins with "With `CODE`:"');
    return { name, codes: [...named.matchAll(/\w+/g)].map(([code]) => code), ...described(name, rest) };
  });
  return { codes, reasons };
}

/** [{ name, happened, instead }] */
export function readFallbackList(source = readFileSync(pathOf('fallbacks'), 'utf8')) {
  return membersOf(parse(source), 'FallbackCode').map(({ name, text }) => {
    const [, happened, instead] = /^(.+?)\.? Instead: (.+?)\.?$/.exec(text) ?? fail(name, 'has "Instead:"');
    return { name, happened: capitalized(happened), instead: capitalized(instead) };
  });
}

const parse = (source) => ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);

function described(name, text) {
  const [, happened, remedy] = /^(.+?)\.? What to do: (.+?)\.?$/.exec(text) ?? fail(name, 'has "What to do:"');
  return { happened: capitalized(happened), remedy: capitalized(remedy) };
}

/** The string literals of a union type, each with the text of the comment before it. */
function membersOf(file, typeName) {
  const alias = file.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === typeName);
  return alias.type.types.map((member) => {
    const comments = ts.getLeadingCommentRanges(file.text, endOfTokenBefore(member, alias.type)) ?? [];
    const doc = comments.map(({ pos, end }) => file.text.slice(pos, end)).findLast((text) => text.startsWith('/**'));
    return { name: member.literal.text, text: plain(doc ?? fail(member.literal.text, 'has a comment')) };
  });
}

/** The end of the last member: comments are before the `|`. */
function endOfTokenBefore(member, union) {
  const at = union.types.indexOf(member);
  return at === 0 ? union.getFullStart() : union.types[at - 1].getEnd();
}

const plain = (comment) =>
  comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

function fail(name, rule) {
  throw new Error(`npm/src/base: every code and reason ${rule}; '${name}' does not`);
}
