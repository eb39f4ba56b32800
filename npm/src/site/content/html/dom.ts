// The tree of a page. A page may be broken or hostile: nothing here recurses, and a tree that grows out of all
// proportion is cut off, as what browsers do (they stop nesting at a depth of 512).

import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';

export type Element = DefaultTreeAdapterMap['element'];
export type Node = DefaultTreeAdapterMap['node'];
export type Document = DefaultTreeAdapterMap['document'];

/** The work of the parser grows with the depth for each element. */
const maxDepth = 1000;
/** Misnested formatting elements multiply: their number may grow with the square of the page's length. */
const maxElements = 2_000_000;

export interface ParsedDocument {
  document: Document;
  /** Why the rest of the page was not read. */
  cutOff?: string;
}

class CutOff extends Error {}

/** Never throws, for any text. */
export function parseDocument(text: string): ParsedDocument {
  let document!: Document;
  let depth = 0;
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createDocument: () => (document = defaultTreeAdapter.createDocument()),
    createElement(...named) {
      if (++elements > maxElements) throw new CutOff(`it has more than ${maxElements} elements`);
      return defaultTreeAdapter.createElement(...named);
    },
    onItemPush() {
      if (++depth > maxDepth) throw new CutOff(`its elements are nested deeper than ${maxDepth}`);
    },
    onItemPop() {
      --depth;
    },
  };
  try {
    return { document: parse(text, { treeAdapter }) };
  } catch (error) {
    if (!(error instanceof CutOff)) throw error;
    return { document, cutOff: error.message };
  }
}

export const isElement = (node: Node): node is Element => 'tagName' in node;

export function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

export interface Visitor {
  /** Whether to go into the element; without that, `leave` is not called either. */
  enter(element: Element): boolean;
  leave?(element: Element): void;
  text?(text: string): void;
  /** Ends the walk. */
  isDone?(): boolean;
}

/** Goes through all that is in `root`, but not `root` itself, in the order of the page. */
export function walk(root: Node, visitor: Visitor): void {
  const path: { node: Node; next: number }[] = [{ node: root, next: 0 }];
  for (let last = path[0]; last && !visitor.isDone?.(); last = path.at(-1)) {
    const child: Node | undefined = 'childNodes' in last.node ? last.node.childNodes[last.next] : undefined;
    last.next += 1;
    if (!child) {
      path.pop();
      if (path.length > 0) visitor.leave?.(last.node as Element);
    } else if (isElement(child)) {
      if (visitor.enter(child)) path.push({ node: child, next: 0 });
    } else if (child.nodeName === '#text') {
      visitor.text?.((child as DefaultTreeAdapterMap['textNode']).value);
    }
  }
}
