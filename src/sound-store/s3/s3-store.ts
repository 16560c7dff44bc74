// Recorded sound in a bucket of an S3-compatible server, path-style. Recordings are far below 5 GB: one PUT each.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StorageError } from '../../storage/storage.ts';
import { type BucketPlace, bucketPlace } from '../place.ts';
import type { SoundKey, SoundStore, StoredSound } from '../sound-store.ts';
import { type S3Access, S3Client } from './s3-client.ts';
import { encoded } from './sigv4.ts';

export class S3Store implements SoundStore {
  readonly place: string;
  readonly #base: string;
  readonly #client: S3Client;

  constructor(place: BucketPlace, access: S3Access, idleMs?: number) {
    this.place = bucketPlace(place);
    const prefix = place.prefix === '' ? [] : place.prefix.split('/');
    this.#base = ['', place.bucket, ...prefix].map(encoded).join('/');
    this.#client = new S3Client(access, idleMs);
  }

  async put(key: SoundKey, file: string): Promise<void> {
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const piece of createReadStream(file)) {
        hash.update(piece as Buffer);
        bytes += (piece as Buffer).length;
      }
    } catch (error) {
      throw new StorageError('unavailable', `${file} cannot be read: ${(error as Error).message}`, {
        cause: error,
      });
    }
    const content = { path: file, bytes, sha256: hash.digest('hex') };
    const response = await this.#client.ask({ method: 'PUT', path: this.#path(key), file: content });
    response?.body.resume();
    if (!response) throw new StorageError('unavailable', 'The S3 server answered 404 to PUT.');
  }

  async open(key: SoundKey): Promise<StoredSound | null> {
    const path = this.#path(key);
    const found = await this.#client.ask({ method: 'HEAD', path });
    if (!found) return null;
    const client = this.#client;
    return {
      length: found.length,
      async *read(from, to, signal) {
        const response = await client.ask({ method: 'GET', path, range: `bytes=${from}-${to}`, signal });
        if (!response) throw new StorageError('unavailable', 'The sound was removed while it was read.');
        // A server that ignores Range would send the wrong part.
        if (response.length !== to - from + 1) {
          response.body.destroy();
          throw new StorageError('unavailable', 'The S3 server sent another part of the sound.');
        }
        yield* response.body as AsyncIterable<Buffer>;
      },
    };
  }

  async remove(key: SoundKey): Promise<void> {
    const response = await this.#client.ask({ method: 'DELETE', path: this.#path(key) });
    response?.body.resume();
  }

  close(): void {
    this.#client.close();
  }

  #path(key: SoundKey): string {
    return `${this.#base}/${key.split('/').map(encoded).join('/')}`;
  }
}
