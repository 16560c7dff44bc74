import { describe, expect, it } from 'vitest';
import type { GivenUp } from '../../flow-jobs/flow-jobs.ts';
import type { FlowJob, FlowResult } from '../../flow-jobs/job.ts';
import { flowJobResponse } from './simulate.ts';

describe('what a flow thread answers (T37)', () => {
  const job = { kind: 'lint' } as FlowJob;
  const responseTo = (result: FlowResult | GivenUp) =>
    flowJobResponse({ flowJobs: { run: () => Promise.resolve(result) } }, job);

  it('is sent as it comes', async () => {
    expect(await responseTo({ json: '{"data":[]}' })).toEqual({ status: 200, bytes: '{"data":[]}' });
    expect(await responseTo({ json: null })).toMatchObject({ problem: 'record_unknown' });
    expect(await responseTo({ faults: [{ pointer: '/at', message: 'Never.' }] })).toMatchObject({
      problem: 'fields_invalid',
      faults: [{ pointer: '/at', code: 'scenario_malformed', message: 'Never.' }],
    });
  });

  it('names the fault when the job was given up', async () => {
    expect(await responseTo({ givenUp: 'late' })).toMatchObject({
      problem: 'work_too_large',
      message: expect.stringContaining('time'),
    });
    expect(await responseTo({ givenUp: 'died' })).toMatchObject({
      problem: 'work_too_large',
      message: expect.stringContaining('memory'),
    });
  });
});
