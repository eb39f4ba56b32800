// A server on localhost that answers like the Hugging Face Hub, with a second one on another origin for the files in
// LFS.
//
// Paths, parameters and fields: https://huggingface.co/docs/hub/api and HfApi of huggingface_hub (hf_api.py: repo_info,
// list_repo_tree, RepoFile, RepoSibling). Headers and codes of errors: get_hf_file_metadata (file_download.py) and
// hf_raise_for_status (utils/_http.py). Pages of a tree: utils/_pagination.py.
import { createHash } from 'node:crypto';
import { listen } from './http_server.mjs';

const digest = (algorithm, ...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash(algorithm)).digest('hex');
/** Each file is hashed once: a server of the Hub has the hashes of its files. */
const known = new WeakMap();
function remembered(name, bytes, compute) {
  const digests = known.get(bytes) ?? {};
  known.set(bytes, digests);
  return (digests[name] ??= compute());
}

/** Git's id of a file: the SHA-1 of 'blob SIZE' and its bytes. */
export const gitOid = (bytes) => remembered('oid', bytes, () => digest('sha1', `blob ${bytes.length}\0`, bytes));
export const sha256 = (bytes) => remembered('sha256', bytes, () => digest('sha256', bytes));

const isLarge = (path) => /\.(safetensors|gguf|weights|amb|alt|bin|onnx)$/.test(path);
const pointerOf = (bytes) =>
  Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(bytes)}\nsize ${bytes.length}\n`);

/** A file as the API describes it, in the terms of the tree. */
function entryOf(path, bytes) {
  if (!isLarge(path)) return { type: 'file', path, size: bytes.length, oid: gitOid(bytes) };
  const pointer = pointerOf(bytes);
  const lfs = { oid: sha256(bytes), size: bytes.length, pointerSize: pointer.length };
  return { type: 'file', path, size: bytes.length, oid: gitOid(pointer), lfs };
}

const exposed =
  'X-Repo-Commit, X-Error-Code, X-Error-Message, ETag, Link, Accept-Ranges, Content-Range, X-Linked-Size, X-Linked-ETag';
/** Both allow every page, as the Hub does; what a page sends with a token has to be asked for first. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, range',
  'access-control-expose-headers': exposed,
};

/**
 * `hub.add('zoo/model', { 'config.json': bytes, … }, { private, gated })` returns its commit; adding again moves
 * `main`. Each request whose path has the text of a plan takes it instead of the usual answer:
 * `hub.plans.push({ at: '/resolve/', … })`: `status`, `headers` and `body`; `drop` the connection; for a file
 * `location`, `instead` (other bytes), `length`, `cut` (bytes after which the connection breaks, or with `hang` nothing
 * comes any more).
 */
export async function serveHub({ token = 'hf_secretOfTheTests', pageSize = 1000, blobs = true } = {}) {
  const repositories = new Map();
  const objects = new Map();
  const plans = [];
  const hub = { token, pageSize, blobs, plans, repositories };

  const answer = (request, response, usual) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
    const at = plans.findIndex((plan) => request.url.includes(plan.at));
    const [plan] = at < 0 ? [{}] : plans.splice(at, 1);
    return usual(request, response, plan);
  };

  const store = await listen((request, response) =>
    answer(request, response, (_, __, plan) =>
      sendFile(request, response, objects.get(request.url.slice(1).split('?')[0]), {}, plan),
    ),
  );
  const api = await listen((request, response) =>
    answer(request, response, (_, __, plan) => answerApi(request, response, plan)),
  );

  function answerApi(request, response, plan) {
    if (plan.drop) return response.destroy();
    if (plan.status) return response.writeHead(plan.status, { ...cors, ...plan.headers }).end(plan.body);
    const url = new URL(request.url, api.url);
    const [, id, what, revision, path] =
      /^\/api\/models\/([^/]+\/[^/]+)\/(revision|tree)\/([^/]+)$/.exec(url.pathname) ??
      /^\/([^/]+\/[^/]+)\/(resolve)\/([^/]+)\/(.+)$/.exec(url.pathname) ??
      [];
    const fail = (status, code, message) =>
      response
        .writeHead(status, { ...cors, ...(code && { 'x-error-code': code }), 'x-error-message': message })
        .end(JSON.stringify({ error: message }));
    const repository = repositories.get(id);
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    // Strangers are not told that a private repository exists.
    if (!repository || (repository.private && !isKnown))
      return isKnown
        ? fail(404, 'RepoNotFound', 'Repository not found')
        : fail(401, undefined, 'Invalid username or password.');
    const commit =
      repository.refs[decodeURIComponent(revision)] ??
      (decodeURIComponent(revision) in repository.commits ? revision : undefined);
    if (!commit) return fail(404, 'RevisionNotFound', 'Invalid rev id');
    const files = repository.commits[commit];
    const json = (value, headers = {}) =>
      response
        .writeHead(200, { ...cors, 'content-type': 'application/json; charset=utf-8', ...headers })
        .end(JSON.stringify(value));
    if (what === 'revision') return json(infoOf(id, commit, files, url.searchParams));
    if (what === 'tree') return sendTree(url, files, json);
    if (repository.gated && !isKnown)
      return fail(isKnown ? 403 : 401, 'GatedRepo', 'Access to this model is restricted.');
    if (repository.gated === 'refused')
      return fail(403, 'GatedRepo', 'Access to this model is restricted and you are not in the authorized list.');
    const bytes = files[decodeURIComponent(path)];
    if (!bytes) return fail(404, 'EntryNotFound', 'Entry not found');
    const commitHeader = { 'x-repo-commit': commit };
    if (!isLarge(path)) return sendFile(request, response, bytes, commitHeader, plan, gitOid(bytes));
    const hash = sha256(bytes);
    objects.set(hash, bytes);
    const linked = {
      'x-linked-size': bytes.length,
      'x-linked-etag': `"${hash}"`,
      location: plan.location ?? `${store.url}${hash}?Signature=abc`,
    };
    return response.writeHead(302, { ...cors, ...commitHeader, ...linked }).end();
  }

  function infoOf(id, commit, files, parameters) {
    if (parameters.get('expand') === 'sha') return { id, sha: commit };
    const siblings = Object.entries(files).map(([path, bytes]) => {
      if (!hub.blobs || !parameters.has('blobs')) return { rfilename: path };
      const { size, oid, lfs } = entryOf(path, bytes);
      return {
        rfilename: path,
        size,
        blobId: oid,
        ...(lfs && { lfs: { sha256: lfs.oid, size: lfs.size, pointerSize: lfs.pointerSize } }),
      };
    });
    return { id, modelId: id, sha: commit, private: false, gated: false, tags: [], siblings };
  }

  function sendTree(url, files, json) {
    const all = Object.entries(files).map(([path, bytes]) => entryOf(path, bytes));
    all.push({ type: 'directory', path: 'folder', oid: '0'.repeat(40), size: 0 });
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const next = new URL(url);
    next.searchParams.set('cursor', from + hub.pageSize);
    const isLast = from + hub.pageSize >= all.length;
    return json(all.slice(from, from + hub.pageSize), isLast ? {} : { link: `<${hub.nextPage ?? next}>; rel="next"` });
  }

  return Object.assign(hub, {
    url: api.url,
    endpoint: api.url.slice(0, -1),
    requests: api.requests,
    storeRequests: store.requests,
    storeUrl: store.url,
    add(id, files, { revision = 'main', ...about } = {}) {
      const repository = repositories.get(id) ?? { refs: {}, commits: {} };
      const commit = digest(
        'sha1',
        JSON.stringify(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)])),
        id,
      );
      repository.commits[commit] = files;
      repository.refs[revision] = commit;
      repositories.set(id, Object.assign(repository, about));
      return commit;
    },
    forget() {
      for (const list of [api.requests, store.requests, plans]) list.length = 0;
    },
    /** Whether the token was in a request to this server. */
    sawToken: (requests) => requests.some((request) => JSON.stringify(request).includes(token)),
    close: () => Promise.all([api.close(), store.close()]),
  });
}

/** Whole, or the part that was asked for. A plan may cut it, send other bytes, or state another length. */
function sendFile(
  request,
  response,
  bytes,
  headers,
  { status, cut, hang, instead, length, headers: more = {} },
  etag = bytes && sha256(bytes),
) {
  if (status || !bytes) return response.writeHead(status ?? 404, { ...cors, ...more }).end();
  const body = instead ?? bytes;
  const [, from, to = body.length - 1] = /^bytes=(\d+)-(\d+)?$/.exec(request.headers.range ?? '') ?? [];
  const all = {
    ...cors,
    ...headers,
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    ...more,
  };
  if (from >= body.length) return response.writeHead(416, { ...cors, 'content-range': `bytes */${body.length}` }).end();
  const last = Math.min(Number(to), body.length - 1);
  const part = from === undefined ? body : body.subarray(Number(from), last + 1);
  if (from !== undefined) all['content-range'] = `bytes ${from}-${last}/${body.length}`;
  response.writeHead(from === undefined ? 200 : 206, { ...all, 'content-length': length ?? part.length });
  if (cut === undefined) return response.end(part);
  response.flushHeaders();
  return response.write(part.subarray(0, cut), () => hang || response.destroy());
}
