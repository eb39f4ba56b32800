// Writes src/tensor/codecs/iq_grid_data.h from ggml's ggml-common.h:
//
//   node tools/generate_iq_grids.mjs path/to/ggml-common.h
//
// Each grid is a set of points with a few possible coordinates. As numbers in that base, the first coordinate being the
// lowest digit, the points ascend, so that the differences between them are small.
import { readFileSync, writeFileSync } from 'node:fs';

const source = readFileSync(process.argv[2], 'utf8');
const grids = [
  ['iq2xxs_grid', 'kIq2Xxs', 8, [8, 25, 43]],
  ['iq2xs_grid', 'kIq2Xs', 8, [8, 25, 43]],
  ['iq2s_grid', 'kIq2S', 8, [8, 25, 43]],
  ['iq3xxs_grid', 'kIq3Xxs', 4, [4, 12, 20, 28, 36, 44, 52, 62]],
  ['iq3s_grid', 'kIq3S', 4, [1, 3, 5, 7, 9, 11, 13, 15]],
  ['iq1s_grid', 'kIq1S', 8, [-1, 0, 1]],
];

function pointsOf(name) {
  const [, list] = new RegExp(`GGML_TABLE_BEGIN\\(\\w+, ${name}, \\w+\\)([^G]*)GGML_TABLE_END`).exec(source);
  return [...list.matchAll(/0x[0-9a-f]+/gi)].map(([number]) => BigInt(number));
}

function differencesOf([name, , coordinates, levels]) {
  let last = 0;
  return pointsOf(name).map((point) => {
    let code = 0;
    for (let i = coordinates; i-- > 0; ) {
      const digit = levels.indexOf(Number(BigInt.asIntN(8, point >> BigInt(8 * i))));
      if (digit < 0) throw new Error(`${name}: another coordinate`);
      code = code * levels.length + digit;
    }
    const difference = code - last;
    if (difference < 0) throw new Error(`${name}: not ascending`);
    last = code;
    return difference;
  });
}

function arrayOf(grid) {
  const differences = differencesOf(grid);
  const type = Math.max(...differences) > 255 ? 'uint16_t' : 'uint8_t';
  const lines = [];
  let line = '   ';
  for (const difference of differences) {
    if (line.length + 2 + String(difference).length > 118) {
      lines.push(line);
      line = '   ';
    }
    line += ` ${difference},`;
  }
  return `inline constexpr ${type} ${grid[1]}[] = {\n${[...lines, line].join('\n')}\n};\n`;
}

const head = `#pragma once
// The grids of ggml's IQ types (ggml-common.h), written by tools/generate_iq_grids.mjs: the differences between
// successive points, as numbers whose lowest digit is the first coordinate. The digits stand for the coordinates in
// iq_grids.cc.
//
// Copyright (c) 2023-2026 The ggml authors, MIT (THIRD_PARTY_LICENSES).

#include <cstdint>

namespace quintet::iq {

// clang-format off
`;
const tail = `// clang-format on

}  // namespace quintet::iq
`;
const out = new URL('../src/tensor/codecs/iq_grid_data.h', import.meta.url);
writeFileSync(out, `${head}${grids.map(arrayOf).join('\n')}${tail}`);
