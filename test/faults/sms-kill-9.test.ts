// The process is killed again and again while SMS are on their way to an SMSC (a process by another hand, npm's smpp).
// Every message that was acknowledged is submitted at least once, always under its own id; none is lost, none is a stranger.
import { expect, it } from 'vitest';
import { onBothDatabases } from '../support/databases.ts';
import { call, type Service, startService } from '../support/service.ts';
import { type Smsc, startSmsc } from '../support/smsc/smsc.ts';
import { between, ms, ROUNDS, report, sleep, waitUntil } from './support/rounds.ts';

const MESSAGES = 10;
/** A lease ends, a poll finds the job, and a slow machine does much else besides. */
const SETTLE_MS = 120_000;

onBothDatabases((database) => {
  it(`loses no SMS when the service is killed ${ROUNDS} times with some in flight`, async () => {
    const environment = await database.environment();
    const smsc: Smsc = await startSmsc();
    await smsc.tell({ type: 'behave', behaviour: { delayMs: 40 } });
    const env = {
      ...environment,
      SMS_URL: `smpp://dialtree:secret@127.0.0.1:${smsc.port}?window=4`,
      SMS_PER_MINUTE: '100000',
    };
    const { DATA_DIR: dataDir = '' } = environment;
    /** What was promised to be sent, by id, and texts of requests whose outcome nobody knows. */
    const promised = new Map<string, string>();
    const asked = new Set<string>();
    let cut = 0;
    let service: Service | undefined;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const binds = smsc.binds.length;
        service = await startService({ env, dataDir });
        const { url } = service;
        await waitUntil('bound', () => smsc.binds.length > binds, 60_000, 5);
        const submitted = smsc.submitted.length;
        const requests = Array.from({ length: MESSAGES }, async (_, index) => {
          const text = `round ${round} message ${index}`;
          asked.add(text);
          const reply = await call(url, 'POST', '/v1/sms', { body: { to: '+4915112345678', text } });
          if (reply.status === 201) promised.set(reply.json.id, text);
        });
        const sending = Promise.allSettled(requests);
        // At the first submission, or a little later: some are answered, some in flight, some still wait.
        await waitUntil('in flight', () => smsc.submitted.length > submitted, 60_000, 2);
        await sleep(between(0, 80));
        await service.stop('SIGKILL');
        const outcomes = await sending;
        cut += outcomes.filter(({ status }) => status === 'rejected').length;
      }
      service = await startService({ env, dataDir });
      const { url } = service;
      const tookMs = await waitUntil(
        'everything is sent',
        async () => {
          const { json } = await call(url, 'GET', '/v1/sms?state=queued&limit=1');
          const { json: more } = await call(url, 'GET', '/v1/sms?state=sending&limit=1');
          return json.data.length + more.data.length === 0;
        },
        SETTLE_MS,
        200,
      );
      const tries = new Map<string, Set<string>>();
      const counts = new Map<string, number>();
      for (const { id, text } of smsc.submitted) {
        tries.set(text, (tries.get(text) ?? new Set()).add(id));
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      const lost = [...promised].filter(([id, text]) => !tries.get(text)?.has(id));
      const twice = [...counts.values()].filter((count) => count > 1).length;
      report(
        `sms-kill-9 ${database.name}: ${ROUNDS} rounds, ${promised.size} acknowledged, ${cut} cut off, ` +
          `${counts.size} texts submitted, ${twice} of them more than once, ${lost.length} lost; ` +
          `all sent ${ms(tookMs)} after the last start`,
      );
      expect(lost).toEqual([]);
      // However often a message was sent, it had one id; and nothing was sent that nobody asked for.
      expect([...tries].filter(([, ids]) => ids.size !== 1)).toEqual([]);
      expect([...tries.keys()].filter((text) => !asked.has(text))).toEqual([]);
      expect(promised.size).toBeGreaterThan(ROUNDS);
    } finally {
      await service?.remove();
      await smsc.stop();
    }
  });
});
