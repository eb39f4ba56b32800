// Thumbnails in a grid. Each is a button for more like it, and arrow keys go from one to another.

import { element } from '../shared/dom.js';
import type { Shown } from './library/protocol.js';

interface Tile {
  item: HTMLLIElement;
  score: HTMLElement;
  button: HTMLButtonElement;
  url: string | undefined;
}

export class Grid {
  private tiles = new Map<string, Tile>();

  constructor(
    private readonly host: HTMLElement,
    private readonly onPick: (picture: Shown) => void,
  ) {
    host.addEventListener('keydown', (event) => this.move(event));
  }

  get hasFocus(): boolean {
    return this.host.contains(document.activeElement);
  }

  focusFirst(): void {
    this.buttons[0]?.focus();
  }

  /** Tiles that are shown already stay, so nothing flickers. */
  show(pictures: readonly Shown[]): void {
    const before = this.tiles;
    this.tiles = new Map();
    for (const picture of pictures) {
      const known = before.get(picture.id);
      const isComplete = known && (known.url !== undefined || !picture.thumbnail);
      const tile = isComplete ? known : this.tileOf(picture);
      if (tile === known) before.delete(picture.id);
      label(tile, picture);
      this.tiles.set(picture.id, tile);
    }
    this.host.replaceChildren(...[...this.tiles.values()].map(({ item }) => item));
    for (const { url } of before.values()) if (url) URL.revokeObjectURL(url);
  }

  private get buttons(): HTMLButtonElement[] {
    return [...this.tiles.values()].map(({ button }) => button);
  }

  private move(event: KeyboardEvent): void {
    const { buttons } = this;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const columns = buttons.filter(({ offsetTop }) => offsetTop === buttons[0]!.offsetTop).length;
    const places: Partial<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: buttons.length - 1,
    };
    const next = buttons[places[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  private tileOf(picture: Shown): Tile {
    const url = picture.thumbnail && URL.createObjectURL(picture.thumbnail);
    const image = element('img', { alt: '', decoding: 'async', ...(url && { src: url }) });
    const score = element('span', { className: 'score' });
    const name = element('span', { className: 'name' }, nameOf(picture));
    const button = element('button', { type: 'button', className: 'tile' }, image, name, score);
    button.dataset['path'] = picture.path;
    button.onclick = () => this.onPick(picture);
    return { item: element('li', {}, button), score, button, url };
  }
}

/** The name of its file. */
export const nameOf = ({ path }: Shown): string => path.split('/').at(-1)!;

function label({ score, button }: Tile, picture: Shown): void {
  const words = picture.score?.toFixed(3);
  score.textContent = words ?? '';
  button.ariaLabel = `${picture.path}${words ? `, score ${words}` : ''}: more like this`;
}
