// An upload → its fields, and its file as a temporary one: written as it comes, never held as a whole.
import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProblem, type Problem, problem } from '../kinds/problem.ts';
import { boundaryOf, MultipartError, type MultipartEvent, MultipartReader } from './multipart.ts';
import { MAX_UPLOAD_BYTES, type Received, type Upload } from './recordings.ts';

/** The size of one field: as much as the longest text to be spoken needs. */
const MAX_FIELD_BYTES = 16 * 1024;
/** Files that are on their way, or that a process left behind when it was killed. */
export const PART_SUFFIX = '.part';

export const partPath = (folder: string): string => join(folder, `${randomUUID()}${PART_SUFFIX}`);

const malformed = (why: string): Problem =>
  problem('upload_malformed', `The body is no well-formed multipart/form-data: ${why}.`);

const isSound = (contentType: string): boolean => /^audio\//i.test(contentType);

export async function receiveUpload(folder: string, upload: Upload): Promise<Received | Problem> {
  const parts = isSound(upload.contentType) ? WHOLE : boundaryOf(upload.contentType);
  if (parts === null) {
    upload.discard();
    return malformed('its content type names no boundary');
  }
  const intake = new Intake(folder);
  let outcome: Received | Problem;
  try {
    outcome =
      parts === WHOLE
        ? await readWhole(upload, intake)
        : await readAll(upload, new MultipartReader(parts), intake);
  } catch (error) {
    await intake.remove();
    throw error;
  }
  if (isProblem(outcome)) {
    upload.discard();
    await intake.remove();
  }
  return outcome;
}

/** The body is the file. */
const WHOLE = Symbol('whole');

async function readWhole(upload: Upload, intake: Intake): Promise<Received | Problem> {
  let bytes = 0;
  await intake.take({ kind: 'part', name: 'file', filename: null });
  for await (const piece of upload.pieces()) {
    bytes += piece.length;
    if (bytes > MAX_UPLOAD_BYTES) return uploadTooLarge();
    await intake.take({ kind: 'data', bytes: piece });
  }
  await intake.take({ kind: 'end' });
  return intake.finish();
}

async function readAll(upload: Upload, reader: MultipartReader, intake: Intake): Promise<Received | Problem> {
  let bytes = 0;
  try {
    for await (const piece of upload.pieces()) {
      bytes += piece.length;
      if (bytes > MAX_UPLOAD_BYTES) return uploadTooLarge();
      for (const event of reader.push(piece)) {
        const refusal = await intake.take(event);
        if (refusal) return refusal;
      }
    }
  } catch (error) {
    if (error instanceof MultipartError) return malformed(error.message);
    throw error;
  }
  return reader.isOver ? intake.finish() : malformed('it ends too early');
}

export function uploadTooLarge(): Problem {
  return problem('body_too_large', `The upload is larger than ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB.`, {
    headers: { connection: 'close' },
  });
}

class Intake {
  readonly #folder: string;
  readonly #fields: Record<string, string> = {};
  readonly #hash: Hash = createHash('sha256');
  #file: { readonly path: string; readonly name: string } | null = null;
  #handle: FileHandle | null = null;
  #name = '';
  #value: Buffer[] = [];
  #valueBytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async take(event: MultipartEvent): Promise<Problem | null> {
    switch (event.kind) {
      case 'part':
        return this.#begin(event.name, event.filename);
      case 'data':
        return this.#add(event.bytes);
      case 'end':
        return this.#end();
    }
  }

  finish(): Received {
    return {
      fields: this.#fields,
      file: this.#file,
      digest: this.#hash.digest('base64url'),
      remove: () => this.remove(),
    };
  }

  async remove(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
    if (this.#file) await rm(this.#file.path, { force: true });
  }

  async #begin(name: string, filename: string | null): Promise<Problem | null> {
    this.#hash.update(`${JSON.stringify([name, filename])}\n`);
    if (name !== 'file') {
      this.#name = name;
      return null;
    }
    if (this.#file) return malformed('it has two parts named "file"');
    // The client's file name is stored as text, never used as a path: ours is random.
    const path = partPath(this.#folder);
    this.#handle = await open(path, 'wx', 0o600);
    this.#file = { path, name: filename ?? '' };
    return null;
  }

  async #add(bytes: Buffer): Promise<Problem | null> {
    this.#hash.update(bytes);
    if (this.#handle) {
      await this.#handle.writeFile(bytes);
      return null;
    }
    this.#valueBytes += bytes.length;
    if (this.#valueBytes > MAX_FIELD_BYTES)
      return malformed(`the field ${JSON.stringify(this.#name.slice(0, 40))} is larger than 16 KiB`);
    // A copy: the piece itself may be a view into something large.
    this.#value.push(Buffer.from(bytes));
    return null;
  }

  async #end(): Promise<Problem | null> {
    if (this.#handle) {
      await this.#handle.close();
      this.#handle = null;
      return null;
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#value));
      // As a member of its own, whatever it is called: __proto__ is a name like any other.
      Object.defineProperty(this.#fields, this.#name, { value: text, enumerable: true, configurable: true });
    } catch {
      return problem('body_not_utf8', 'A field of the upload is not valid UTF-8.');
    }
    this.#value = [];
    this.#valueBytes = 0;
    return null;
  }
}
