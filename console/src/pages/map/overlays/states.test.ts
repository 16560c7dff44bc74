import { expect, it } from 'vitest';
import type { LiveAgent } from '../../../data/live-state.ts';
import { NO_ROWS } from './overlay.ts';
import { overlaid, statesOverlay } from './states.ts';

const agent = (eid: string, state: LiveAgent['state']): [string, LiveAgent] => [
  eid,
  { eid, state, signed_out: [] } as unknown as LiveAgent,
];
const words = { agent: String, waiting: (count: number) => `${count} waiting`, nobody: 'nobody' };
const queues = new Map([['sales', { department: 'sales', waiting: 3, longest_since: '' }]]);

it('marks agents by their state, departments by who waits, and in red those that nobody answers', () => {
  const overlay = statesOverlay(
    {
      agents: new Map([agent('1', 'free'), agent('2', 'unreachable')]),
      queues,
      departments: [
        { id: 'sales', agents: ['1'] },
        { id: 'night', agents: ['2'] },
        { id: 'well', agents: ['1'] },
      ],
    },
    words,
  );
  expect([...overlay].map(([id, { tone, badge }]) => [id, tone, badge])).toEqual([
    ['extension||1', 'good', 'free'],
    ['extension||2', 'warn', 'unreachable'],
    ['department||sales', 'warn', '3 waiting'],
    ['department||night', 'bad', 'nobody'],
  ]);
});

it('calls cover states, but a department that nobody answers stays red', () => {
  const mark = (tone: 'bad' | 'info' | 'good', badge: string) => ({
    tone,
    badge,
    text: badge,
    rows: NO_ROWS,
  });
  const both = overlaid(
    new Map([
      ['extension||1', mark('good', 'free')],
      ['department||night', mark('bad', 'nobody')],
    ]),
    new Map([
      ['extension||1', mark('info', '1 call')],
      ['department||night', mark('info', '2 calls')],
    ]),
  );
  expect(both.get('extension||1')?.badge).toBe('1 call');
  expect(both.get('department||night')).toMatchObject({ tone: 'bad', badge: '2 calls' });
});
