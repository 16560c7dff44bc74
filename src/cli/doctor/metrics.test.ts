import { expect, it } from 'vitest';
import { checkMetrics } from './metrics.ts';

const state = (host: string, metricsToken: string | null) => checkMetrics({ host, port: 8080, metricsToken });

it('metrics that everybody can read who reaches the port are said, and how to close them', () => {
  expect(state('0.0.0.0', null)).toMatchObject({
    state: 'warn',
    message: expect.stringContaining('METRICS_TOKEN'),
  });
  expect(state('192.0.2.1', null).state).toBe('warn');
  expect(state('127.0.0.1', null).state).toBe('ok');
  expect(state('0.0.0.0', 'a token of some length').state).toBe('ok');
});
