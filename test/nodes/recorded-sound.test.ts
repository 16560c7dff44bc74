// Voicemail of several nodes: left at one, listened to and deleted at another, with each kind of store; a store that is away for a while.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBucketPlace } from '../../src/sound-store/place.ts';
import { S3Store } from '../../src/sound-store/s3/s3-store.ts';
import { tones } from '../calls/support/phone-bed.ts';
import { postgresMissing } from '../support/postgres.ts';
import { type S3Server, s3Missing, startS3 } from '../support/s3/s3-server.ts';
import { call as ask, type Json, TOKEN } from '../support/service.ts';
import { Cluster } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

const { hz, recordings } = tones(400, 'greeting', 'spoken');
const BEEP_HZ = 1_000;

async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  for (const endMs = performance.now() + withinMs; ; await sleep(50)) {
    const found = await look();
    if (found) return found;
    if (performance.now() > endMs) throw new Error(`within ${withinMs} ms: ${what}`);
  }
}

async function openCluster(env: Record<string, string>): Promise<Cluster> {
  const cluster = await Cluster.open({ nodes: 2, recordings, env });
  const box = { name: 'Sales', greeting: 'recording||greeting', max_seconds: 4, silence_seconds: 2 };
  const made = await cluster.node(0).api('POST', '/v1/voicemail_box', box);
  const number = { number: '200', destination: `voicemail||${made.json.id}` };
  await cluster.node(0).api('POST', '/v1/number', number);
  return cluster;
}

/** Leaves a message at that node; the caller's number. */
async function leave(cluster: Cluster, at: number): Promise<string> {
  const phone = await cluster.phone(at);
  const call = await (await phone.call('200')).answered();
  await call.hears(BEEP_HZ, { forMs: 60 });
  await call.hearsSilence(300);
  await call.sendTone(hz.spoken, 1_500);
  await call.hangUp();
  return phone.user;
}

const messageOf = async (cluster: Cluster, caller: string, at = 1, withinMs?: number): Promise<Json> =>
  until(
    `a message of ${caller}`,
    async () => (await cluster.node(at).api('GET', `/v1/voicemails?caller=${caller}`)).json.data[0],
    withinMs,
  );

/** Sound files of the node's own folder. */
const own = (cluster: Cluster, at: number): string[] => {
  const folder = join(cluster.dataDir(at), 'captures');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wav'))
    : [];
};

/** The file at A is removed once the message is known to all. */
const moved = (cluster: Cluster): Promise<boolean> =>
  until('nothing left at A', async () => own(cluster, 0).length === 0);

/** At B, as a whole, in part, and by HEAD. */
async function hear(cluster: Cluster, message: Json): Promise<void> {
  const url = cluster.node(1).url + message.audio;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const whole = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
  expect([whole.length, whole.toString('latin1', 0, 4)]).toEqual([message.bytes, 'RIFF']);
  const part = await fetch(url, { headers: { ...headers, range: 'bytes=100-199' } });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, whole.subarray(100, 200)]);
  const head = await fetch(url, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(message.bytes)]);
}

async function hearAndDelete(cluster: Cluster, message: Json): Promise<void> {
  await hear(cluster, message);
  const deleted = await ask(cluster.node(1).url, 'DELETE', `/v1/voicemail/${message.id}`);
  expect(deleted.json.Message).toBe('The voicemail message is deleted, its sound too.');
  expect((await cluster.node(1).api('GET', message.audio)).status).toBe(404);
}

describe.skipIf(postgresMissing())('recorded sound of two nodes', () => {
  it('without a store: B gets the sound from A, and a deletion at B removes the file at A', async () => {
    const cluster = await openCluster({});
    try {
      const message = await messageOf(cluster, await leave(cluster, 0));
      expect(own(cluster, 0)).toHaveLength(1);
      await hear(cluster, message);
      const { json } = await cluster.node(1).api('DELETE', `/v1/voicemail/${message.id}`);
      expect(json.Message).toContain('the node that recorded it removes its sound');
      const sinceMs = performance.now();
      await until('no file left at A', async () => own(cluster, 0).length === 0);
      report(`recorded sound deleted at B: gone at A after ${Math.round(performance.now() - sinceMs)} ms`);
    } finally {
      await cluster.close();
    }
  });

  it('in a shared folder: left at A, listened to and deleted at B', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-shared-'));
    const cluster = await openCluster({ SOUND_STORE: folder });
    const stored = (): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));
    try {
      const message = await messageOf(cluster, await leave(cluster, 0));
      await moved(cluster);
      expect([stored(), own(cluster, 0)]).toEqual([[expect.stringContaining(message.id)], []]);
      await hearAndDelete(cluster, message);
      expect(stored()).toEqual([]);
    } finally {
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  describe.skipIf(s3Missing())('in S3', () => {
    let server: S3Server;
    let cluster: Cluster;
    let store: S3Store;
    beforeAll(async () => {
      server = await startS3();
      const env = await server.newBucket();
      const place = readBucketPlace(env['SOUND_STORE'] ?? '');
      if (!place) throw new Error('There is no bucket.');
      store = new S3Store(place, server.access);
      cluster = await openCluster(env);
    });
    afterAll(async () => {
      await cluster?.close();
      store?.close();
      await server?.remove();
    });

    it('left at A, listened to and deleted at B', async () => {
      const message = await messageOf(cluster, await leave(cluster, 0));
      await moved(cluster);
      const stored = await store.open(`default/${message.id}.wav`);
      expect(stored?.length).toBe(message.bytes);
      await hearAndDelete(cluster, message);
      expect(await store.open(`default/${message.id}.wav`)).toBeNull();
    });

    it('away while messages are left and a node is killed: all arrive, once', async () => {
      await server.stop();
      const callers = [await leave(cluster, 0), await leave(cluster, 0)];
      await until('both wait on the disk of A', async () => own(cluster, 0).length === 2);
      expect((await cluster.node(1).api('GET', '/v1/voicemails')).json.data).toEqual([]);
      await cluster.node(0).kill();
      await server.start();
      await cluster.restart(0);
      const sinceMs = performance.now();
      const messages = await Promise.all(callers.map((caller) => messageOf(cluster, caller, 1, 60_000)));
      report(
        `2 messages left while S3 was away: stored ${Math.round(performance.now() - sinceMs)} ms after the start`,
      );
      expect((await cluster.node(1).api('GET', '/v1/voicemails')).json.data).toHaveLength(2);
      await moved(cluster);
      for (const message of messages) await hearAndDelete(cluster, message);
    });

    it('a deletion while it is away deletes nothing, and says so', async () => {
      const message = await messageOf(cluster, await leave(cluster, 0));
      await server.stop();
      const refused = await cluster.node(1).api('DELETE', `/v1/voicemail/${message.id}`);
      expect([refused.status, refused.json.Code]).toEqual([503, 'storage_unavailable']);
      expect(refused.json.Message).toContain('The store of recorded sound does not answer');
      await server.start();
      await hearAndDelete(cluster, message);
      const logs = [...cluster.node(0).log, ...cluster.node(1).log].join('\n');
      expect(logs).not.toContain(server.access.secretAccessKey);
    });
  });
});
