// 200 clients at once that behave in every way; bench/server_stress.mjs does the same for long.
import { afterAll, expect, test } from '@jest/globals';
import { killServers, serve, story, vectors } from './server_process.mjs';
import { Turmoil } from './turmoil.mjs';

afterAll(killServers);

test('200 clients at once get the same as each alone, regardless of the others', async () => {
  const args = [`story=${story}`, '--embedder', `vectors=${vectors}`, '--max-requests', '400', '--max-body', '256KB'];
  const server = await serve(args, { QUINTET_API_KEY: 'sesame' });
  const turmoil = new Turmoil({ url: server.url, key: 'sesame' });
  await turmoil.askAlone();
  await turmoil.run(200, ({ started }) => started < 200);
  turmoil.closeConnections();
  expect(turmoil.failures).toEqual([]);
  expect(Object.keys(turmoil.counts)).toHaveLength(10);
  // Only this request is still running.
  const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer sesame' } });
  expect(await metrics.text()).toContain('quintet_requests_running 1\n');
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual([0, null]);
  expect(server.log + server.errors).not.toMatch(/sesame|Once upon|Warning/);
}, 120_000);

test('--concurrency sets how many answers run together', async () => {
  const server = await serve([`story=${story}`, '--concurrency', '1']);
  const ask = async (prompt) => {
    const body = JSON.stringify({ model: 'story', prompt, max_tokens: 100, stream: true, temperature: 0 });
    const response = await fetch(`${server.url}/v1/completions`, { method: 'POST', body });
    for await (const _ of response.body) ended.push(prompt);
  };
  const ended = [];
  await Promise.all([ask('A'), ask('The')]);
  // One after another: the answers are not mixed.
  expect(ended.filter((prompt, i) => prompt !== ended[i - 1])).toHaveLength(2);
});

test('a concurrency out of range is rejected', async () => {
  await expect(serve([`story=${story}`, '--concurrency', '65'])).rejects.toThrow(
    /--concurrency takes a number up to 64, not '65'/,
  );
});
