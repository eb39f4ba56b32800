"""Trains the table of a static embedding: a text is the sum of its tokens' rows, and texts of a pair are near one another.

    python3 train.py --work WORK --data DATA --vocabulary vocab.txt --steps 5000 --out WORK/table.npz [--init WORK/other.npz]
"""
import argparse
import json

import numpy as np
import scipy.sparse as sparse

# How often each kind of pair is drawn. Documentation and words of the same meaning most.
MIX = dict(tech_title=.2, tech_ict=.1, tech_next=.04, tech_desc=.1, book_title=.08, book_ict=.06, book_next=.01, wngloss=.1, syn=.08,
           ppdb=.04, tldr=.05, term=.06, term_ict=.02, exdef=.04, tatoeba=.02, qsent=.03, medquad=.01, gloss=.02, disfl=.005,
           simplify=.005, qa=.01, nli=.01)
BATCH = 1024
WINDOW = 72
INVERSE_TEMPERATURE = 20
# Of the first texts, so many lose most words that the second one has too, and so many have words replaced by others of the same meaning.
FORGETFUL, FORGOTTEN = 0.5, 0.8
PARAPHRASED, REPLACED = 0.5, 0.3


class Batches:
    def __init__(self, path, random):
        stored = np.load(path)
        self.flat, self.ends, self.alike = stored['flat'], stored['ends'], stored['alike']
        self.first, self.second, self.random = stored['first'], stored['second'], random
        names = list(stored['names'])
        self.kinds = [k for k in MIX if k in names]
        self.pools = {k: np.flatnonzero(stored['kinds'] == names.index(k)) for k in self.kinds}
        share = np.array([MIX[k] for k in self.kinds])
        self.shares = share / share.sum()
        self.queues = {k: np.empty(0, np.int64) for k in self.kinds}

    def next(self):
        """Two matrices of counts, text x token, and the numbers of the texts."""
        kind = self.kinds[self.random.choice(len(self.kinds), p=self.shares)]
        if len(self.queues[kind]) < min(BATCH, len(self.pools[kind])):
            self.queues[kind] = self.random.permutation(self.pools[kind])
        chosen, self.queues[kind] = np.split(self.queues[kind], [BATCH])
        first, second = self.first[chosen], self.second[chosen]
        ones, others = self.windows(first), self.windows(second)
        ones = self.paraphrased(self.without_shared(ones, others))
        some = (ones[1] > 0) & (others[1] > 0)
        return self.counts(ones, some), self.counts(others, some), first[some], second[some]

    def windows(self, texts):
        length = self.ends[texts + 1] - self.ends[texts]
        kept = np.minimum(length, WINDOW)
        shift = (self.random.random(len(texts)) * (length - kept + 1)).astype(np.int64) * (self.random.random(len(texts)) < 0.5)
        start = self.ends[texts] + shift - np.concatenate([[0], np.cumsum(kept)[:-1]])
        return self.flat[np.repeat(start, kept) + np.arange(kept.sum())], kept

    def without_shared(self, ones, others):
        (tokens, kept), size = ones, len(self.alike)
        row = np.repeat(np.arange(len(kept)), kept)
        shared = np.isin(row * size + tokens, np.repeat(np.arange(len(others[1])), others[1]) * size + others[0])
        forgets = (self.random.random(len(kept)) < FORGETFUL)[row] & (self.random.random(len(tokens)) < FORGOTTEN)
        stays = ~(shared & forgets)
        stays |= (np.bincount(row[stays], minlength=len(kept)) == 0)[row]
        return tokens[stays], np.bincount(row[stays], minlength=len(kept))

    def paraphrased(self, ones):
        tokens, kept = ones
        changes = np.repeat(self.random.random(len(kept)) < PARAPHRASED, kept) & (self.random.random(len(tokens)) < REPLACED)
        return np.where(changes, self.alike[tokens, self.random.integers(0, 8, len(tokens))], tokens), kept

    def counts(self, texts, some):
        tokens, kept = texts[0][np.repeat(some, texts[1])], texts[1][some]
        ends = np.concatenate([[0], np.cumsum(kept)])
        return sparse.csr_matrix((np.ones(len(tokens), np.float32), tokens, ends), shape=(len(kept), len(self.alike)))


def start_table(tokens, frequencies, data, vocabulary, dimension):
    """Singular vectors of the mutual information of tokens; a new word starts as its pieces. Frequent ones are short (Arora et al. 2017)."""
    old = {line.rstrip('\n'): i for i, line in enumerate(open(vocabulary, encoding='utf8'))}
    vectors = np.load(f'{data}/init.npz')['U'].astype(np.float32)[:, :dimension]
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    table = np.zeros((len(tokens), dimension), np.float32)
    for row, token in enumerate(tokens):
        parts, at = [], 0
        if token in old:
            table[row] = vectors[old[token]]
            continue
        while at < len(token):
            piece = next((p for end in range(len(token), at, -1) for p in [('##' if at else '') + token[at:end]] if p in old), None)
            if piece is None:
                break
            parts.append(old[piece])
            at += len(piece) - (2 if at else 0)
        if parts:
            table[row] = vectors[parts].sum(0) / len(parts) ** 0.5
    return table * (1e-3 / (1e-3 + frequencies))[:, None].astype(np.float32)


def contrast(ones, others, same):
    """InfoNCE in both directions, and its gradients; `same`: pairs that are no counterexamples."""
    lengths = [np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-6) for x in (ones, others)]
    one, other = ones / lengths[0], others / lengths[1]
    scores = one @ other.T * INVERSE_TEMPERATURE
    scores[same] = -1e4
    softmax = lambda s: (e := np.exp(s - s.max(1, keepdims=True))) / e.sum(1, keepdims=True)
    forth, back = softmax(scores), softmax(scores.T)
    diagonal = np.arange(len(scores))
    loss = -np.log(forth[diagonal, diagonal] + 1e-9).mean() - np.log(back[diagonal, diagonal] + 1e-9).mean()
    gradient = forth + back.T
    gradient[diagonal, diagonal] -= 2
    gradient *= INVERSE_TEMPERATURE / len(scores)
    through = lambda g, unit, length: (g - unit * (g * unit).sum(1, keepdims=True)) / length
    return loss, through(gradient @ other, one, lengths[0]), through(gradient.T @ one, other, lengths[1])


def train(table, batches, steps, rate):
    """Adam, for the rows that a batch has. Halves and quarters of the vectors are trained too (Kusupati et al., Matryoshka, 2022)."""
    dimension, mean, square = table.shape[1], np.zeros_like(table), np.zeros_like(table)
    losses = []
    for step in range(steps):
        one, other, first, second = batches.next()
        same = (first[:, None] == first) | (second[:, None] == second)
        np.fill_diagonal(same, False)
        ones, others = one @ table, other @ table
        to_ones, to_others, total = np.zeros_like(ones), np.zeros_like(others), 0.0
        for part in (dimension, dimension // (2 if step % 2 == 0 else 4)):
            loss, g1, g2 = contrast(ones[:, :part], others[:, :part], same)
            to_ones[:, :part] += g1
            to_others[:, :part] += g2
            total += loss
        rows = np.unique(np.concatenate([one.indices, other.indices]))
        gradient = one[:, rows].T @ to_ones + other[:, rows].T @ to_others
        mean[rows] = 0.9 * mean[rows] + 0.1 * gradient
        square[rows] = 0.98 * square[rows] + 0.02 * gradient * gradient
        now = rate * min(1, (step + 1) / 50) * max(0.02, 1 - step / steps)
        table[rows] -= now * mean[rows] / (np.sqrt(square[rows]) + 1e-8)
        losses.append(total)
        if (step + 1) % 100 == 0:
            print(step + 1, round(float(np.mean(losses[-100:])), 3), flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ('work', 'data', 'vocabulary', 'out'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--init', help='a table to go on from')
    parser.add_argument('--dimension', type=int, default=128)
    parser.add_argument('--steps', type=int, default=5000)
    parser.add_argument('--rate', type=float, default=1.5e-3)
    parser.add_argument('--seed', type=int, default=0)
    args = parser.parse_args()
    batches = Batches(f'{args.work}/pairs.npz', np.random.default_rng(args.seed))
    tokens = json.load(open(f'{args.work}/tokens.json', encoding='utf8'))
    counts = np.bincount(batches.flat, minlength=len(tokens)) + 1
    if args.init:
        table = np.load(args.init)['table']
    else:
        table = start_table(tokens, counts / counts.sum(), args.data, args.vocabulary, args.dimension)
    train(table, batches, args.steps, args.rate)
    np.savez(args.out, table=table, counts=counts - 1)


if __name__ == '__main__':
    main()
