// Asks the Hub which files a repository has at a revision.

import { ioError, messageOf, QuintetError } from '../../base/errors.js';
import { askHub } from './requests.js';
import type { HubAccess, HubName, Listing, RepositoryFile } from './types.js';

/** More files are no model. The Hub leaves out what is beyond 50,000 in one answer. */
const mostListed = 50_000;
const mostPages = 100;
/** The largest answer that is read, in characters. */
const mostText = 64 << 20;

const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

interface Asked {
  access: HubAccess;
  name: HubName;
  signal: AbortSignal | undefined;
  isOptional?: boolean;
}

/**
 * One request (https://huggingface.co/docs/hub/api): the commit and, with `blobs`, all files with their sizes and hashes. If
 * the server leaves these out, as mirrors may, the tree is asked for, in pages.
 */
export async function listRepository(asked: Asked): Promise<Listing> {
  const { repository, revision } = asked.name;
  const { sha, siblings } = await revisionInfo(asked, 'blobs=true');
  const commit = checkCommit(sha, asked);
  const known = Array.isArray(siblings) && siblings.length < mostListed ? siblings.map(siblingFile) : [undefined];
  const files = known.includes(undefined) ? await treeOf(asked, commit) : (known as RepositoryFile[]);
  // A path that leads out of its folder is for no one.
  return { repository, revision, commit, files: files.filter(isSound), isWhole: true };
}

/** The commit that a revision stands for now: a small request. */
export async function commitOf(asked: Asked): Promise<string> {
  const { sha } = await revisionInfo(asked, 'expand=sha');
  return checkCommit(sha, asked);
}

function revisionInfo(asked: Asked, query: string): Promise<{ sha?: unknown; siblings?: unknown }> {
  const { repository, revision } = asked.name;
  const { endpoint } = asked.access;
  return askJson(asked, `${endpoint}/api/models/${repository}/revision/${encodeURIComponent(revision)}?${query}`).then(({ value }) =>
    isObject(value) ? value : {},
  );
}

function checkCommit(sha: unknown, { access, name }: Asked): string {
  if (typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha)) return sha;
  throw ioError('http_status', `${access.endpoint} does not answer like the Hugging Face Hub: it names no commit of ${name.repository}`);
}

async function treeOf(asked: Asked, commit: string): Promise<RepositoryFile[]> {
  const { endpoint } = asked.access;
  const files: RepositoryFile[] = [];
  let next: string | undefined = `${endpoint}/api/models/${asked.name.repository}/tree/${commit}?recursive=true`;
  for (let page = 0; next !== undefined && page < mostPages; ++page) {
    const { value, headers } = await askJson(asked, next);
    if (!Array.isArray(value)) throw ioError('http_status', `${endpoint} does not answer like the Hugging Face Hub: no list of files`);
    files.push(...value.map(treeFile).filter((file) => file !== undefined));
    next = nextPage(headers, next);
  }
  return files;
}

/** `Link: <URL>; rel="next"` (RFC 8288). Another origin would get the token, or lie. */
function nextPage(headers: Headers, from: string): string | undefined {
  const [, link] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  if (link === undefined) return undefined;
  const url = new URL(link, from);
  if (url.origin === new URL(from).origin) return url.href;
  throw ioError('http_status', `${from}: the next page is on another server, ${url.origin}`);
}

async function askJson({ access, name, signal, isOptional }: Asked, url: string): Promise<{ value: unknown; headers: Headers }> {
  const subject = { name: `hf:${name.repository}@${name.revision}`, repository: name.repository };
  const response = await askHub(access, subject, { url, signal, isOptional });
  try {
    const text = await response.text();
    if (text.length > mostText) throw new Error(`an answer of ${text.length} characters`);
    return { value: JSON.parse(text), headers: response.headers };
  } catch (error) {
    if (error instanceof QuintetError) throw error;
    throw ioError('read_failed', `${url}: not an answer of the Hugging Face Hub: ${messageOf(error)}`, error);
  }
}

/** Undefined if its size or hash is missing. */
function siblingFile(entry: unknown): RepositoryFile | undefined {
  const { rfilename, size, blobId, lfs } = isObject(entry) ? entry : {};
  const { size: lfsSize = size, sha256 = blobId } = isObject(lfs) ? lfs : {};
  return fileOf(rfilename, lfsSize, sha256, blobId);
}

/** Undefined for folders. */
function treeFile(entry: unknown): RepositoryFile | undefined {
  const { type, path, size, oid, lfs } = isObject(entry) ? entry : {};
  const { size: lfsSize = size, oid: sha256 = oid } = isObject(lfs) ? lfs : {};
  return type === 'file' ? fileOf(path, lfsSize, sha256, oid) : undefined;
}

function fileOf(path: unknown, size: unknown, etag: unknown, oid: unknown): RepositoryFile | undefined {
  const isFile = typeof path === 'string' && Number.isSafeInteger(size) && isHash(etag) && isHash(oid);
  return isFile ? { path, size: size as number, etag, oid } : undefined;
}

const isHash = (value: unknown): value is string => typeof value === 'string' && hash.test(value);
const isSound = ({ path, size }: RepositoryFile): boolean => isPath(path) && size >= 0;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether a path stays within its folder, on every file system. */
export function isPath(path: string): boolean {
  const isPart = (part: string) => part !== '' && part !== '.' && part !== '..';
  return path.length <= 1024 && !/[\u0000-\u001f\u007f\\:*?"<>|]/.test(path) && path.split('/').every(isPart);
}
