// How the Hub is asked: what the option `hub` says, then what the environment says.

import { hub as platform } from '#sources/hub';

import { inputError } from '../../base/errors.js';
import { checkOptions, type Rule } from '../../base/options.js';
import { boolean } from '../../base/rules.js';
import type { HubOptions } from '../../base/types.js';
import type { HubAccess } from './types.js';

const hubEndpoint = 'https://huggingface.co';

const text: Rule = ['a string', (value) => typeof value === 'string'];
/** Any value passes here: a message would show the one that does not. */
const secret: Rule = ['a token', () => true];
const rules: Record<keyof HubOptions, Rule> = { endpoint: text, token: secret, offline: boolean };

export async function hubAccess(options: HubOptions | undefined): Promise<HubAccess> {
  checkOptions(options, rules, 'hub');
  const defaults = await platform.defaults();
  const endpoint = checkEndpoint(options?.endpoint || defaults.endpoint || hubEndpoint);
  const token = options?.token ?? defaults.token;
  // fetch would show it in the message of its error.
  if (token !== undefined && !(typeof token === 'string' && /^[\x21-\x7e]+$/.test(token))) {
    throw inputError('wrong_type', 'hub: the token must be a string of visible ASCII characters (it is not shown here)');
  }
  return { endpoint, token, offline: options?.offline ?? defaults.offline, folder: defaults.folder };
}

function checkEndpoint(endpoint: string): string {
  const url = urlOf(endpoint);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  throw inputError('wrong_type', 'hub: the endpoint must be a URL, http: or https:, without user, password, query and hash');
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
