// R1b: an answer leaves after the disk has the data. A killed process does not show this (the kernel still has the
// pages), so the system calls are watched: request read, log synced, answer written, in this order.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';
import { Creations } from './support/creations.ts';
import { keepAlive } from './support/http.ts';
import { straceMissing } from './support/needs.ts';
import { report } from './support/rounds.ts';
import { attach, readEvents, type Tracer } from './support/strace.ts';

const CREATIONS = 100;
const CALLS = 'fdatasync,fsync,read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg';

describe.skipIf(straceMissing())('durability', () => {
  it(`SQLite syncs its log between each request and its 201, ${CREATIONS} times of ${CREATIONS}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-strace-'));
    const trace = join(folder, 'trace');
    let service: Service | undefined;
    let tracer: Tracer | undefined;
    try {
      service = await startService();
      tracer = await attach(service.process.pid ?? 0, [
        '-y',
        '-s',
        '40',
        '-e',
        `trace=${CALLS}`,
        '-o',
        trace,
      ]);
      const agent = keepAlive(1);
      const creations = new Creations('fsync');
      for (let count = 0; count < CREATIONS; count++) {
        const answer = await creations.create(agent, service.url);
        expect(answer.status, answer.text).toBe(201);
      }
      agent.destroy();
      await tracer.detach();

      const events = readEvents(readFileSync(trace, 'utf8'));
      const count = (event: string) => events.filter((one) => one === event).length;
      const inTime = events.filter((event, index) => event === 'answered' && events[index - 1] === 'synced');
      report(
        `fsync: ${inTime.length} of ${count('answered')} answers left after the log was synced for their request ` +
          `(${count('synced')} syncs)`,
      );
      expect(count('asked')).toBe(CREATIONS);
      expect(count('answered')).toBe(CREATIONS);
      // Asked, synced, answered, one after the other: any other order is an answer before its time.
      expect(events.join(' ')).toMatch(
        new RegExp(`^(synced )*(asked (synced )+answered ?){${CREATIONS}}(synced ?)*$`),
      );
    } finally {
      await tracer?.detach();
      await service?.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
