// docs/threat-model.md R17: SIGTERM takes no new calls and lets running ones finish; a second one ends them with BYE.
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { ACCOUNT, extension } from '../support/pbx.ts';
import { header } from '../support/phone/sip-text.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent');

const open = (env: Record<string, string> = {}): Promise<PhoneBed> =>
  PhoneBed.open({
    env,
    recordings,
    agents: { '1001': {} },
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main', '200': extension('1001') },
  });

describe.concurrent('SIGTERM (R17)', () => {
  it('refuses new calls with 503 and Retry-After while those that run go on, and ends with code 0', async () => {
    const bed = await open();
    try {
      const phone = await bed.agent('1001');
      const call = await bed.dial('200');
      const incoming = await phone.incoming();
      await incoming.answer();
      await call.answered();
      const ended = bed.pbx.stop('SIGTERM');
      await bed.until('503', async () => {
        const next = await bed.dial('100');
        const status = await next.finished();
        if (status === 503 && next.finalResponse)
          expect(header(next.finalResponse, 'retry-after')).toMatch(/^\d+$/);
        await next.hangUp();
        return status === 503;
      });
      await incoming.sendTone(hz.agent);
      await call.hears(hz.agent, { forMs: 200 });
      expect(bed.pbx.process.exitCode).toBeNull();
      await call.hangUp();
      expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
      expect(await ended).toBe(0);
    } finally {
      await bed.close();
    }
  });

  it('a second time ends both sides of every call with BYE and the cause, and ends with code 0', async () => {
    const bed = await open();
    try {
      const phone = await bed.agent('1001');
      const call = await bed.dial('200');
      const incoming = await phone.incoming();
      await incoming.answer();
      await call.answered();
      const menu = await bed.reach('100');
      await menu.hears(hz.prompt, { forMs: 80 });
      const ended = bed.pbx.stop('SIGTERM');
      await bed.until('draining', async () => bed.pbx.log.some((line) => line.includes('"draining"')));
      bed.pbx.process.kill('SIGTERM');
      for (const each of [call, incoming, menu])
        expect(await each.ended()).toMatchObject({ by: 'peer', how: 'bye', cause: 41 });
      expect(await ended).toBe(0);
    } finally {
      await bed.close();
    }
  });

  it('records calls that are cut off while a phone owes a response, too', async () => {
    const bed = await open({ DRAIN_SECONDS: '1' });
    try {
      const phone = await bed.agent('1001');
      await bed.dial('200');
      (await phone.incoming()).ring();
      // The caller's phone is gone: the final response gets no ACK.
      bed.phones.pop()?.close();
      expect(await bed.pbx.stop('SIGTERM')).toBe(0);
      const storage = await openSqlite(bed.pbx.dataDir);
      const all = { accountId: ACCOUNT, words: [], fromMs: 0, toMs: Date.now() + 1, limit: 10 };
      expect((await storage.findCalls(all)).calls).toMatchObject([{ endCode: 'service-stopped' }]);
      await storage.close();
    } finally {
      await bed.close();
    }
  });
});
