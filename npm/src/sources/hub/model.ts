// Finds the files of a model by its name: hf:OWNER/NAME, then @REVISION, then :QUANT or /FILE. The Hub lists the files
// of a revision.

import { files } from '#sources/files';

import { inputError, ioError, messageOf, QuintetError } from '../../base/errors.js';
import { boolean } from '../../base/rules.js';
import type { HubOptions } from '../../base/types.js';
import { checkOptions, type Rule } from '../../base/values.js';
import { keptListings } from '../cache/stored_files.js';
import type { ModelFile, Reader } from '../types.js';
import { chosenFiles } from './chosen_files.js';
import { addressOf, askHub } from './requests.js';
import type { HubAccess, HubModel, HubName, KeptListings, Listing, RepositoryFile } from './types.js';

export interface HubLoading {
  hub?: HubOptions | undefined;
  signal?: AbortSignal | undefined;
}

/** The files that `reader` reads. */
export async function findHubFiles(source: string, reader: Reader, { hub, signal }: HubLoading): Promise<ModelFile[]> {
  const name = parseHubName(source);
  const access = await hubAccess(hub);
  const known = await (await keptIn(access)).find(name.repository, name.revision);
  const { listing, fallback } = await listingOf({ access, name, signal }, known);
  const model: HubModel = { access, listing, fallback };
  return chosenFiles(listing.files, reader, name).map((chosen) => {
    const file = { ...chosen.file, model, partly: reader.isPartial === true };
    return { name: chosen.name, source: addressOf(file), hub: file };
  });
}

/** Listings of earlier loads. */
const keptIn = async ({ folder }: HubAccess): Promise<KeptListings> =>
  folder === undefined ? keptListings : files.hub.folder!(folder);

type ResolvedListing = Pick<HubModel, 'listing' | 'fallback'>;

/** A commit never changes; of a branch or tag the Hub is asked whether it has moved. */
async function listingOf(request: ListingRequest, known: Listing | undefined): Promise<ResolvedListing> {
  const { access, name } = request;
  if (access.offline) return { listing: known ?? missing(name) };
  if (known?.isWhole && known.commit === name.revision) return { listing: known };
  try {
    if (known?.isWhole && (await commitOf({ ...request, isOptional: true })) === known.commit)
      return { listing: known };
    return { listing: await listRepository({ ...request, isOptional: known !== undefined }) };
  } catch (error) {
    if (!known || !isTransient(error)) throw error;
    return { listing: known, fallback: `the stored copy of commit ${known.commit}: ${messageOf(error)}` };
  }
}

function missing({ repository, revision }: HubName): never {
  throw ioError('offline', `hf:${repository}@${revision} is not in the cache, and offline mode is on`);
}

/** Whether the model may still be there, so that a kept copy will do. Not after an abort or a deletion. */
const isTransient = (error: unknown): boolean =>
  error instanceof QuintetError && error.code === 'IO' && error.reason !== 'not_found';

// The settings for requests to the Hub: the option `hub` first, then environment variables.
const hubEndpoint = 'https://huggingface.co';

const text: Rule = ['a string', (value) => typeof value === 'string'];
/** Any value passes here: a message would show the one that does not. */
const secret: Rule = ['a token', () => true];
const rules: Record<keyof HubOptions, Rule> = { endpoint: text, token: secret, offline: boolean };

async function hubAccess(options: HubOptions | undefined): Promise<HubAccess> {
  checkOptions(options, rules, 'hub');
  const defaults = await files.hub.defaults();
  const endpoint = checkEndpoint(options?.endpoint || defaults.endpoint || hubEndpoint);
  const token = options?.token ?? defaults.token;
  // fetch would show it in the message of its error.
  if (token !== undefined && !(typeof token === 'string' && /^[\x21-\x7e]+$/.test(token))) {
    throw inputError(
      'wrong_type',
      'hub: the token must be a string of visible ASCII characters (it is not shown here)',
    );
  }
  return { endpoint, token, offline: options?.offline ?? defaults.offline, folder: defaults.folder };
}

function checkEndpoint(endpoint: string): string {
  const url = urlOf(endpoint);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash) {
    return url.href.replace(/\/+$/, '');
  }
  throw inputError(
    'wrong_type',
    'hub: the endpoint must be a URL, http: or https:, without user, password, query and hash',
  );
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

// Names of models on the Hub.
const defaultRevision = 'main';
const spelling = "'hf:OWNER/NAME', with @REVISION, :QUANT or /FILE behind it";

// Names that the Hub allows (validate_repo_id in huggingface_hub's utils/_validators.py).
const namePart = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_-])?';
const repositoryName = new RegExp(`^(${namePart}/${namePart})(?=$|[@:/])(.*)$`);

/** Also accepts names that begin with hf://, as in Python. */
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

/** More files are not a model. The Hub leaves out files beyond 50,000 in one answer. */
const maxListed = 50_000;
const maxPages = 100;
/** The largest answer that is read, in characters. */
const maxText = 64 << 20;

const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

interface ListingRequest {
  access: HubAccess;
  name: HubName;
  signal: AbortSignal | undefined;
  isOptional?: boolean;
}

/**
 * One request (https://huggingface.co/docs/hub/api): the commit and, with `blobs`, all files with their sizes and
 * hashes. If the server leaves these out, as mirrors may, the tree is requested, page by page.
 */
export async function listRepository(request: ListingRequest): Promise<Listing> {
  const { repository, revision } = request.name;
  const { sha, siblings } = await revisionInfo(request, 'blobs=true');
  const commit = checkCommit(sha, request);
  const known = Array.isArray(siblings) && siblings.length < maxListed ? siblings.map(siblingFile) : [undefined];
  const files = known.includes(undefined) ? await treeOf(request, commit) : (known as RepositoryFile[]);
  // Drops paths that escape the folder.
  return { repository, revision, commit, files: files.filter(isSound), isWhole: true };
}

/** The commit that a revision stands for now: a small request. */
export async function commitOf(request: ListingRequest): Promise<string> {
  const { sha } = await revisionInfo(request, 'expand=sha');
  return checkCommit(sha, request);
}

function revisionInfo(request: ListingRequest, query: string): Promise<{ sha?: unknown; siblings?: unknown }> {
  const { repository, revision } = request.name;
  const { endpoint } = request.access;
  return askJson(
    request,
    `${endpoint}/api/models/${repository}/revision/${encodeURIComponent(revision)}?${query}`,
  ).then(({ value }) => (isObject(value) ? value : {}));
}

function checkCommit(sha: unknown, { access, name }: ListingRequest): string {
  if (typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha)) return sha;
  throw ioError(
    'http_status',
    `${access.endpoint} is not a Hugging Face Hub: it names no commit of ${name.repository}`,
  );
}

async function treeOf(request: ListingRequest, commit: string): Promise<RepositoryFile[]> {
  const { endpoint } = request.access;
  const files: RepositoryFile[] = [];
  let next: string | undefined = `${endpoint}/api/models/${request.name.repository}/tree/${commit}?recursive=true`;
  for (let page = 0; next !== undefined && page < maxPages; ++page) {
    const { value, headers } = await askJson(request, next);
    if (!Array.isArray(value))
      throw ioError('http_status', `${endpoint} is not a Hugging Face Hub: it sent no list of files`);
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

async function askJson(
  { access, name, signal, isOptional }: ListingRequest,
  url: string,
): Promise<{ value: unknown; headers: Headers }> {
  const subject = { name: `hf:${name.repository}@${name.revision}`, repository: name.repository };
  const response = await askHub(access, subject, { url, signal, isOptional });
  try {
    const text = await response.text();
    if (text.length > maxText) throw new Error(`an answer of ${text.length} characters`);
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
