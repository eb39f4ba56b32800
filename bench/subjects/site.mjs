// Search of three documentation sites: answers, bytes that a visitor loads and time to build, compared with Pagefind
// and MiniSearch in the same run.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { atLeast, atMost, figure, KILOBYTE, number, verdict } from '../harness/lines.mjs';
import { MADE } from '../harness/paths.mjs';
import { askMiniSearch } from '../parts/site/minisearch.mjs';
import { askPagefind } from '../parts/site/pagefind.mjs';
import { askQuintet } from '../parts/site/quintet.mjs';
import { kinds, scoresOf } from '../parts/site/scores.mjs';
import { copySites, siteNames } from '../parts/site/sites.mjs';

export const peers = ['minisearch', 'pagefind'];
export const chromium = true;
export const paces = { full: {}, quick: {} };

/** Shares of queries with an answer among the first three pages: at least MiniSearch's less this in every kind. */
const LEAST_BELOW = 0.05;
const TARGETS = {
  all: atLeast(0.75),
  paraphrase: atLeast(0.4),
  first: atMost(300),
  later: atMost(100),
  seconds: atMost(60),
};

export async function measure() {
  const folder = join(MADE, 'site');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sites = join(folder, 'sites');
  copySites(sites);
  const asked = {};
  for (const [name, ask] of Object.entries({ quintet: askQuintet, MiniSearch: askMiniSearch, Pagefind: askPagefind })) {
    console.error(name);
    const { answers, ...costs } = await ask(sites, join(folder, name));
    asked[name] = { scores: scoresOf(answers), ...costs };
  }
  return asked;
}

export function sections({ quintet, MiniSearch, Pagefind }) {
  return [
    {
      title: 'recall@3 by kind of query, three sites; the peer is MiniSearch',
      lines: scoreLines(quintet, MiniSearch, true),
    },
    {
      title: 'recall@3 by kind of query, three sites; the peer is Pagefind',
      lines: scoreLines(quintet, Pagefind, false),
    },
    ...siteNames.map((name) => ({
      title: `${name}: what a visitor downloads; the peer is Pagefind`,
      lines: costLines(name, quintet, Pagefind),
    })),
    {
      title: 'PostgreSQL, 1,169 pages: seconds to build',
      lines: [
        {
          ...figure('quintet', quintet.seconds.postgresql, TARGETS.seconds),
          peer: `${number(Pagefind.seconds.postgresql)} (Pagefind)`,
        },
      ],
    },
  ];
}

function scoreLines(ours, theirs, isJudged) {
  return [...kinds, 'all', 'mrr'].map((kind) => {
    const [own, other] = [ours.scores[kind], theirs.scores[kind]];
    const target = isJudged
      ? (TARGETS[kind] ?? (kind === 'mrr' ? undefined : atLeast((other - LEAST_BELOW).toFixed(2))))
      : undefined;
    return {
      what: kind === 'mrr' ? 'MRR@10 of all' : kind,
      quintet: own.toFixed(2),
      peer: other.toFixed(2),
      ...verdict(target, own),
    };
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function costLines(name, ours, theirs) {
  const line = (what, statistic, visits, target) => {
    const [own, other] = [ours, theirs].map((each) => statistic(each[visits][name]) / KILOBYTE);
    return { what, quintet: number(own), peer: number(other), ratio: other / own, ...verdict(target, own) };
  };
  return [
    line('first query, KB, median', median, 'first', TARGETS.first),
    line('first query, KB, most', (values) => Math.max(...values), 'first'),
    line('later queries, KB, median', median, 'later', TARGETS.later),
  ];
}
