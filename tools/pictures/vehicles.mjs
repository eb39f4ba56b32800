// Vehicles: an airplane, a car, a truck, a ship.
import { mix, mottled, rough, vertical } from './colours.mjs';
import { noise } from './noise.mjs';
import { box, curve, ellipse, limb, polygon } from './outlines.mjs';

const BLACK = [18, 18, 22];

function clouds(canvas, sky, seed, amount) {
  canvas.paint((x, y) => mix(sky(x, y), [250, 251, 253], (noise(x / 45, y / 18, seed) - 0.5) * amount));
}

export function airplane(canvas) {
  clouds(canvas, vertical(0, 100, [72, 132, 200], [128, 178, 226], [186, 214, 238]), 3, 2.2);
  const white = vertical(38, 64, [252, 252, 254], [226, 230, 236], [140, 150, 166]);
  // The far wing and tail, the fuselage, then what is nearer.
  canvas.paint([150, 158, 172], polygon([44, 47], [55, 47], [40, 31], [35, 31]), { shade: 0.3 });
  canvas.paint([130, 140, 156], polygon([80, 46], [88, 45], [91, 40], [87, 40]));
  canvas.paint(vertical(20, 46, [30, 66, 140], [50, 96, 176]), polygon([76, 46], [90, 45], [96, 22], [89, 22]));
  canvas.paint(
    white,
    curve(
      [4, 53],
      [9, 48.5],
      [20, 45],
      [50, 43.5],
      [78, 43.5],
      [93, 43],
      [95, 45],
      [80, 52],
      [60, 57],
      [25, 58.5],
      [9, 57],
    ),
  );
  for (let x = 18; x < 76; x += 3.2) canvas.paint([70, 86, 110], ellipse(x, 49 - (x - 18) * 0.02, 0.8, 1.1));
  canvas.paint([44, 58, 84], polygon([8.5, 50.5], [13, 48.6], [14.5, 51.2], [9.2, 52.4]));
  canvas.paint(vertical(50, 82, [196, 202, 212], [124, 134, 150]), polygon([37, 54], [56, 53], [82, 80], [76, 81]), {
    shade: 0.4,
    depth: 1,
  });
  canvas.paint(
    vertical(60, 70, [222, 226, 232], [92, 100, 116]),
    curve([42, 64], [45, 61.5], [54, 62], [55, 65], [53, 68], [45, 68.5]),
  );
  canvas.paint(BLACK, ellipse(42.8, 65, 1.1, 2.6));
  canvas.paint(vertical(44, 58, [208, 212, 220], [130, 140, 156]), polygon([80, 47], [90, 46], [99, 57], [94, 57.5]));
}

export function ship(canvas) {
  clouds(canvas, vertical(0, 54, [138, 172, 208], [204, 220, 232]), 11, 1.6);
  const sea = vertical(53, 100, [86, 124, 150], [44, 88, 122], [22, 58, 92]);
  canvas.paint(
    (x, y) => {
      const wave = noise(x / (4 + (y - 50) * 0.3), y / (0.9 + (y - 52) * 0.06), 5);
      return mix(sea(x, y), [196, 214, 224], (wave - 0.62) * 3);
    },
    box(0, 54, 100, 100),
  );
  // Upper works first, from the back to the front.
  canvas.paint([232, 234, 236], box(62, 26, 82, 54), { shade: 0.4 });
  canvas.paint(vertical(20, 34, [206, 60, 48], [150, 36, 32]), polygon([67, 16], [75, 16], [76, 30], [66, 30]), {
    shade: 0.5,
    depth: 3,
  });
  canvas.paint(BLACK, polygon([67, 14], [75, 14], [75.2, 18], [66.8, 18]));
  for (const [y, from, to] of [
    [31, 64, 80],
    [38, 64, 80],
    [45, 58, 84],
  ]) {
    if (y === 45) canvas.paint([242, 243, 244], box(56, 42, 86, 56), { shade: 0.4 });
    for (let x = from; x < to; x += 3.4) canvas.paint([56, 72, 92], box(x, y, x + 2, y + 2.6));
  }
  canvas.paint([60, 62, 66], limb([28, 56, 0.8], [28, 26, 0.5]));
  canvas.paint([60, 62, 66], limb([28, 30, 0.4], [44, 54, 0.4]));
  const stacks = [
    [188, 74, 52],
    [62, 104, 144],
    [206, 154, 62],
    [92, 128, 86],
  ];
  stacks.forEach((colour, i) =>
    canvas.paint(colour, box(18 + i * 9, 46 + (i % 2) * 4, 26 + i * 9, 57), { shade: 0.3, depth: 2 }),
  );
  const hull = polygon([4, 53], [12, 56.5], [88, 56.5], [95, 54], [91, 73], [12, 73]);
  canvas.paint(vertical(54, 73, [40, 48, 66], [28, 34, 48]), hull, { shade: 0.3, depth: 3 });
  canvas.paint([148, 44, 40], polygon([11.2, 69], [91.8, 69], [91, 74], [12, 74]));
  canvas.paint([240, 240, 240], polygon([5, 55], [95, 56.4], [94.6, 58], [6, 57]));
  // Foam along the water, and the hull's reflection.
  canvas.paint([24, 40, 58], curve([10, 74], [50, 73], [92, 74], [86, 82], [50, 84], [16, 82]), {
    opacity: 0.55,
    blur: 2,
  });
  canvas.paint(
    mottled([230, 238, 242], [150, 178, 196], 3, { stretch: 4, seed: 2 }),
    curve([4, 74], [30, 72.6], [70, 72.8], [97, 74.4], [70, 75.4], [30, 75.6]),
    { blur: 0.6 },
  );
}

function wheel(canvas, x, y, radius) {
  canvas.paint(BLACK, ellipse(x, y, radius), { shade: 0.5, depth: 2 });
  canvas.paint(vertical(y - radius, y + radius, [208, 212, 218], [110, 114, 122]), ellipse(x, y, radius * 0.6));
  for (let spoke = 0; spoke < 5; ++spoke) {
    const angle = (spoke * 72 * Math.PI) / 180;
    const to = [x + Math.cos(angle) * radius * 0.55, y + Math.sin(angle) * radius * 0.55];
    canvas.paint([64, 66, 72], limb([x, y, radius * 0.06], [...to, radius * 0.12]));
  }
  canvas.paint([84, 86, 92], ellipse(x, y, radius * 0.16));
}

function road(canvas, horizon, top) {
  const tarmac = rough(vertical(horizon, 100, [150, 150, 150], [112, 112, 116]), 0.18, 2, { stretch: 3, seed: 8 });
  canvas.paint(top);
  canvas.paint(tarmac, box(0, horizon, 100, 100));
}

export function automobile(canvas) {
  road(canvas, 58, rough(vertical(0, 58, [206, 214, 222], [184, 190, 192], [128, 140, 112]), 0.12, 12, { seed: 4 }));
  canvas.paint(
    mottled([70, 98, 58], [112, 134, 86], 6, { seed: 21 }),
    curve([-10, 60], [-6, 40], [18, 44], [40, 38], [66, 44], [90, 36], [110, 46], [110, 60]),
    { blur: 1 },
  );
  canvas.paint([20, 20, 24], ellipse(50, 79, 47, 5), { opacity: 0.75, blur: 2 });
  const red = vertical(40, 76, [226, 60, 52], [196, 26, 28], [112, 10, 16]);
  const body = curve(
    [3, 66],
    [5, 58],
    [16, 54.5],
    [30, 52],
    [50, 50],
    [74, 51],
    [92, 53.5],
    [97, 60],
    [97, 70],
    [92, 76],
    [50, 77.5],
    [10, 76],
  );
  const cabin = curve([27, 54], [38, 41], [48, 37], [64, 37], [74, 41], [86, 54], [56, 58]);
  canvas.paint(red, cabin, { shade: 0.6, depth: 2 });
  canvas.paint(
    vertical(40, 54, [196, 216, 228], [78, 96, 112]),
    polygon([33, 53], [41, 42.5], [48, 40], [54, 40], [54, 53]),
  );
  canvas.paint(
    vertical(40, 54, [180, 202, 216], [64, 82, 98]),
    polygon([57, 40], [64, 40], [71, 43], [79, 53], [57, 53]),
  );
  canvas.paint(red, body, { shade: 0.9, depth: 3 });
  canvas.paint([255, 190, 180], limb([18, 57.5, 0.4], [50, 54, 0.7], [86, 56, 0.4]), { opacity: 0.6, blur: 0.4 });
  canvas.paint([90, 8, 14], limb([55.4, 53, 0.3], [55.4, 73, 0.3]));
  canvas.paint([60, 60, 66], box(46, 58.6, 51, 59.8));
  canvas.paint([250, 240, 200], ellipse(7, 62, 3, 2.2, -20), { shade: 0.3, depth: 1 });
  canvas.paint([255, 120, 60], ellipse(95, 60.5, 1.8, 2.6));
  canvas.paint([34, 36, 40], polygon([3, 70], [97, 70], [95, 76], [6, 76]), { opacity: 0.6 });
  for (const x of [23, 76]) {
    canvas.paint([24, 14, 16], ellipse(x, 72, 11.5, 11));
    wheel(canvas, x, 74, 9.4);
  }
}

export function truck(canvas) {
  road(canvas, 74, rough(vertical(0, 74, [122, 168, 216], [194, 216, 234], [214, 220, 214]), 0.06, 16, { seed: 14 }));
  canvas.paint(mottled([96, 116, 74], [128, 146, 98], 5, { stretch: 3, seed: 4 }), box(0, 68, 100, 75), { blur: 0.6 });
  canvas.paint([16, 16, 20], ellipse(50, 86, 48, 4.5), { opacity: 0.8, blur: 2 });
  const panel = vertical(14, 74, [246, 247, 248], [222, 226, 230], [168, 174, 182]);
  canvas.paint(panel, box(32, 16, 98, 73), { shade: 0.3, depth: 2 });
  for (let x = 40; x < 96; x += 8) canvas.paint([150, 156, 166], box(x, 17, x + 0.7, 72), { opacity: 0.5 });
  canvas.paint([40, 84, 160], polygon([32, 38], [98, 34], [98, 46], [32, 52]));
  canvas.paint([36, 38, 44], box(6, 74, 98, 80));
  const cab = polygon([3, 76], [4, 56], [9, 37], [13, 32], [30, 31], [30, 78], [4, 79]);
  canvas.paint(vertical(30, 80, [66, 120, 200], [36, 82, 160], [20, 48, 104]), cab, { shade: 0.8, depth: 2 });
  canvas.paint(vertical(36, 54, [204, 222, 234], [74, 92, 112]), polygon([8, 54], [12, 38], [15, 37], [15, 54]));
  canvas.paint(vertical(36, 54, [190, 210, 224], [60, 78, 98]), polygon([17, 37], [27, 37], [27, 54], [17, 54]));
  canvas.paint([16, 34, 78], limb([16, 56, 0.3], [16, 76, 0.3]));
  canvas.paint([226, 228, 232], box(2, 72, 12, 77), { shade: 0.4, depth: 1 });
  canvas.paint([255, 244, 204], ellipse(5.4, 67, 2, 2.4));
  canvas.paint([190, 194, 200], limb([31, 26, 1], [31, 70, 1]));
  for (const x of [17, 58, 72, 86]) {
    canvas.paint([14, 14, 18], ellipse(x, 80, 8.4, 8.2));
    wheel(canvas, x, 82, 7);
  }
}

export const vehicles = { airplane, automobile, ship, truck };
