// Llama as Hugging Face's transformers computes it (modeling_llama.py: rotate_half over the halves of a head, keys
// cached after the rotation), in doubles and one step after the other: what a prefill in Python gives.

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const add = (a, b) => a.map((x, i) => x + b[i]);

/**
 * @param weights { name: Float32Array } under Hugging Face's names
 * @param config { hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads, rms_norm_eps, rope_theta }
 * @returns logits after the last id, and of each layer keys and values [kv_heads][positions][head_dim]
 */
export function prefill(weights, config, ids) {
  const width = config.hidden_size;
  const headDim = width / config.num_attention_heads;
  const norm = (name, x) => {
    const scale = 1 / Math.sqrt(dot(x, x) / width + config.rms_norm_eps);
    return x.map((value, i) => value * scale * weights[name][i]);
  };
  const project = (name, x) => {
    const rows = weights[name].length / x.length;
    return Array.from({ length: rows }, (_, row) =>
      dot(x, weights[name].subarray(row * x.length, (row + 1) * x.length)),
    );
  };
  const heads = (x) => Array.from({ length: x.length / headDim }, (_, h) => x.slice(h * headDim, (h + 1) * headDim));
  let states = ids.map((id) => Array.from(weights['model.embed_tokens.weight'].subarray(id * width, (id + 1) * width)));
  const layers = [];
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const name = (part) => `model.layers.${layer}.${part}.weight`;
    const inputs = states.map((x) => norm(name('input_layernorm'), x));
    const projected = (part) => inputs.map((x) => heads(project(name(`self_attn.${part}_proj`), x)));
    const rotated = (all) => all.map((of, position) => of.map((head) => rotate(head, position, config.rope_theta)));
    const [queries, keys, values] = [rotated(projected('q')), rotated(projected('k')), projected('v')];
    states = states.map((x, position) => {
      const mixed = queries[position].flatMap((query, h) => {
        const kv = Math.floor((h * config.num_key_value_heads) / config.num_attention_heads);
        return attend(
          query,
          keys.slice(0, position + 1).map((of) => of[kv]),
          values.map((of) => of[kv]),
        );
      });
      const attended = add(x, project(name('self_attn.o_proj'), mixed));
      const input = norm(name('post_attention_layernorm'), attended);
      const up = project(name('mlp.up_proj'), input);
      const gated = project(name('mlp.gate_proj'), input).map((gate, i) => (gate / (1 + Math.exp(-gate))) * up[i]);
      return add(attended, project(name('mlp.down_proj'), gated));
    });
    const byHead = (all) => all[0].map((_, h) => all.map((of) => of[h]));
    layers.push({ keys: byHead(keys), values: byHead(values) });
  }
  const output = weights['lm_head.weight'] ? 'lm_head.weight' : 'model.embed_tokens.weight';
  return { layers, logits: project(output, norm('model.norm.weight', states.at(-1))) };
}

function rotate(head, position, theta) {
  const half = head.length / 2;
  return head.map((value, i) => {
    const angle = position / theta ** ((2 * (i % half)) / head.length);
    const turned = i < half ? -head[i + half] : head[i - half];
    return value * Math.cos(angle) + turned * Math.sin(angle);
  });
}

function attend(query, keys, values) {
  const scores = keys.map((key) => dot(query, key) / Math.sqrt(query.length));
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const total = weights.reduce((sum, x) => sum + x, 0);
  return query.map((_, i) => weights.reduce((sum, weight, position) => sum + weight * values[position][i], 0) / total);
}
