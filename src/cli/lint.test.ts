import { expect, it } from 'vitest';
import { aFlow } from '../flow/testing/samples.ts';
import { flowFindings } from './lint.ts';
import type { Subject } from './subject.ts';

it('names music on hold of the account that does not exist', () => {
  const account: Subject = { file: null, flow: aFlow([]), menus: [], numbers: [], music: null, assumed: [] };
  expect(flowFindings(account)).toEqual([]);
  expect(flowFindings({ ...account, music: 'gone' })).toMatchObject([
    { node: 'settings', code: 'recording-missing', severity: 'error', pointer: '/music_on_hold' },
  ]);
});
