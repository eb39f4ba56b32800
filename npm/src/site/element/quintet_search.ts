import type { Site, SiteHit } from '../types.js';
import { openSite } from '../worker/open_site.js';
import { queryOfAddress, showInAddress } from './address.js';
import { element, icon } from './dom.js';
import { back, magnifier } from './icons.js';
import type { Highlighting } from './links.js';
import { SearchBox } from './search_box.js';
import { sheet } from './sheet.js';
import { addShortcuts, isFirst, removeShortcuts, shortcutKeys, shortcutText } from './shortcuts.js';
import { ownTexts, textAttributes, textsOf } from './texts.js';

/** In Node, where pages are rendered ahead of time, there are no elements. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

const defaultLimit = 10;

/**
 * Searches a site: a button that opens a dialog, or with `inline` a box in the page. Attributes: `src`, the folder of
 * the index (that of the script by default); `base`, the root of the site (the folder above `src`); `lang`;
 * `placeholder`; `mode` (`hybrid` or `keyword`); `embedder` (loads that of the index); `limit` (pages, 10); `highlight`
 * (`fragment`, `words` or `none`); `sync-url`; `shortcuts="none"`; `text-*`.
 */
export class QuintetSearch extends Base {
  static readonly observedAttributes = [
    ...[
      'inline',
      'src',
      'base',
      'lang',
      'placeholder',
      'mode',
      'embedder',
      'limit',
      'highlight',
      'sync-url',
      'shortcuts',
    ],
    ...textAttributes,
  ];

  #box: SearchBox | undefined;
  #dialog: HTMLDialogElement | undefined;
  #opened: Promise<Site> | undefined;
  #given: Site | undefined;
  #returnTo: Element | null = null;
  #isChanged = false;

  connectedCallback(): void {
    addShortcuts(this);
    this.#build();
    const query = isFirst(this) ? queryOfAddress() : '';
    if (query) this.search(query);
  }

  disconnectedCallback(): void {
    removeShortcuts(this);
    this.#box?.stop();
    this.#closeSite();
  }

  attributeChangedCallback(_: string, before: string | null, now: string | null): void {
    if (!this.#box || before === now || this.#isChanged) return;
    // Several at once, as frameworks set them.
    this.#isChanged = true;
    queueMicrotask(() => {
      this.#isChanged = false;
      if (!this.isConnected) return;
      this.#closeSite();
      this.#build();
    });
  }

  /** The opened index, in place of that which `src` names. It is not closed with the element. */
  get site(): Site | undefined {
    return this.#given;
  }

  set site(site: Site | undefined) {
    this.#closeSite();
    this.#given = site;
    this.#box?.repeat();
  }

  /** Opens the dialog; a box in the page gets the focus. */
  open(): void {
    if (this.#dialog && !this.#dialog.open) {
      this.#returnTo = focused();
      this.#dialog.showModal();
    }
    this.#box?.input.focus();
    this.#box?.input.select();
    this.#box?.prepare();
  }

  close(): void {
    this.#dialog?.close();
  }

  /** Opens the search with this text. */
  search(query: string): void {
    this.#box?.search(query);
    if (this.#dialog) this.open();
  }

  #build(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet()];
    this.#box?.stop();
    const lang = this.lang || this.closest('[lang]')?.getAttribute('lang') || navigator.language;
    const texts = textsOf(lang, ownTexts(this));
    const isInline = this.hasAttribute('inline');
    const close = isInline
      ? undefined
      : element(
          'button',
          { part: 'close', type: 'button', 'aria-label': texts.close },
          element('kbd', {}, 'Esc'),
          icon(back),
        );
    const source = this.#source();
    const box = new SearchBox({
      texts,
      close,
      placeholder: this.getAttribute('placeholder') ?? texts.search,
      limit: Math.max(1, Math.trunc(Number(this.getAttribute('limit'))) || defaultLimit),
      mode: this.getAttribute('mode') === 'keyword' ? 'keyword' : 'hybrid',
      root: new URL(this.getAttribute('base') ?? '../', this.hasAttribute('base') ? document.baseURI : source),
      highlighting: this.#highlighting(),
      template: this.querySelector<HTMLTemplateElement>(':scope > template'),
      openSite: () => this.#openSite(source, lang),
      asked: (query) => this.hasAttribute('sync-url') && showInAddress(query),
      answered: (query, hits) => this.#tell('quintet-search', { query, hits }),
    });
    this.#box = box;
    box.element.addEventListener('click', (event) => this.#selected(event));
    this.#dialog = isInline ? undefined : this.#dialogOf(box, texts.search);
    close?.addEventListener('click', () => this.close());
    const hasOwnFooter = this.querySelector(':scope > [slot=footer]') !== null;
    if (!isInline || hasOwnFooter) box.element.append(footer(texts, !isInline, hasOwnFooter));
    const all = element('div', {
      part: 'root',
      class: isInline ? 'inline' : 'modal',
      dir: texts.dir,
      lang: texts.lang,
    });
    if (this.#dialog) all.append(this.#trigger(texts.search), this.#dialog);
    else all.append(box.element);
    // The embedder is a large download: it waits until a visitor is about to type.
    const isEmbedded = this.hasAttribute('embedder');
    box.input.addEventListener('focus', () => (isEmbedded ? box.loadEmbedder() : box.prepare()), { once: true });
    root.replaceChildren(all);
  }

  #trigger(label: string): HTMLElement {
    const hasKeys = this.getAttribute('shortcuts') !== 'none';
    const button = element(
      'button',
      { part: 'trigger', type: 'button', 'aria-haspopup': 'dialog', 'aria-label': label },
      icon(magnifier),
      element('span', { part: 'trigger-text' }, label),
    );
    if (hasKeys) {
      button.setAttribute('aria-keyshortcuts', shortcutKeys());
      button.append(element('kbd', { part: 'trigger-keys', 'aria-hidden': 'true' }, shortcutText()));
    }
    const slot = element('slot', { name: 'trigger' }, button);
    slot.addEventListener('click', () => this.open());
    // Most who point at it are about to search.
    slot.addEventListener('pointerenter', () => this.#box?.prepare(), { once: true });
    return slot;
  }

  #dialogOf(box: SearchBox, label: string): HTMLDialogElement {
    const dialog = element('dialog', { part: 'dialog', 'aria-label': label }, box.element);
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) this.close();
    });
    dialog.addEventListener('close', () => {
      if (this.hasAttribute('sync-url')) showInAddress('');
      if (this.#returnTo instanceof HTMLElement) this.#returnTo.focus();
    });
    return dialog;
  }

  #selected(event: MouseEvent): void {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!link) return;
    const query = this.#box!.input.value.trim();
    if (!this.#tell('quintet-select', { query, url: link.href })) event.preventDefault();
    const isOtherTab = event.ctrlKey || event.metaKey || event.shiftKey;
    if (isOtherTab) return;
    // The target may be on this page, which is not loaded again.
    this.#returnTo = null;
    this.close();
  }

  /** False if a listener has prevented it. */
  #tell(type: 'quintet-search' | 'quintet-select', detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, cancelable: true }));
  }

  #source(): URL {
    const src = this.getAttribute('src');
    if (src === null) return new URL('./', import.meta.url);
    return new URL(src.endsWith('/') ? src : `${src}/`, document.baseURI);
  }

  #highlighting(): Highlighting {
    const asked = this.getAttribute('highlight');
    return asked === 'words' || asked === 'none' ? asked : 'fragment';
  }

  #openSite(source: URL, lang: string): Promise<Site> {
    if (this.#given) return Promise.resolve(this.#given);
    this.#opened ??= openSite(source, { lang }).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  #closeSite(): void {
    this.#opened?.then((site) => site.close()).catch(() => {});
    this.#opened = undefined;
  }
}

/** The footer: help for keys, and content added by the page. */
function footer(
  { navigate, open }: { navigate: string; open: string },
  hasKeys: boolean,
  hasOwn: boolean,
): HTMLElement {
  const made = element(
    'div',
    { part: 'footer', class: hasOwn ? undefined : 'keys-only' },
    element('slot', { name: 'footer' }),
  );
  if (hasKeys) {
    const keys = [element('kbd', {}, '↑'), element('kbd', {}, '↓'), navigate, element('kbd', {}, '↵'), open];
    made.prepend(element('span', { class: 'keys', 'aria-hidden': 'true' }, ...keys));
  }
  return made;
}

/** The element with the focus, also within shadow trees. */
function focused(): Element | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found;
}

/** The details of the events. */
export interface QuintetSearchEvents {
  /** Results have arrived, by words and by meaning. */
  'quintet-search': CustomEvent<{ query: string; hits: SiteHit[] }>;
  /** A result was chosen. Cancelable: a router may go there itself. */
  'quintet-select': CustomEvent<{ query: string; url: string }>;
}
