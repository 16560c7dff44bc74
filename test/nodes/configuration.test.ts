// What is changed by one node's API is what the next call at another node gets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

const { hz, recordings } = tones(2000, 'before', 'after');
const EVERY_MS = 100;

describe.skipIf(postgresMissing())('configuration of two nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      recordings,
      menus: {
        main: { recording: 'recording||before', timeout: 60, option: ['1'], destination: ['hangup||hangup'] },
      },
      numbers: { '100': 'ivr||main' },
    });
  });
  afterAll(() => cluster?.close());

  /** The tone that a caller at node B hears first. */
  async function firstTone(): Promise<number> {
    const phone = await cluster.phone(1);
    const call = await (await phone.call('100')).answered();
    const heard = await Promise.any([
      call.hears(hz.before, { forMs: 80 }).then(() => hz.before),
      call.hears(hz.after, { forMs: 80 }).then(() => hz.after),
    ]);
    await call.hangUp();
    return heard;
  }

  it('a change at A is heard by a call at B', async () => {
    expect(await firstTone()).toBe(hz.before);
    const { status, text } = await cluster
      .node(0)
      .api('PATCH', '/v1/ivr/main', { recording: 'recording||after' });
    expect(status, text).toBe(200);
    const changedMs = performance.now();
    for (let tries = 0; (await firstTone()) !== hz.after; tries++) {
      expect(tries).toBeLessThan(100);
      await sleep(EVERY_MS);
    }
    const heardMs = Math.round(performance.now() - changedMs);
    report(`configuration: a change at A is heard by a call at B ${heardMs} ms after its answer`);
  });
});
