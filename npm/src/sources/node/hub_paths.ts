// The places where huggingface_hub keeps its files (src/huggingface_hub/constants.py of huggingface/huggingface_hub).

import { homedir } from 'node:os';
import { join } from 'node:path';

/** Values of variables that mean yes. */
export const isTrue = (value: string | undefined): boolean => /^(1|on|yes|true)$/i.test(value ?? '');

export function hubHome(): string {
  const { HF_HOME, XDG_CACHE_HOME } = process.env;
  return expanded(HF_HOME || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'huggingface'));
}

/** The folder of all repositories. */
export function hubCache(): string {
  const { HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE } = process.env;
  return expanded(HF_HUB_CACHE || HUGGINGFACE_HUB_CACHE || join(hubHome(), 'hub'));
}

const prefix = 'models--';

/** The name of a repository's folder: models--OWNER--NAME. */
export const folderName = (repository: string): string => prefix + repository.replaceAll('/', '--');

/** The repository of a folder; undefined for other folders. */
export const repositoryOf = (folder: string): string | undefined =>
  folder.startsWith(prefix) ? folder.slice(prefix.length).replaceAll('--', '/') : undefined;

const expanded = (path: string): string =>
  path
    .replace(/^~(?=$|[/\\])/, homedir())
    .replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced: string, plain: string) => process.env[braced ?? plain] ?? whole);
