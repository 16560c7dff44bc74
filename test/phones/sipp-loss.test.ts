// 500 callers whose every tenth packet is lost, each way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/service.ts';
import { nothingLeft } from './support/observe.ts';
import { type Office, openOffice } from './support/office.ts';
import { has } from './support/program.ts';

const CALLS = 500;

describe.runIf(has('sipp'))('bad weather with SIPp', () => {
  let office: Office<never>;
  beforeAll(async () => {
    office = await openOffice([]);
  });
  afterAll(() => office.pbx.remove());

  it('500 calls with 10 % of the packets lost are all set up and ended', async () => {
    const more = ['-lost', '10', '-max_retrans', '10'];
    const result = await office.caller('in-the-rain', 'drenched', {
      calls: CALLS,
      perSecond: 50,
      seconds: 80,
      more,
    });
    expect(result, result.story.slice(0, 5_000)).toMatchObject({ code: 0, successful: CALLS, failed: 0 });
    // One whose BYE was lost for good would hang on for 30 s, until the RTP time-out.
    await nothingLeft(office.pbx);
    const { text } = await call(office.pbx.url, 'GET', '/metrics');
    const ended = /^dialtree_calls_ended_total\{end="caller-hung-up"\} (\d+)$/m.exec(text)?.[1];
    expect(Number(ended)).toBe(CALLS);
  });
});
