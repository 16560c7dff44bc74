// What every store of recorded sound must do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StorageError } from '../storage/storage.ts';
import type { SoundStore, StoredSound } from './sound-store.ts';

export interface StoreBed {
  /** A store on something empty. */
  open(): Promise<SoundStore>;
  /** A store on something that is not there, or does not answer. */
  away(): SoundStore;
}

export function soundStoreContract(bed: StoreBed): void {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-sounds-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let opened: Promise<SoundStore> | undefined;
  const store = (): Promise<SoundStore> => {
    opened ??= bed.open();
    return opened;
  };
  afterAll(async () => (await opened)?.close());

  const never = new AbortController().signal;
  const fileOf = (content: Buffer): string => {
    const file = join(folder, 'sound.wav');
    writeFileSync(file, content);
    return file;
  };
  const bytesOf = async (sound: StoredSound | null, from = 0, to = (sound?.length ?? 1) - 1) => {
    const pieces: Buffer[] = [];
    for await (const piece of sound?.read(from, to, never) ?? []) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const noise = (bytes: number): Buffer =>
    Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 7919) % 251));

  describe('a store of recorded sound', () => {
    it('gives back what was put, whole and in parts', async () => {
      const content = noise(300_000);
      await (await store()).put('acme/one.wav', fileOf(content));
      const sound = await (await store()).open('acme/one.wav');
      expect(sound?.length).toBe(content.length);
      expect((await bytesOf(sound)).equals(content)).toBe(true);
      expect((await bytesOf(sound, 58, 58)).equals(content.subarray(58, 59))).toBe(true);
      expect((await bytesOf(sound, 100_000, 299_999)).equals(content.subarray(100_000))).toBe(true);
    });

    it('stores the same again, and another content in its place', async () => {
      const file = fileOf(noise(1_000));
      await (await store()).put('acme/again.wav', file);
      await (await store()).put('acme/again.wav', file);
      await (await store()).put('acme/again.wav', fileOf(noise(10)));
      expect(await bytesOf(await (await store()).open('acme/again.wav'))).toHaveLength(10);
    });

    it('tells the sounds of accounts and ids apart', async () => {
      await (await store()).put('a/x.wav', fileOf(Buffer.from('a')));
      await (await store()).put('b/x.wav', fileOf(Buffer.from('b')));
      expect(String(await bytesOf(await (await store()).open('a/x.wav')))).toBe('a');
      expect(await (await store()).open('a/y.wav')).toBeNull();
      expect(await (await store()).open('c/x.wav')).toBeNull();
    });

    it('has nothing of what was removed, and removing it again does no harm', async () => {
      await (await store()).put('acme/gone.wav', fileOf(Buffer.from('gone')));
      for (let time = 0; time < 2; time++) await (await store()).remove('acme/gone.wav');
      await (await store()).remove('never/was.wav');
      expect(await (await store()).open('acme/gone.wav')).toBeNull();
    });

    it('ends a reading that is given up', async () => {
      await (await store()).put('acme/long.wav', fileOf(noise(2_000_000)));
      const sound = await (await store()).open('acme/long.wav');
      const stop = new AbortController();
      const reading = (async () => {
        for await (const _ of sound?.read(0, 1_999_999, stop.signal) ?? []) stop.abort();
      })();
      await expect(reading).rejects.toThrow();
    });

    it('rejects with StorageError when it is away, also what it would have to remove', async () => {
      const away = bed.away();
      const file = fileOf(Buffer.from('x'));
      await Promise.all(
        [away.put('a/x.wav', file), away.open('a/x.wav'), away.remove('a/x.wav')].map((asking) =>
          expect(asking).rejects.toBeInstanceOf(StorageError),
        ),
      );
      away.close();
    });

    it('rejects a file that is not there, and has nothing of it', async () => {
      await expect((await store()).put('acme/none.wav', join(folder, 'none'))).rejects.toBeInstanceOf(
        StorageError,
      );
      expect(await (await store()).open('acme/none.wav')).toBeNull();
    });
  });
}
