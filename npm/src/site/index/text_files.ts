// Collects what results show, in compressed files of some kilobytes. A page that does not fit continues in the next
// file, which begins with the page's titles again, so that a result needs one file.

import { ByteWriter } from '../format/byte_writer.js';
import type { SitePage } from '../page.js';
import { begin, type FolderWriter, stored } from './stored_file.js';

/** Bytes of a file before compression: about two fifths after it. */
const fileBytes = 6_000;
/**
 * Hosts limit the number of files: from this number on, files grow, and are twice as large after each `doublingFiles`
 * more.
 */
const smallFiles = 2_000;
const doublingFiles = 1_000;

/** The beginning of a file. */
export interface TextFileStart {
  section: number;
  /** Whether it begins inside of the section. */
  isInside: boolean;
}

export class TextFiles {
  readonly starts: TextFileStart[] = [];
  private readonly files: Uint8Array[] = [];
  private waiting = new ByteWriter();
  private limit = fileBytes;

  /** The sections of the page have numbers that follow `firstSection`. */
  add(page: SitePage, pageNumber: number, firstSection: number): void {
    const header = new ByteWriter();
    header.byte(1);
    header.number(pageNumber);
    header.text(page.url);
    header.text(page.title);
    header.text(JSON.stringify(page.meta));
    let isOpen = false;
    const start = (section: number, isInside: boolean) => {
      if (isOpen && this.waiting.length < this.limit) return;
      if (this.waiting.length >= this.limit) this.flush();
      if (this.waiting.length === 0) this.starts.push({ section, isInside });
      if (!isOpen || this.waiting.length === 0) this.waiting.raw(header.taken());
      isOpen = true;
    };
    page.sections.forEach((section, i) => {
      const number = firstSection + i;
      const titles = new ByteWriter();
      titles.byte(2);
      titles.number(number);
      titles.text(section.anchor);
      titles.text(section.title);
      start(number, false);
      this.waiting.raw(titles.taken());
      section.passages.forEach((passage, at) => {
        if (at > 0 && this.waiting.length >= this.limit) {
          start(number, true);
          this.waiting.raw(titles.taken());
        }
        this.waiting.byte(passage.isCode ? 4 : 3);
        this.waiting.number(at);
        this.waiting.text(passage.text);
      });
    });
  }

  private flush(): void {
    const content = begin('texts', this.files.length);
    content.raw(this.waiting.taken());
    this.files.push(stored(content.taken()));
    this.waiting = new ByteWriter();
    this.limit = fileBytes * 2 ** Math.floor(Math.max(0, this.files.length - smallFiles) / doublingFiles);
  }

  async write(folder: FolderWriter): Promise<void> {
    if (this.waiting.length > 0) this.flush();
    for (const [number, bytes] of this.files.entries()) await folder.bytes('texts', number, bytes);
  }
}
