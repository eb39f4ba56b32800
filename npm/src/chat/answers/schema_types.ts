// The types of a value according to a JSON schema.

import { isA } from '../../base/values.js';

/** References lead no deeper than this: they may lead back. */
const maxDepth = 8;

/**
 * The names of the types in a schema, as it writes them but in lower case; none if it does not name any. `root`: where
 * references begin.
 */
export function typesIn(schema: unknown, root: unknown, depth = 0): readonly string[] {
  if (!isA(schema, 'Object') || depth > maxDepth) return [];
  const { type, $ref, anyOf, oneOf, allOf, ...others } = schema as Record<string, unknown>;
  if (type !== undefined) return [type].flat().map((name) => String(name).trim().toLowerCase());
  const inside = [referred($ref, root), ...[anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? each : []))];
  const found = inside.flatMap((each) => typesIn(each, root, depth + 1));
  return found.length > 0 ? found : typesOfValues(others);
}

/** The target of a reference with a path from the root. */
export function referred(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined;
  const unescaped = (name: string) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => Object(value)[unescaped(name)], root);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function typesOfValues(schema: Record<string, unknown>): string[] {
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  return values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value));
}
