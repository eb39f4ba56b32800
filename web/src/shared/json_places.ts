// Where in a JSON text the value is that an error message means.

export interface Place {
  start: number;
  end: number;
}

interface Container {
  pointer: string | undefined;
  start: number;
  /** The key of the value that is being read: its index in a list, its name in an object. */
  key: string | number;
  /** The next text in an object is a name. */
  namesNext: boolean;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** The smallest value of a valid JSON text whose JSON pointer a message has: `not at #/properties/a, …`. */
export function placeIn(json: string, message: string): Place | undefined {
  let best = { pointer: '', start: 0, end: 0 };
  const open: Container[] = [];
  /** Undefined unless the message has it: most values need no pointer. */
  const pointerOfNext = (): string | undefined => {
    const parent = open.at(-1);
    const pointer = parent ? parent.pointer && `${parent.pointer}/${escaped(parent.key)}` : '#';
    return pointer && message.includes(` at ${pointer}`) ? pointer : undefined;
  };
  const take = (pointer: string | undefined, start: number, end: number): void => {
    if (pointer && pointer.length > best.pointer.length) best = { pointer, start, end };
  };

  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const within = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ pointer: pointerOfNext(), start: index, key: token === '[' ? 0 : '', namesNext: token === '{' });
    } else if (token === '}' || token === ']') {
      open.pop();
      take(within!.pointer, within!.start, index + 1);
    } else if (token === ',') {
      if (typeof within!.key === 'number') within!.key++;
      else within!.namesNext = true;
    } else if (within?.namesNext) {
      [within.key, within.namesNext] = [JSON.parse(token) as string, false];
    } else if (token !== ':') {
      take(pointerOfNext(), index, index + token.length);
    }
  }
  return best.pointer ? best : undefined;
}

const escaped = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');
