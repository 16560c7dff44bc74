import { describe, expect, it } from 'vitest';
import { makeMetrics, mergeMetrics } from './metrics.ts';

describe('metrics of two threads', () => {
  it('all samples of a metric stand together, under one help and type', () => {
    const first = '# HELP a A.\n# TYPE a gauge\na{thread="api"} 1\n\n# HELP b B.\n# TYPE b counter\nb 2\n';
    const second = '# HELP c C.\n# TYPE c gauge\n\n# HELP a A.\n# TYPE a gauge\na 3\n';
    expect(mergeMetrics(first, second)).toBe(
      '# HELP a A.\n# TYPE a gauge\na{thread="api"} 1\na 3\n\n# HELP b B.\n# TYPE b counter\nb 2\n\n# HELP c C.\n# TYPE c gauge\n',
    );
    expect(mergeMetrics(first, '')).toBe(first);
  });

  it('what concerns the process is said once, by the telephone side', async () => {
    const text = await makeMetrics(
      async () => '# HELP process_x X.\n# TYPE process_x gauge\nprocess_x 1\n',
    ).text();
    expect(text.match(/^process_.*$/gm)).toEqual(['process_x 1']);
    expect(text).toMatch(/^nodejs_heap_size_used_bytes\{thread="api"\} \d+$/m);
  });
});
