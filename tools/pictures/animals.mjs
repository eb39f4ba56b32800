// Animals: a bird, a cat, a deer, a dog, a frog, a horse.
import { mix, mottled, rough, vertical } from './colours.mjs';
import { box, curve, ellipse, limb, mirrored, polygon, together } from './outlines.mjs';

const BLACK = [16, 14, 14];
const bothSides = [(outline) => outline, (outline) => mirrored(outline)];

function meadow(canvas, horizon, far, near, seed) {
  canvas.paint(mottled(near, far, 5, { stretch: 2, seed }), box(0, horizon, 100, 100), { blur: 0.8 });
  for (let i = 0; i < 160; ++i) {
    const x = (i * 61.8) % 100;
    const y = horizon + ((i * 38.2) % (100 - horizon));
    const height = 1.5 + (y - horizon) * 0.08;
    canvas.paint(mix(near, far, (i * 0.37) % 1), limb([x, y, 0.35], [x + ((i * 7) % 5) - 2, y - height, 0.1]), {
      opacity: 0.7,
    });
  }
}

export function horse(canvas) {
  canvas.paint(vertical(0, 44, [170, 196, 220], [212, 222, 222]));
  canvas.paint(
    mottled([58, 84, 48], [96, 120, 70], 7, { seed: 31 }),
    curve([-10, 50], [-8, 30], [14, 24], [34, 32], [56, 22], [80, 32], [110, 22], [110, 52]),
    { blur: 1 },
  );
  meadow(canvas, 46, [150, 172, 86], [98, 132, 56], 9);
  canvas.paint([40, 60, 26], ellipse(54, 93, 34, 3.5), { opacity: 0.6, blur: 2 });
  const coat = rough(vertical(24, 76, [156, 92, 48], [132, 70, 34], [84, 42, 22]), 0.12, 4, { seed: 6 });
  const dark = rough([72, 38, 22], 0.15, 4, { seed: 7 });
  const mane = rough([34, 24, 20], 0.3, 1.5, { seed: 8 });
  // Legs on the far side, tail, then the near ones.
  canvas.paint(dark, limb([38, 60, 5], [34, 74, 2.6], [36, 91, 1.9]));
  canvas.paint(dark, limb([76, 58, 6.5], [80, 72, 3], [76, 91, 2]));
  canvas.paint(mane, curve([83, 42], [90, 46], [93, 62], [91, 80], [87, 76], [86, 58], [81, 48]));
  canvas.paint(coat, limb([43, 60, 6.5], [43, 75, 3.2], [42, 92, 2.2]), { shade: 0.4, depth: 2 });
  canvas.paint(coat, limb([75, 55, 9], [73, 70, 4], [76, 78, 2.8], [71, 92, 2.2]), { shade: 0.4, depth: 2 });
  canvas.paint(
    BLACK,
    together(polygon([39.5, 91], [44.5, 91], [45, 95], [38, 95]), polygon([69, 91], [74, 91], [74.5, 95], [67, 95])),
  );
  const neck = curve(
    [12, 36],
    [8, 32],
    [11, 27],
    [20, 20],
    [25, 15],
    [31, 17],
    [40, 28],
    [52, 38],
    [48, 56],
    [38, 58],
    [34, 46],
    [27, 34],
    [20, 35],
  );
  const body = curve(
    [34, 50],
    [38, 40],
    [52, 40],
    [66, 38],
    [80, 39],
    [86, 48],
    [83, 60],
    [72, 64],
    [54, 66],
    [40, 65],
  );
  canvas.paint(coat, body, { shade: 0.8, depth: 5 });
  canvas.paint(coat, neck, { shade: 0.5, depth: 3 });
  canvas.paint(coat, ellipse(45, 52, 9, 11), { shade: 0.2, depth: 5, blur: 2 });
  canvas.paint(mane, curve([25, 14], [31, 15], [41, 24], [53, 37], [47, 38], [38, 31], [30, 22]), { blur: 0.3 });
  canvas.paint(coat, polygon([23, 18], [24, 9], [28, 17]), { shade: 0.4, depth: 1 });
  canvas.paint(BLACK, ellipse(20.5, 23.5, 1.2));
  canvas.paint([52, 30, 24], ellipse(11.5, 32.5, 3.4, 3.2, -40), { blur: 0.8 });
  canvas.paint([232, 224, 214], curve([15, 24], [20, 19], [21, 21], [14, 28]), { opacity: 0.8, blur: 0.3 });
}

export function deer(canvas) {
  canvas.paint(mottled([66, 74, 44], [126, 122, 76], 10, { seed: 51 }));
  for (const [x, width] of [
    [6, 4],
    [24, 2.5],
    [70, 3],
    [92, 5],
  ]) {
    canvas.paint(rough([70, 58, 44], 0.3, 3, { seed: x }), box(x, -2, x + width, 64), { blur: 0.8 });
  }
  meadow(canvas, 60, [154, 144, 84], [112, 116, 58], 12);
  canvas.paint([44, 46, 24], ellipse(56, 94, 30, 3), { opacity: 0.6, blur: 2 });
  const coat = rough(vertical(30, 80, [176, 124, 76], [158, 104, 60], [112, 74, 46]), 0.14, 3, { seed: 61 });
  const dark = rough([104, 68, 42], 0.15, 3, { seed: 62 });
  const pale = rough([222, 204, 176], 0.1, 3, { seed: 63 });
  const antler = [96, 76, 54];
  canvas.paint(dark, limb([44, 66, 3.6], [45, 78, 1.8], [44, 94, 1.3]));
  canvas.paint(dark, limb([76, 64, 4.6], [79, 76, 2], [76, 94, 1.4]));
  canvas.paint(coat, limb([40, 66, 4.4], [38, 79, 2.2], [38, 95, 1.5]), { shade: 0.4, depth: 2 });
  canvas.paint(coat, limb([72, 62, 6.5], [70, 74, 2.8], [73, 82, 1.9], [69, 95, 1.5]), { shade: 0.4, depth: 2 });
  canvas.paint(coat, curve([34, 56], [40, 50], [56, 50], [72, 48], [82, 53], [82, 64], [70, 68], [50, 70], [38, 68]), {
    shade: 0.8,
    depth: 4,
  });
  canvas.paint(pale, curve([80, 53], [86, 52], [86, 58], [82, 62]), { blur: 0.4 });
  canvas.paint(pale, curve([44, 68], [56, 67], [68, 66], [60, 70], [50, 70.6]), { blur: 0.8 });
  canvas.paint(coat, curve([24, 36], [32, 33], [38, 42], [46, 52], [42, 66], [34, 62], [30, 48]), {
    shade: 0.5,
    depth: 3,
  });
  canvas.paint(coat, curve([12, 41], [15, 36], [23, 31], [31, 30], [34, 36], [29, 42], [19, 44]), {
    shade: 0.5,
    depth: 2,
  });
  canvas.paint(pale, curve([28, 44], [31, 43], [36, 58], [34, 63], [31, 54]), { blur: 0.6 });
  canvas.paint(BLACK, ellipse(13, 40, 2, 1.7), { blur: 0.2 });
  canvas.paint(BLACK, ellipse(23, 35.5, 1.2));
  canvas.paint(coat, curve([31, 31], [38, 26], [42, 26], [39, 31], [33, 34]), { shade: 0.5, depth: 1 });
  for (const shift of [0, 5]) {
    const side = shift === 0 ? 1 : 1.25;
    canvas.paint(
      antler,
      together(
        limb([27 + shift / 2, 31, 1.1], [24 + shift * side, 20, 0.9], [29 + shift * 2, 8, 0.5]),
        limb([25 + shift, 22, 0.8], [17 + shift, 17, 0.4]),
        limb([25.5 + shift * 1.2, 16, 0.8], [19 + shift, 7, 0.4]),
        limb([28 + shift * 1.6, 11, 0.7], [35 + shift * 2, 7, 0.4]),
      ),
    );
  }
}

export function cat(canvas) {
  canvas.paint(rough(vertical(0, 100, [206, 196, 184], [176, 164, 150]), 0.12, 22, { seed: 71 }));
  const fur = (x, y) => {
    const stripe = Math.sin(Math.hypot(x - 50, (y - 80) * 0.8) / 1.9 + Math.sin(x / 6));
    return mix([124, 114, 104], [62, 54, 48], 0.4 + 0.5 * stripe);
  };
  const coat = rough(fur, 0.16, 1.2, { seed: 72 });
  const pale = rough([214, 206, 196], 0.1, 1.6, { seed: 73 });
  canvas.paint(coat, curve([10, 108], [14, 88], [28, 76], [50, 74], [72, 76], [86, 88], [90, 108]), {
    shade: 0.6,
    depth: 5,
    blur: 0.4,
  });
  for (const side of bothSides) {
    canvas.paint(coat, side(polygon([13, 42], [12, 4], [43, 24])), { shade: 0.4, depth: 2, blur: 0.3 });
    canvas.paint([186, 140, 130], side(polygon([18, 34], [17, 13], [35, 25])), { blur: 0.8 });
  }
  const head = curve(
    [50, 20],
    [70, 23],
    [87, 38],
    [89, 55],
    [77, 70],
    [62, 79],
    [50, 81],
    [38, 79],
    [23, 70],
    [11, 55],
    [13, 38],
    [30, 23],
  );
  canvas.paint(coat, head, { shade: 0.8, depth: 7, blur: 0.4 });
  canvas.paint(pale, together(ellipse(43.5, 67, 7.5, 6), ellipse(56.5, 67, 7.5, 6), ellipse(50, 74, 7, 5)), {
    blur: 1,
  });
  for (const side of bothSides) {
    canvas.paint([26, 20, 18], side(ellipse(32, 48, 9, 7, 14)), { blur: 0.3 });
    canvas.paint(vertical(42, 55, [136, 156, 60], [206, 208, 104]), side(ellipse(32, 48, 7.8, 6, 14)));
    canvas.paint(BLACK, side(ellipse(32, 48, 2.6, 5.6)));
    for (const [y, to] of [
      [66, 60],
      [68, 68],
      [70, 76],
    ]) {
      canvas.paint([244, 240, 236], side(limb([42, y, 0.3], [8, to, 0.12])), { opacity: 0.8 });
    }
  }
  canvas.paint([250, 250, 250], together(ellipse(34, 45.6, 1.2), ellipse(70, 45.6, 1.2)));
  canvas.paint([206, 128, 122], curve([45.5, 60], [50, 59.2], [54.5, 60], [50, 65]), { shade: 0.3, depth: 1 });
  const mouth = [limb([50, 65, 0.5], [50, 68.5, 0.5]), limb([50, 68.5, 0.5], [46, 71, 0.5], [42, 70, 0.3])];
  canvas.paint([66, 48, 44], together(...mouth, mirrored(mouth[1])));
}

export function dog(canvas) {
  canvas.paint(mottled([92, 122, 62], [134, 158, 88], 8, { seed: 81 }));
  const coat = rough(vertical(16, 100, [204, 158, 98], [176, 126, 70]), 0.14, 2, { seed: 82 });
  const dark = rough([122, 80, 46], 0.2, 2, { seed: 83 });
  const pale = rough([240, 230, 214], 0.08, 2, { seed: 84 });
  canvas.paint(coat, curve([16, 108], [22, 82], [36, 70], [64, 70], [78, 82], [84, 108]), { shade: 0.6, depth: 5 });
  canvas.paint(pale, curve([38, 80], [50, 76], [62, 80], [60, 108], [40, 108]), { blur: 1.5 });
  canvas.paint(
    coat,
    curve(
      [50, 14],
      [66, 17],
      [75, 30],
      [75, 46],
      [66, 60],
      [62, 74],
      [50, 80],
      [38, 74],
      [34, 60],
      [25, 46],
      [25, 30],
      [34, 17],
    ),
    { shade: 0.8, depth: 6 },
  );
  canvas.paint(pale, curve([50, 18], [53, 34], [60, 52], [63, 66], [56, 76], [44, 76], [37, 66], [40, 52], [47, 34]), {
    shade: 0.5,
    depth: 5,
    blur: 0.8,
  });
  for (const side of bothSides) {
    canvas.paint(dark, side(curve([33, 17], [25, 17], [17, 28], [13, 46], [16, 60], [22, 60], [27, 46], [31, 30])), {
      shade: 0.7,
      depth: 3,
      blur: 0.3,
    });
    canvas.paint([58, 40, 28], side(ellipse(38, 41, 4.4, 4)), { blur: 0.5 });
    canvas.paint(BLACK, side(ellipse(38, 41, 3, 3.1)));
  }
  canvas.paint([250, 250, 250], together(ellipse(39, 39.8, 0.9), ellipse(63, 39.8, 0.9)));
  canvas.paint([26, 22, 24], curve([42, 58], [50, 55], [58, 58], [56, 63], [50, 66], [44, 63]), {
    shade: 0.8,
    depth: 2,
  });
  canvas.paint(
    [70, 46, 40],
    together(
      limb([50, 66, 0.5], [50, 71, 0.5]),
      limb([50, 71, 0.5], [43, 73, 0.4]),
      limb([50, 71, 0.5], [57, 73, 0.4]),
    ),
  );
  canvas.paint([214, 110, 112], curve([45, 73], [50, 72], [55, 73], [54, 82], [50, 84], [46, 82]), {
    shade: 0.4,
    depth: 2,
  });
}

export function frog(canvas) {
  canvas.paint(mottled([112, 88, 60], [76, 64, 46], 9, { seed: 91 }));
  canvas.paint(mottled([136, 110, 74], [98, 78, 52], 3, { seed: 92 }), box(0, 68, 100, 100), { blur: 2 });
  canvas.paint([34, 28, 20], ellipse(50, 86, 42, 7), { opacity: 0.7, blur: 2 });
  const skin = rough(mottled([92, 150, 46], [60, 112, 36], 6, { seed: 93 }), 0.2, 2, { seed: 94 });
  const belly = rough([206, 212, 150], 0.1, 3, { seed: 95 });
  for (const side of bothSides) {
    canvas.paint(skin, side(curve([16, 60], [6, 66], [5, 78], [14, 86], [30, 86], [36, 74], [28, 62])), {
      shade: 0.8,
      depth: 4,
    });
    canvas.paint(skin, side(limb([14, 84, 3.4], [8, 89, 2], [2, 91, 1.2])), { shade: 0.5, depth: 2 });
    canvas.paint(skin, side(limb([14, 84, 3], [20, 90, 1.4])), { shade: 0.5, depth: 2 });
  }
  canvas.paint(
    skin,
    curve([50, 34], [68, 38], [80, 50], [82, 66], [74, 80], [62, 86], [38, 86], [26, 80], [18, 66], [20, 50], [32, 38]),
    { shade: 0.9, depth: 6 },
  );
  canvas.paint(belly, curve([50, 60], [70, 58], [74, 66], [66, 82], [50, 86], [34, 82], [26, 66], [30, 58]), {
    shade: 0.4,
    depth: 4,
    blur: 1.2,
  });
  for (const side of bothSides) {
    canvas.paint(skin, side(limb([30, 70, 5], [30, 82, 3.6], [26, 90, 2.2])), { shade: 0.6, depth: 3 });
    for (const to of [18, 25, 32]) canvas.paint(skin, side(limb([27, 88, 1.6], [to, 94, 1])), { shade: 0.3, depth: 1 });
    canvas.paint(skin, side(ellipse(32, 37, 10, 9.6)), { shade: 0.8, depth: 3 });
    canvas.paint([214, 178, 60], side(ellipse(31, 36.5, 6.6, 6.2)), { shade: 0.4, depth: 2 });
    canvas.paint(BLACK, side(ellipse(31, 36.8, 4.6, 3)));
    canvas.paint([40, 62, 24], side(ellipse(45, 46, 1, 0.8)));
  }
  canvas.paint([250, 250, 240], together(ellipse(33, 34.6, 1.2), ellipse(71, 34.6, 1.2)));
  canvas.paint([44, 66, 26], limb([22, 57, 0.5], [36, 60, 0.8], [50, 60.6, 0.8], [64, 60, 0.8], [78, 57, 0.5]));
}

export function bird(canvas) {
  canvas.paint(mottled([150, 176, 130], [196, 210, 176], 22, { seed: 101 }));
  canvas.paint(
    rough([92, 68, 48], 0.3, 3, { stretch: 4, seed: 102 }),
    limb([-4, 86, 3.4], [40, 80, 3], [104, 84, 2.4]),
    { shade: 0.6, depth: 2 },
  );
  const back = rough(vertical(20, 76, [110, 100, 92], [94, 82, 72]), 0.25, 2, { seed: 103 });
  const breast = rough(vertical(30, 78, [206, 104, 54], [216, 150, 98], [232, 222, 206]), 0.1, 3, { seed: 104 });
  canvas.paint(back, curve([64, 62], [80, 72], [94, 88], [88, 92], [72, 80], [58, 72]), { shade: 0.5, depth: 2 });
  canvas.paint([70, 50, 38], together(limb([46, 74, 0.9], [45, 81, 0.8]), limb([54, 74, 0.9], [55, 81, 0.8])));
  canvas.paint(
    breast,
    curve([30, 30], [40, 22], [52, 26], [62, 42], [68, 58], [62, 72], [50, 77], [38, 72], [30, 58], [26, 44]),
    { shade: 0.8, depth: 6 },
  );
  canvas.paint(
    back,
    curve([34, 24], [44, 18], [54, 24], [66, 42], [76, 62], [80, 72], [66, 72], [56, 60], [50, 42], [44, 34], [38, 30]),
    { shade: 0.7, depth: 3 },
  );
  canvas.paint(
    rough([76, 64, 56], 0.3, 2, { stretch: 0.4, seed: 105 }),
    curve([52, 44], [60, 44], [72, 60], [80, 74], [66, 70], [56, 60]),
    { shade: 0.6, depth: 2 },
  );
  canvas.paint([58, 50, 44], polygon([31, 29], [20, 32], [31, 33.5]));
  canvas.paint(BLACK, ellipse(38, 28, 2));
  canvas.paint([250, 250, 250], ellipse(38.6, 27.3, 0.6));
}

export const animals = { bird, cat, deer, dog, frog, horse };
