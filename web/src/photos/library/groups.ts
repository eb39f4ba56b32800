// Groups of similar pictures: each is similar enough to another of its group.

import type { SearchIndex } from 'quintet';

import { Pauses } from '../../shared/pauses.js';

/** The number of most similar pictures that can join a picture's group. */
const maxNeighbours = 20;

export interface GroupOfIds {
  ids: string[];
  score: number;
}

/** The largest groups first. */
export async function groupsOf(index: SearchIndex<undefined>, minScore: number): Promise<GroupOfIds[]> {
  const groups = new Map<string, GroupOfIds>();
  const pauses = new Pauses(30);
  for (const id of index.ids() as string[]) {
    const vector = index.get(id)?.vector;
    if (!vector) continue;
    for (const { id: other, score } of index.nearest(vector, { k: maxNeighbours })) {
      if (score < minScore) break;
      if (other !== id) join(groups, id, other as string, score);
    }
    if (pauses.isDue) await pauses.pause();
  }
  return [...new Set(groups.values())].sort((a, b) => b.ids.length - a.ids.length || b.score - a.score);
}

function join(groups: Map<string, GroupOfIds>, one: string, other: string, score: number): void {
  const [a, b] = [one, other].map((id) => groups.get(id) ?? { ids: [id], score: 1 });
  if (a === b) return void groups.set(one, a!);
  const joined = { ids: [...a!.ids, ...b!.ids], score: Math.min(a!.score, b!.score, score) };
  for (const id of joined.ids) groups.set(id, joined);
}
