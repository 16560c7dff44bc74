// The S3 adapter against a real server, and against one that fails in every way.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type S3Server, s3Missing, startS3 } from '../../../test/support/s3/s3-server.ts';
import { readBucketPlace } from '../place.ts';
import { soundStoreContract } from '../sound-store.contract.ts';
import { S3Store } from './s3-store.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG';
const KEYS = { region: 'us-east-1', accessKeyId: 'AKID', secretAccessKey: SECRET };
const PLACE = { kind: 's3', bucket: 'sounds', prefix: 'a/b' } as const;
/** Nothing listens there. */
const NOWHERE = { endpoint: 'http://127.0.0.1:9', ...KEYS };

describe.skipIf(s3Missing())('on OpenStack Swift', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server?.remove());

  soundStoreContract({
    open: async () => {
      const { SOUND_STORE = '' } = await server.newBucket();
      const place = readBucketPlace(SOUND_STORE);
      if (!place) throw new Error(SOUND_STORE);
      return new S3Store(place, server.access);
    },
    away: () => new S3Store(PLACE, NOWHERE),
  });

  it('a wrong secret, and a bucket that is not there, are said without the secret', async () => {
    const { SOUND_STORE = '' } = await server.newBucket();
    const place = readBucketPlace(SOUND_STORE) ?? PLACE;
    const wrong = new S3Store(place, { ...server.access, secretAccessKey: SECRET });
    const absent = new S3Store({ ...PLACE, bucket: 'no-such-bucket' }, server.access);
    await expect(wrong.open('a/x.wav')).rejects.toThrow(/answered 403 to HEAD/);
    await expect(wrong.remove('a/x.wav')).rejects.toThrow(/answered 403 SignatureDoesNotMatch to DELETE/);
    const file = join(mkdtempSync(join(tmpdir(), 'dialtree-')), 'x');
    writeFileSync(file, 'x');
    await expect(absent.put('a/x.wav', file)).rejects.toThrow(/404 NoSuchBucket/);
    wrong.close();
    absent.close();
  });
});

describe('on a server that fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  const file = join(folder, 'x.wav');
  writeFileSync(file, 'sound');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let server: Server | undefined;
  let store: S3Store | undefined;
  afterEach(() => {
    store?.close();
    server?.closeAllConnections();
    server?.close();
  });

  async function on(listener: RequestListener, idleMs?: number): Promise<S3Store> {
    const listening = createServer(listener);
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const { port } = listening.address() as { port: number };
    store = new S3Store(PLACE, { ...NOWHERE, endpoint: `http://127.0.0.1:${port}` }, idleMs);
    return store;
  }

  it('a failure that passes is tried again, with the whole body', async () => {
    const bodies: string[] = [];
    const made = await on((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        bodies.push(`${request.method} ${request.url} ${Buffer.concat(pieces)}`);
        if (bodies.length === 1) request.socket.destroy();
        else response.writeHead(bodies.length === 2 ? 503 : 200).end();
      });
    });
    await made.put('acme/x.wav', file);
    expect(bodies).toEqual(Array(3).fill('PUT /sounds/a/b/acme/x.wav sound'));
  });

  it('a refusal is not tried again, and what the server quotes is not repeated', async () => {
    let requests = 0;
    const made = await on((_request, response) => {
      requests += 1;
      response.writeHead(403);
      response.end(
        `<Error><Code>AccessDenied</Code><Message>${SECRET}</Message></Error>${'x'.repeat(100_000)}`,
      );
    });
    const error = await made.remove('acme/x.wav').catch((reason: unknown) => reason);
    expect(String(error)).toBe('StorageError: The S3 server answered 403 AccessDenied to DELETE.');
    expect(JSON.stringify(error)).not.toContain(SECRET);
    expect(requests).toBe(1);
  });

  it('one that does not answer is given up', async () => {
    const made = await on(() => undefined, 50);
    await expect(made.open('acme/x.wav')).rejects.toThrow('does not answer');
  });

  it('one that ignores Range, or breaks off, does not pass for the sound', async () => {
    const made = await on((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      if (request.method === 'HEAD') response.end();
      else {
        response.write('cut');
        setTimeout(() => response.destroy(), 10);
      }
    });
    const sound = await made.open('acme/x.wav');
    const read = async (to: number): Promise<void> => {
      for await (const _ of sound?.read(0, to, new AbortController().signal) ?? []);
    };
    await expect(read(9)).rejects.toThrow('another part');
    await expect(read(99)).rejects.toThrow();
  });
});

it.each([
  ['s3://sounds', { kind: 's3', bucket: 'sounds', prefix: '' }],
  ['s3://sounds/', { kind: 's3', bucket: 'sounds', prefix: '' }],
  ['s3://my.sounds-1/a/b/', { kind: 's3', bucket: 'my.sounds-1', prefix: 'a/b' }],
  ['s3://sounds/a/../b', null],
  ['s3://SOUNDS', null],
  ['s3://', null],
  ['https://sounds', null],
])('%s is a place', (text, place) => expect(readBucketPlace(text)).toEqual(place));
