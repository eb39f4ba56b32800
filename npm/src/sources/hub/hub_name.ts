// The names of models of the Hub: hf:OWNER/NAME, then @REVISION, then :QUANT or /FILE.

import { inputError, type QuintetError } from '../../base/errors.js';

export interface HubName {
  /** OWNER/NAME */
  repository: string;
  /** A branch, a tag or a commit. */
  revision: string;
  /** The quantization of a GGUF model. */
  quant?: string | undefined;
  /** One file of the repository. */
  file?: string | undefined;
}

const defaultRevision = 'main';
const spelling = "'hf:OWNER/NAME', with @REVISION, :QUANT or /FILE behind it";

// What the Hub allows in names (validate_repo_id in huggingface_hub's utils/_validators.py).
const namePart = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_-])?';
const repositoryName = new RegExp(`^(${namePart}/${namePart})(?=$|[@:/])(.*)$`);

/** Also takes what begins with hf://, as in Python. */
export function parseHubName(text: string): HubName {
  const [, repository, rest] = repositoryName.exec(text.replace(/^hf:(\/\/(models\/)?)?/i, '')) ?? [];
  if (repository === undefined || /--|\.\./.test(repository)) throw wrongName(text);
  const { revision, behind } = revisionOf(rest!);
  if (!isPath(revision)) throw wrongName(text);
  if (behind === '') return { repository, revision };
  const what = behind.slice(1);
  if (behind[0] === ':' && /^[\w.-]+$/.test(what)) return { repository, revision, quant: what };
  if (behind[0] === '/' && isPath(what)) return { repository, revision, file: what };
  throw wrongName(text);
}

function revisionOf(rest: string): { revision: string; behind: string } {
  if (rest[0] !== '@') return { revision: defaultRevision, behind: rest };
  // Only these references have slashes: refs/pr/1, refs/convert/parquet.
  const [, revision = '', behind = ''] = /^@(refs\/[^/:]+\/[^/:]+|[^/:]*)(.*)$/.exec(rest) ?? [];
  return { revision, behind };
}

const wrongName = (text: string): QuintetError =>
  inputError('malformed', `'${text}' is not the name of a model of the Hugging Face Hub: it must be ${spelling}`);

/** Whether a path stays within its folder, on every file system. */
export function isPath(path: string): boolean {
  const isPart = (part: string) => part !== '' && part !== '.' && part !== '..';
  return path.length <= 1024 && !/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path) && path.split('/').every(isPart);
}
