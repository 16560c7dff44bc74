// R17: SIGTERM takes no new calls and lets running ones finish; a second one ends them with BYE.
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { ACCOUNT, extension } from '../support/pbx.ts';
import { header } from '../support/phone/sip-text.ts';
import { Lines, tones } from './support/lines.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent');

const open = (env: Record<string, string> = {}): Promise<Lines> =>
  Lines.open({
    env,
    recordings,
    agents: { '1001': {} },
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main', '200': extension('1001') },
  });

describe.concurrent('R17, SIGTERM', () => {
  it('refuses new calls with 503 and Retry-After while those that run go on, and ends with code 0', async () => {
    const lines = await open();
    try {
      const phone = await lines.agent('1001');
      const call = await lines.dial('200');
      const incoming = await phone.incoming();
      await incoming.answer();
      await call.answered();
      const ended = lines.pbx.stop('SIGTERM');
      await lines.until('503', async () => {
        const next = await lines.dial('100');
        const status = await next.finished();
        if (status === 503 && next.finalResponse)
          expect(header(next.finalResponse, 'retry-after')).toMatch(/^\d+$/);
        await next.hangUp();
        return status === 503;
      });
      await incoming.sendTone(hz.agent);
      await call.hears(hz.agent, { forMs: 200 });
      expect(lines.pbx.process.exitCode).toBeNull();
      await call.hangUp();
      expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
      expect(await ended).toBe(0);
    } finally {
      await lines.close();
    }
  });

  it('a second time ends both sides of every call with BYE and the cause, and ends with code 0', async () => {
    const lines = await open();
    try {
      const phone = await lines.agent('1001');
      const call = await lines.dial('200');
      const incoming = await phone.incoming();
      await incoming.answer();
      await call.answered();
      const menu = await lines.reach('100');
      await menu.hears(hz.prompt, { forMs: 80 });
      const ended = lines.pbx.stop('SIGTERM');
      await lines.until('draining', async () => lines.pbx.log.some((line) => line.includes('"draining"')));
      lines.pbx.process.kill('SIGTERM');
      for (const each of [call, incoming, menu])
        expect(await each.ended()).toMatchObject({ by: 'peer', how: 'bye', cause: 41 });
      expect(await ended).toBe(0);
    } finally {
      await lines.close();
    }
  });

  it('writes down also calls that are cut off while a phone owes an answer', async () => {
    const lines = await open({ DRAIN_SECONDS: '1' });
    try {
      const phone = await lines.agent('1001');
      await lines.dial('200');
      (await phone.incoming()).ring();
      // The caller's phone is gone: nobody acknowledges that the call is refused.
      lines.phones.pop()?.close();
      expect(await lines.pbx.stop('SIGTERM')).toBe(0);
      const storage = await openSqlite(lines.pbx.dataDir);
      const all = { accountId: ACCOUNT, words: [], fromMs: 0, toMs: Date.now() + 1, limit: 10 };
      expect((await storage.findCalls(all)).calls).toMatchObject([{ endCode: 'service-stopped' }]);
      await storage.close();
    } finally {
      await lines.close();
    }
  });
});
