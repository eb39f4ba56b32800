// The Hub that models are loaded from by name: huggingface.co, or the one that <meta name="hub" content="URL"> of the
// page names.

import type { HubOptions } from 'quintet';

const named = document.querySelector<HTMLMetaElement>('meta[name=hub]')?.content;

/** For the options of a load. */
export const hub: { hub?: HubOptions } = named ? { hub: { endpoint: new URL(named, location.href).href } } : {};
