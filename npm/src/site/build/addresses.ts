// Maps addresses to pages of the site.

/** Normalizes the addresses of a page: without query and fragment, `index.html`, `.html`, and slashes at the ends. */
export function pageKey(url: string): string {
  return decoded(url.replace(/[?#].*$/s, ''))
    .replace(/(^|\/)index\.x?html?$/i, '$1')
    .replace(/\.x?html?$/i, '')
    .replace(/^\/+|\/+$/g, '');
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

interface Addressed {
  url: string;
  canonical: string | undefined;
}

/** Stands for the host of the site in addresses without one. */
const ownHost = 'site';

/** Finds the addresses of a site from the canonical links of its pages: most of them agree. */
export class SiteAddress {
  private readonly bases: ReadonlySet<string>;

  /** `base`: the address of the site, if it is known. */
  constructor(pages: Iterable<Addressed>, base: string | undefined) {
    const counts = new Map<string, number>();
    for (const page of pages) {
      const own = pageKey(page.url);
      const address = addressOf(page);
      if (!address?.endsWith(`/${own}`)) continue;
      const prefix = address.slice(0, address.length - own.length);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
    const [inferred] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    const given = base === undefined ? undefined : addressOf({ url: '', canonical: base });
    this.bases = new Set([given && slashed(given), inferred?.[0], `${ownHost}/`].filter((each) => each !== undefined));
  }

  /** The key of the page of this site that a page names as canonical; undefined if it names none, or one elsewhere. */
  canonicalKey(page: Addressed): string | undefined {
    const address = addressOf(page);
    if (address === undefined) return undefined;
    for (const base of this.bases) if (slashed(address).startsWith(base)) return address.slice(base.length);
    return undefined;
  }
}

const slashed = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

/** Host and path of what a page names as canonical; its scheme does not matter. */
function addressOf({ url, canonical }: Addressed): string | undefined {
  if (!canonical) return undefined;
  try {
    const { host, pathname } = new URL(canonical, `site://${ownHost}/${url}`);
    return `${host}/${pageKey(pathname)}`;
  } catch {
    return undefined;
  }
}
