// The pages of an index that is being made, as callers add them.

import { resolve } from 'node:path';

import { inputError } from '../../base/errors.js';
import { checkOptions, typeName } from '../../base/values.js';
import { checkRecord, type SiteRecord } from '../content/record.js';
import { type SiteIndexOptions, type WriteSiteOptions, writeRules } from './options.js';
import type { GivenPage } from './page_reading.js';
import type { SiteReport } from './report.js';
import { type PageSource, writeIndex } from './write_index.js';

/** An index under construction. Pages and records are read when the index is written. */
export class SiteIndex {
  private readonly sources: PageSource[] = [];

  /** @internal */
  constructor(private readonly options: SiteIndexOptions) {}

  /** Adds the pages of a folder: `.html`, or `.md` if it has no HTML. */
  addDirectory(dir: string): this {
    if (typeof dir !== 'string' || dir === '') {
      throw inputError('wrong_type', `addDirectory: the folder must be a non-empty string, not ${typeName(dir)}`);
    }
    this.sources.push({ dir: resolve(dir) });
    return this;
  }

  /** Adds a page of HTML that is not a file. `url`: relative to the root of the site. */
  addHtml({ url, content }: { url: string; content: string }): this {
    if (typeof url !== 'string' || typeof content !== 'string') {
      throw inputError('wrong_type', 'addHtml: url and content must be strings');
    }
    return this.addPage({ kind: 'html', url, content: new TextEncoder().encode(`\ufeff${content}`) });
  }

  /**
   * Adds a page by its text.
   * @throws QuintetError INPUT
   */
  addRecord(record: SiteRecord): this {
    checkRecord(record);
    return this.addPage({ kind: 'record', url: record.url, content: record });
  }

  private addPage(page: GivenPage): this {
    this.sources.push({ page: { ...page, url: page.url.replace(/^(\.?\/)+/, '') } });
    return this;
  }

  /**
   * Writes the index with its scripts into a folder. The index that was there is replaced at the end; other files stay.
   * @throws QuintetError IO, ABORTED
   */
  write(out: string, options: WriteSiteOptions = {}): Promise<SiteReport> {
    checkOptions(options, writeRules, 'write');
    return writeIndex(this.sources, resolve(out), { ...this.options, ...options });
  }
}
