// R30: a media worker dies during calls. Its calls end with a reason, the others go on, and the worker is replaced.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { freePorts } from '../../src/media/testing/free-ports.ts';
import { PhoneBed } from '../calls/support/phone-bed.ts';
import { openFiles } from '../hostile/support/metrics.ts';
import { figure } from '../support/figure.ts';
import { extension } from '../support/pbx.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';

const HOOK = fileURLToPath(new URL('support/media-workers.mjs', import.meta.url));
const PROMPT_HZ = 1_060;
const AGENT_HZ = 1_700;
const WORKERS = 2;
/** Two for each leg; each worker has half of them. */
const PORTS = 32;
const KILLS = 3;

let bed: PhoneBed;
afterEach(async () => {
  for (const phone of bed.phones) phone.close();
  await bed.pbx.remove();
});

const alive = (calls: readonly PhoneCall[]): PhoneCall[] => calls.filter(({ end }) => end === null);

it.each(['syscalls', 'dgram'])(
  `R30: a worker that dies ${KILLS} times is replaced, its calls end with a reason, the others go on (%s)`,
  async (adapter) => {
    const { from, to } = await freePorts(PORTS);
    bed = await PhoneBed.open({
      recordings: { prompt: { hz: PROMPT_HZ, ms: 120_000 } },
      menus: { main: { timeout: 60 } },
      agents: { '1001': {} },
      numbers: { '100': 'ivr||main', '71001': extension('1001') },
      env: {
        NODE_OPTIONS: `--import=${HOOK}`,
        MEDIA_WORKERS: String(WORKERS),
        MEDIA_SOCKETS: adapter,
        RTP_PORTS: `${from}-${to}`,
      },
    });
    const agent = await bed.agent('1001');
    const files = openFiles(bed.pbx);
    const replacedMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      // All pairs of ports are in use: none was lost at the last kill.
      const menus = await Promise.all(Array.from({ length: PORTS / 2 - 4 }, () => bed.reach('100')));
      const bridged = await bed.dial('71001');
      const incoming = await agent.incoming();
      await incoming.answer();
      await bridged.answered();
      await Promise.all(menus.map((call) => call.hears(PROMPT_HZ, { forMs: 100 })));
      bed.pbx.process.kill('SIGUSR2');
      const startMs = performance.now();
      const all = [...menus, bridged, incoming];
      await bed.until('calls of the dead worker that ended', async () => alive(all).length <= all.length - 4);
      for (let before = -1; before !== alive(all).length; await sleep(1_000)) before = alive(all).length;
      const ended = all.filter(({ end }) => end !== null);
      const going = alive(all);
      expect(ended.length).toBeGreaterThanOrEqual(4);
      expect(going.length).toBeGreaterThanOrEqual(4);
      for (const { end } of ended) expect(end).toMatchObject({ by: 'peer', how: 'bye', cause: 41 });
      // Both sides of a conversation are with one worker.
      expect(bridged.end === null).toBe(incoming.end === null);
      const caller = ended.find((call) => call !== incoming);
      if (caller === undefined) throw new Error('no caller');
      const record = await bed.record(caller);
      expect(record).toMatchObject({ end_code: 'internal-error', cause: 41 });
      expect(JSON.stringify(record.legs)).toContain('media worker');
      for (const call of going.filter((each) => menus.includes(each))) {
        call.forget();
        await call.hears(PROMPT_HZ, { forMs: 200 });
      }
      if (bridged.end === null) {
        bridged.forget();
        await incoming.sendTone(AGENT_HZ);
        await bridged.hears(AGENT_HZ, { forMs: 200 });
      }
      // As many new calls as the dead worker had: its ports are back.
      const next: PhoneCall[] = [];
      await bed.until('new calls on all ports', async () => {
        const call = await bed.dial('100');
        if ((await call.finished()) === 200) next.push(call);
        return going.length + next.length >= PORTS / 2 - 2;
      });
      replacedMs.push(performance.now() - startMs);
      await Promise.all(next.map((call) => call.hears(PROMPT_HZ, { forMs: 100 })));
      await Promise.all([...going, ...next].map((call) => call.hangUp()));
      await bed.idle();
    }
    figure(
      'R30',
      `${adapter}: ${KILLS} workers ended under ${PORTS / 2 - 2} legs; all ports in use again after ${Math.round(Math.max(...replacedMs))} ms at most`,
    );
    // Descriptors of dead workers are closed; a thread has a few of its own, which come and go.
    await bed.until('no descriptor left over', async () => openFiles(bed.pbx) <= files + 8);
    const errors = bed.pbx.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(new Set(errors.map(({ msg }) => msg))).toEqual(
      new Set(['media worker ended; starting a new one']),
    );
  },
);
