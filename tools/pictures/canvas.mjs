// A square picture that shapes are painted on, with several samples a pixel for smooth edges.

const SAMPLES = 3;
const SIDE = 100;

export class Canvas {
  constructor(pixels) {
    this.pixels = pixels;
    this.side = pixels * SAMPLES;
    this.samples = new Float32Array(this.side * this.side * 3);
  }

  /**
   * Paints all, or what is inside an outline. A paint is a colour, or a function from x and y to one.
   * blur: how soft the edge is. shade: how much the surface looks round, lit from above and from the left; depth: how
   * far from the edge.
   */
  paint(paint, outline, { opacity = 1, blur = 0, shade = 0, depth = 5 } = {}) {
    const cover = outline === undefined ? undefined : this.#inside(outline, blur);
    const light = shade === 0 ? undefined : this.#light(this.#inside(outline, depth), shade, depth);
    const unit = SIDE / this.side;
    for (let i = 0; i < this.side * this.side; ++i) {
      const alpha = opacity * (cover?.[i] ?? 1);
      if (alpha === 0) continue;
      const colour =
        typeof paint === 'function' ? paint((i % this.side) * unit, Math.floor(i / this.side) * unit) : paint;
      for (let c = 0; c < 3; ++c) {
        const value = Math.min(Math.max(colour[c] * (light?.[i] ?? 1), 0), 255);
        this.samples[3 * i + c] += (value - this.samples[3 * i + c]) * alpha;
      }
    }
    return this;
  }

  /** Rows of red, green and blue bytes. */
  bytes() {
    const result = new Uint8Array(this.pixels * this.pixels * 3);
    for (let i = 0; i < result.length; ++i) {
      const [c, x, y] = [i % 3, Math.floor(i / 3) % this.pixels, Math.floor(i / 3 / this.pixels)];
      let sum = 0;
      for (let dy = 0; dy < SAMPLES; ++dy) {
        for (let dx = 0; dx < SAMPLES; ++dx) {
          sum += this.samples[((y * SAMPLES + dy) * this.side + x * SAMPLES + dx) * 3 + c];
        }
      }
      result[i] = Math.round(sum / SAMPLES ** 2);
    }
    return result;
  }

  /** 1 in any of the outline's polygons, 0 outside. */
  #inside(outline, blur) {
    const mask = new Float32Array(this.side * this.side);
    for (const part of outline) this.#scan(part, mask);
    return blur === 0 ? mask : this.#blurred(mask, blur);
  }

  #scan(part, mask) {
    const scale = this.side / SIDE;
    for (let row = 0; row < this.side; ++row) {
      const y = (row + 0.5) / scale;
      const crossings = [];
      part.forEach(([x0, y0], i) => {
        const [x1, y1] = part[(i + 1) % part.length];
        if (y0 <= y !== y1 <= y) crossings.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
      });
      crossings.sort((a, b) => a - b);
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const first = Math.max(Math.round(crossings[i] * scale), 0);
        const end = Math.min(Math.round(crossings[i + 1] * scale), this.side);
        if (first < end) mask.fill(1, row * this.side + first, row * this.side + end);
      }
    }
  }

  /** The edge of a blurred shape falls off as a round surface does: its slope shows which way the surface faces. */
  #light(soft, shade, depth) {
    const slope = (this.side / SIDE) * depth;
    return soft.map((value, i) => {
      const right = soft[i + 1] ?? value;
      const below = soft[i + this.side] ?? value;
      return 1 + shade * slope * (0.5 * (right - value) + (below - value));
    });
  }

  /** Three means over a window in each direction, nearly a Gaussian. */
  #blurred(values, radius) {
    const reach = Math.max(Math.round((radius * this.side) / SIDE), 1);
    let result = values;
    for (let round = 0; round < 3; ++round) {
      result = this.#means(result, reach, 1, this.side);
      result = this.#means(result, reach, this.side, 1);
    }
    return result;
  }

  #means(values, reach, step, lineStep) {
    const result = new Float32Array(values.length);
    const last = this.side - 1;
    for (let line = 0; line < this.side; ++line) {
      const at = (i) => values[line * lineStep + Math.min(Math.max(i, 0), last) * step];
      let sum = 0;
      for (let i = -reach; i <= reach; ++i) sum += at(i);
      for (let i = 0; i <= last; ++i) {
        result[line * lineStep + i * step] = sum / (2 * reach + 1);
        sum += at(i + reach + 1) - at(i - reach);
      }
    }
    return result;
  }
}
