// The JSON of a request's body.

import { ApiError } from './api_error.js';

const tooLarge = (maxBytes: number) =>
  new ApiError(413, `the body is larger than ${maxBytes} bytes`, null, 'body_too_large');

export async function bodyOf(request: Request, maxBytes: number): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const text = await textOf(request, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'the body is not valid JSON', null, 'invalid_json');
  }
}

async function textOf(request: Request, maxBytes: number): Promise<string> {
  // Firefox has no streams of requests: the whole is in memory already.
  if (!request.body) return request.text();
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}
