"""Writes a trained table as a folder of model2vec: int8 rows with a weight each, the most frequent tokens first.

    python3 export.py --work WORK --table WORK/table.npz --out models/words
"""
import argparse
import json
import os
import struct

import numpy as np

SPECIAL = ['[PAD]', '[UNK]']
# Rarer tokens have learnt nothing.
MIN_COUNT = 3


def quantized(rows):
    largest = np.abs(rows).max(1)
    scales = np.where(largest > 0, largest / 127, 0).astype(np.float32)
    return np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8), scales


def write_safetensors(path, tensors):
    header, at = {'__metadata__': {'format': 'pt'}}, 0
    for name, dtype, values in tensors:
        header[name] = dict(dtype=dtype, shape=list(values.shape), data_offsets=[at, at + values.nbytes])
        at += values.nbytes
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text + b''.join(values.tobytes() for _, _, values in tensors))


def tokenizer(tokens):
    flags = dict(single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
    return dict(
        version='1.0', truncation=None, padding=None,
        added_tokens=[dict(id=i, content=token, **flags) for i, token in enumerate(SPECIAL)],
        normalizer=dict(type='BertNormalizer', clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True),
        pre_tokenizer=dict(type='BertPreTokenizer'), post_processor=None,
        decoder=dict(type='WordPiece', prefix='##', cleanup=True),
        model=dict(type='WordPiece', unk_token='[UNK]', continuing_subword_prefix='##', max_input_chars_per_word=100,
                   vocab={token: i for i, token in enumerate(tokens)}))


def main():
    parser = argparse.ArgumentParser()
    for name in ('work', 'table', 'out'):
        parser.add_argument('--' + name, required=True)
    args = parser.parse_args()
    tokens = json.load(open(f'{args.work}/tokens.json', encoding='utf8'))
    stored = np.load(args.table)
    table, counts = stored['table'].astype(np.float32), stored['counts']
    kept = [i for i in np.argsort(-counts, kind='stable') if counts[i] >= MIN_COUNT and tokens[i] not in SPECIAL]
    rows = np.concatenate([np.zeros((len(SPECIAL), table.shape[1]), np.float32), table[kept]])
    values, scales = quantized(rows)
    os.makedirs(args.out, exist_ok=True)
    write_safetensors(f'{args.out}/model.safetensors', [('weights', 'F32', scales), ('embeddings', 'I8', values)])
    config = dict(model_type='model2vec', architectures=['StaticModel'], hidden_dim=table.shape[1], normalize=True, seq_length=1000000)
    with open(f'{args.out}/config.json', 'w', encoding='utf8') as file:
        json.dump(config, file, indent=2)
        file.write('\n')
    with open(f'{args.out}/tokenizer.json', 'w', encoding='utf8') as file:
        json.dump(tokenizer(SPECIAL + [tokens[i] for i in kept]), file, ensure_ascii=False, separators=(',', ':'))


if __name__ == '__main__':
    main()
