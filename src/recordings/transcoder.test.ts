import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { StorageError } from '../storage/storage.ts';
import { Transcoder, type TranscoderOptions } from './transcoder.ts';

/** A thread that does what the path of a job says. */
const ODD_THREAD = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ path }) => {
  if (path === 'loop') for (;;);
  if (path === 'die') process.exit(1);
  if (path === 'throw') throw new Error('broken');
  if (path === 'grow') { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())); }
  parentPort.postMessage(path === 'full' ? { errno: 'ENOSPC', message: 'full' } : { value: path });
});`;

describe('the converting thread', () => {
  let spawned = 0;
  /** Resolves when the last thread has ended. */
  let threadEnded: Promise<void> = Promise.resolve();
  const open: Transcoder[] = [];
  function transcoder(options: TranscoderOptions = {}): Transcoder {
    spawned = 0;
    const spawn = (): Worker => {
      spawned += 1;
      const worker = new Worker(ODD_THREAD, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
      threadEnded = new Promise((resolve) => worker.once('exit', () => resolve()));
      return worker;
    };
    const made = new Transcoder({ jobMs: 10_000, spawn, ...options });
    open.push(made);
    return made;
  }
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  const job = (path: string) => ({ kind: 'convert', path, folder: '' }) as const;

  it('does one job after the other, in their order, in one thread', async () => {
    const transcoding = transcoder();
    expect(await Promise.all(['a', 'b', 'c'].map((path) => transcoding.run('a', job(path))))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(spawned).toBe(1);
  });

  it('ends a job that takes too long, and goes on with the next one in a new thread', async () => {
    const transcoding = transcoder({ jobMs: 2000 });
    const [late, next] = await Promise.all([
      transcoding.run('a', job('loop')),
      transcoding.run('a', job('next')),
    ]);
    expect(late).toEqual({ givenUp: 'late' });
    expect(next).toBe('next');
    expect(spawned).toBe(2);
  });

  it.each(['die', 'throw', 'grow'])('survives a thread that will %s', async (how) => {
    const transcoding = transcoder();
    expect(await transcoding.run('a', job(how))).toEqual({ givenUp: 'died' });
    expect(await transcoding.run('a', job('next'))).toBe('next');
  });

  it('refuses more than may wait', async () => {
    const transcoding = transcoder({ waiting: { total: 4, perAccount: 2 } });
    const running = [
      transcoding.run('a', job('a')),
      transcoding.run('a', job('b')),
      transcoding.run('a', job('c')),
    ];
    await expect(transcoding.run('a', job('d'))).rejects.toMatchObject({ reason: 'overloaded' });
    expect(await Promise.all(running)).toEqual(['a', 'b', 'c']);
    expect(await transcoding.run('a', job('e'))).toBe('e');
  });

  it('an account has one job under way: another finds a thread free, however long that job takes (T40)', async () => {
    const transcoding = transcoder({ jobMs: 2000, waiting: { total: 4, perAccount: 2 } });
    const mine = ['loop', 'next', 'last'].map((path) => transcoding.run('a', job(path)));
    await expect(transcoding.run('a', job('more'))).rejects.toMatchObject({ reason: 'overloaded' });
    expect(await Promise.race([...mine, transcoding.run('b', job('of b'))])).toBe('of b');
    expect(await Promise.all(mine)).toEqual([{ givenUp: 'late' }, 'next', 'last']);
  });

  it('a full disk is reported as a storage error', async () => {
    const refused = await transcoder()
      .run('a', job('full'))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StorageError);
    expect(refused).toMatchObject({ reason: 'full' });
  });

  it('a thread without work ends, and another comes when it is needed', async () => {
    const transcoding = transcoder({ idleMs: 10 });
    await transcoding.run('a', job('a'));
    await threadEnded;
    expect(await transcoding.run('a', job('b'))).toBe('b');
    expect(spawned).toBe(2);
  });
});
