"""Vocabulary, and pairs of texts as token ids.

    python3 prepare.py --data DATA --vocabulary vocab.txt --mirrors MIRRORS --dictionaries /usr/share/dictd --out WORK
"""
import argparse
import collections
import gzip
import json
import os
import random
import re
import unicodedata

import numpy as np

import documentation

MAX_TOKENS = 160
SUFFIXES = ('s', 'es', 'ed', 'd', 'ing', 'ly', 'er', 'ers', 'ness', 'able')
WORD = re.compile(r'[^\W_]+')


def words(text):
    text = text.lower()
    if not text.isascii():
        text = ''.join(c for c in unicodedata.normalize('NFKD', text) if not unicodedata.combining(c))
    return WORD.findall(text)


def rows(path):
    with gzip.open(path, 'rt', encoding='utf8') as lines:
        for line in lines:
            yield line.rstrip('\n').split('\t')


class Vocabulary:
    """Pieces of the bundled embedder's vocabulary, and words: those that several sources have, most frequent first."""

    def __init__(self, pieces, counts, is_common, size):
        kept = [t for t in pieces if t.startswith('##') and len(t) <= 6 or len(t) == 1 or counts[t] > 0]
        kept = ['[PAD]', '[UNK]'] + [t for t in kept if not (len(t.strip('#')) == 1 and ord(t.strip('#')) > 0x250)]
        have = set(kept)
        suffixes = [s for s in SUFFIXES if '##' + s in have]
        for word in sorted(filter(is_common, counts), key=lambda w: (-counts[w], w)):
            if len(kept) >= size:
                break
            if word in have or not re.fullmatch('[a-z]{3,20}', word):
                continue
            # A known word with an ending needs no row.
            if any(word.endswith(s) and len(word) > len(s) + 2 and word[:-len(s)] in have for s in suffixes):
                continue
            have.add(word)
            kept.append(word)
        self.tokens = kept
        self.ids = {t: i for i, t in enumerate(kept)}
        self.known = {}

    def pieces(self, word):
        """As WordPiece cuts it; nothing if a part is unknown."""
        if word not in self.known:
            found, at = [], 0
            while at < len(word):
                end = len(word)
                while end > at and (word[at:end] if at == 0 else '##' + word[at:end]) not in self.ids:
                    end -= 1
                if end == at:
                    found = []
                    break
                found.append(self.ids[word[at:end] if at == 0 else '##' + word[at:end]])
                at = end
            self.known[word] = found
        return self.known[word]

    def encode(self, text):
        return [i for word in words(text) for i in self.pieces(word)][:MAX_TOKENS]


class Pairs:
    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.flat, self.ends, self.known = [], [0], {}
        self.first, self.second, self.kinds = [], [], []

    def text(self, text):
        if text not in self.known:
            self.known[text] = len(self.ends) - 1
            self.flat.extend(self.vocabulary.encode(text))
            self.ends.append(len(self.flat))
        return self.known[text]

    def add(self, kind, first, second):
        self.first.append(self.text(first))
        self.second.append(self.text(second))
        self.kinds.append(kind)

    def add_page(self, kind, title, description, sections, random):
        """Titles with paragraphs, a sentence with the rest of its paragraph, paragraphs that follow one another."""
        paragraphs = [(heading, p) for heading, some in sections for p in some]
        if description:
            self.add(kind + '_desc', title, description)
            for _, paragraph in paragraphs[:2]:
                self.add(kind + '_desc', description, paragraph)
        for heading, paragraph in paragraphs:
            self.add(kind + '_title', f'{title} {heading}' if random.random() < 0.5 else heading or title, paragraph)
            self.add_cloze(kind + '_ict', paragraph, random)
        for (_, one), (_, next_one) in zip(paragraphs, paragraphs[1:]):
            if random.random() < 0.5:
                self.add(kind + '_next', one, next_one)

    def add_cloze(self, kind, paragraph, random):
        sentences = re.split(r'(?<=[.!?])\s+(?=[A-Z])', paragraph)
        if len(sentences) > 1:
            i = random.randrange(len(sentences))
            self.add(kind, sentences[i], ' '.join(sentences[:i] + sentences[i + 1:]))


def synonyms(data):
    found = collections.defaultdict(set)
    for kind, *texts in rows(f'{data}/pairs.tsv.gz'):
        if kind in ('syn', 'ppdb'):
            one, other = (' '.join(words(t)) for t in texts[:2])
            if one != other and all(re.fullmatch('[a-z]{2,24}', w) for w in (one, other)):
                found[one].add(other)
                found[other].add(one)
    return found


def main():
    parser = argparse.ArgumentParser()
    for name in ('data', 'vocabulary', 'mirrors', 'dictionaries', 'out'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--size', type=int, default=33_000)
    args = parser.parse_args()
    chance = random.Random(0)
    pages = list(documentation.markdown_pages(args.mirrors, set()))
    terms = list(documentation.terms(args.dictionaries))
    same = synonyms(args.data)

    general, technical, sources = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for text, count in rows(f'{args.data}/wordcount.tsv.gz'):
        for word in WORD.findall(text):
            general[word] += int(count)
    texts = [(name, t) for name, term, some in terms for t in [term, *some]]
    for name, title, description, sections in pages:
        texts += [(name, t) for t in [title, description, *(p for h, some in sections for p in [h, *some])]]
    for name, text in texts:
        for word in words(text):
            technical[word] += 1
            sources[word].add(name)
    counts = collections.Counter()
    for word in general | technical:
        weight = (1 if word in technical else 0.25) * (1.5 if word in same else 1)
        counts[word] = (general[word] + 2 * technical[word]) * weight
    is_common = lambda w: len(sources[w]) > 1 or w in same or (w in general and w in technical)
    pieces = [line.rstrip('\n') for line in open(args.vocabulary, encoding='utf8') if not line.startswith('[')]
    vocabulary = Vocabulary(pieces, counts, is_common, args.size)

    pairs = Pairs(vocabulary)
    for kind, one, other in (row[:3] for row in rows(f'{args.data}/pairs.tsv.gz')):
        # The word itself stands before the gloss of an example.
        pairs.add(kind, one, re.sub(r'^[^:]{1,40}: ', '', other) if kind == 'exdef' else other)
    with gzip.open(f'{args.data}/docs.jsonl.gz', 'rt', encoding='utf8') as lines:
        for _, module, section, paragraphs in map(json.loads, lines):
            pairs.add_page('book', f'{module} {section}'.strip(), '', [('', paragraphs)], chance)
    for _, title, description, sections in pages:
        pairs.add_page('tech', title, description, sections, chance)
    for _, term, paragraphs in terms:
        for paragraph in paragraphs:
            pairs.add('term', term, paragraph)
            pairs.add_cloze('term_ict', paragraph, chance)
    for label, one, other in rows(f'{args.data}/nli.tsv.gz'):
        if label == 'e':
            pairs.add('nli', one, other)

    alike = np.tile(np.arange(len(vocabulary.tokens), dtype=np.int32)[:, None], (1, 8))
    for word in sorted(same):
        others = [vocabulary.ids[o] for o in sorted(same[word]) if o in vocabulary.ids]
        if word in vocabulary.ids and others:
            chance.shuffle(others)
            alike[vocabulary.ids[word]] = [others[k % min(8, len(others))] for k in range(8)]
    os.makedirs(args.out, exist_ok=True)
    names = sorted(set(pairs.kinds))
    np.savez(f'{args.out}/pairs.npz', flat=np.array(pairs.flat, np.int32), ends=np.array(pairs.ends, np.int64),
             first=np.array(pairs.first, np.int32), second=np.array(pairs.second, np.int32), names=np.array(names),
             kinds=np.array([names.index(k) for k in pairs.kinds], np.int16), alike=alike)
    json.dump(vocabulary.tokens, open(f'{args.out}/tokens.json', 'w', encoding='utf8'), ensure_ascii=False)
    print(len(vocabulary.tokens), 'tokens,', collections.Counter(pairs.kinds))


if __name__ == '__main__':
    main()
