// The picture that others are to be like: one of the collection, or a file.

import type { ImageEmbedder } from 'quintet';

import { byId } from '../shared/dom.js';
import { nameOf } from './grid.js';
import type { Library, Shown } from './library/protocol.js';

export interface Likeness {
  /** Absent for a picture that is not in the collection. */
  id?: string;
  /** Undefined without a vector of the model in use. */
  vector(): Promise<Float32Array | undefined>;
}

export class LikenessBox {
  private readonly box = byId('like', HTMLElement);
  private readonly image = byId('like-picture', HTMLImageElement);
  private readonly name = byId('like-name', HTMLElement);
  private readonly clear = byId('clear-like', HTMLButtonElement);
  current: Likeness | undefined;

  constructor(
    private readonly library: Library,
    private readonly model: () => ImageEmbedder | undefined,
    private readonly onChange: () => void,
  ) {
    this.clear.onclick = () => {
      this.drop();
      onChange();
    };
    const input = byId('like-file', HTMLInputElement);
    input.onchange = () => {
      const [file] = [...(input.files ?? [])];
      input.value = '';
      if (file) this.take(file.name, file, { vector: async () => this.model()?.embedImage(file) });
    };
  }

  pick(picture: Shown): void {
    const { id, thumbnail } = picture;
    this.take(nameOf(picture), thumbnail, { id, vector: () => this.library.vectorOf(id) });
    // The grid is about to change under the keyboard.
    this.clear.focus();
  }

  drop(): void {
    this.current = undefined;
    this.show('', undefined);
  }

  private take(name: string, picture: Blob | undefined, likeness: Likeness): void {
    this.current = likeness;
    this.show(name, picture);
    this.onChange();
  }

  private show(name: string, picture: Blob | undefined): void {
    URL.revokeObjectURL(this.image.src);
    if (picture) this.image.src = URL.createObjectURL(picture);
    else this.image.removeAttribute('src');
    this.name.textContent = name;
    this.box.hidden = !this.current;
  }
}
