// Counts for monitoring, in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).

import { sumOfUsages, type Usage } from './usage.js';

export class Metrics {
  private tokens = sumOfUsages([]);
  private readonly requests = new Map<string, number>();
  private running = 0;

  begin(): void {
    this.running += 1;
  }

  end(route: string, status: number): void {
    this.running -= 1;
    const labels = `{route="${route}",status="${status}"}`;
    this.requests.set(labels, (this.requests.get(labels) ?? 0) + 1);
  }

  use(usage: Usage): void {
    this.tokens = sumOfUsages([this.tokens, usage]);
  }

  toString(): string {
    const { tokens, requests, running } = this;
    return [
      metric('prompt_tokens_total', [['', tokens.prompt]]),
      // Tokens of prompts that were in the cache.
      metric('cached_prompt_tokens_total', [['', tokens.cached]]),
      metric('completion_tokens_total', [['', tokens.completion]]),
      metric('requests_total', [...requests]),
      metric('requests_running', [['', running]], 'gauge'),
    ].join('');
  }
}

function metric(name: string, values: readonly (readonly [labels: string, value: number])[], type = 'counter'): string {
  const lines = values.map(([labels, value]) => `quintet_${name}${labels} ${value}\n`);
  return `# TYPE quintet_${name} ${type}\n${lines.join('')}`;
}
