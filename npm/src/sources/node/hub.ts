// The Hub in Node. The variables and files are those of huggingface_hub
// (https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables).

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { HubPlatform } from '../hub/types.js';
import { hubCache, hubHome, isTrue } from './hub_paths.js';

export async function hubDefaults(): ReturnType<HubPlatform['defaults']> {
  const { HF_ENDPOINT, HF_HUB_OFFLINE, TRANSFORMERS_OFFLINE } = process.env;
  return {
    endpoint: HF_ENDPOINT,
    token: await savedToken(),
    offline: isTrue(HF_HUB_OFFLINE || TRANSFORMERS_OFFLINE),
    folder: hubCache(),
  };
}

/** The token from the environment, or the one that `hf auth login` has saved. */
async function savedToken(): Promise<string | undefined> {
  const { HF_TOKEN, HUGGING_FACE_HUB_TOKEN, HF_TOKEN_PATH } = process.env;
  const token =
    HF_TOKEN ||
    HUGGING_FACE_HUB_TOKEN ||
    (await readFile(HF_TOKEN_PATH || join(hubHome(), 'token'), 'utf8').catch(() => ''));
  return token.trim() || undefined;
}
