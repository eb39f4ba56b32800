// The language of chat templates, against Jinja2 as transformers sets it up (tests/fixtures/chat).
import { jest } from '@jest/globals';
import { failureOf } from '../helpers/expectations.mjs';
import { json, loadPhi3, render } from './chat_fixtures.mjs';

const { now, variables, messages, cases } = json('chat/language.json');

let tokenizer;
beforeAll(async () => {
  tokenizer = await loadPhi3();
  jest.useFakeTimers({ now: new Date(now) });
});
afterAll(() => {
  jest.useRealTimers();
  tokenizer.close();
});

const printed = (template) =>
  tokenizer.applyChatTemplate(messages, { template, variables, addGenerationPrompt: true }).text;

test('it prints what Jinja2 prints', () => {
  const good = cases.filter(({ text }) => text !== undefined);
  expect(good.length).toBeGreaterThan(130);
  for (const { template, text } of good)
    expect([template, /\{[{%#]/.test(template) ? printed(template) : '']).toEqual([template, text]);
});

test('templates that Jinja2 rejects are errors with the place or the reason', async () => {
  const bad = cases.filter(({ fails }) => fails);
  expect(bad.length).toBeGreaterThan(90);
  for (const { template } of bad) {
    const { name, code, message } = await failureOf(async () => printed(template));
    expect([template, name, code]).toEqual([template, 'QuintetError', 'INPUT']);
    expect(message).toMatch(/^chat template(, line \d+)?: ./);
  }
});

test('a mistake in the syntax is reported with its line', async () => {
  const lineOf = async (template) => (await failureOf(async () => printed(template))).message;
  expect(await lineOf('a\n{% if x %}\n{{ 1 + }}\n{% endif %}')).toMatch(/line 3: unexpected variable end/);
  expect(await lineOf('{# one\ntwo #}\n\n{% nothing %}')).toMatch(/line 4: unknown block 'nothing'/);
  expect(await lineOf("{{ 'a\n' }}\r\n{% for x in y %}")).toMatch(/line 3: the template ends before \{% else %\}/);
});

test('exceptions of a template have its message', async () => {
  const { code, message } = await failureOf(async () =>
    render(tokenizer, "{{ raise_exception('Only ' ~ 2 ~ ' roles!') }}"),
  );
  expect([code, message]).toEqual(['INPUT', 'chat template: Only 2 roles!']);
});

test('dates come from the clock', () => {
  jest.setSystemTime(new Date(2025, 11, 29, 23, 59, 5));
  expect(render(tokenizer, "{{ strftime_now('%d %B %Y, %-I:%M %p, week %V of %G, day %j, %U %W %y %e') }}")).toBe(
    '29 December 2025, 11:59 PM, week 01 of 2026, day 363, 52 52 25 29',
  );
});
