// Writing and reading the archive of a backup, with a checksum for every member. Memory stays bounded however large it is.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { ArchiveError, contentOf, type TarMember, TarWriter, tarMembers } from '../archive/tar.ts';
import {
  isBackupName,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  MAX_PIECE_BYTES,
  type Manifest,
  PIECE_BYTES,
  readManifest,
  tableOf,
} from './manifest.ts';

const numbered = (folder: string, number: number, ending: string): string =>
  `${folder}${String(number).padStart(6, '0')}.${ending}`;

export class BackupWriter {
  readonly #tar: TarWriter;
  readonly #lists = createHash('sha256');
  #lines: string[] = [];
  #lineBytes = 0;
  #list = 0;
  bytes = 0;
  files = 0;

  constructor(handle: FileHandle, atMs: number) {
    this.#tar = new TarWriter(handle, atMs);
  }

  async add(
    name: string,
    bytes: number,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const piece of content) {
        hash.update(piece);
        yield piece;
      }
    }
    await this.#tar.add(name, bytes, hashed());
    this.bytes += bytes;
    if (tableOf(name) === null) this.files += 1;
    const line = `${hash.digest('hex')}  ${name}\n`;
    this.#lines.push(line);
    this.#lineBytes += line.length;
    if (this.#lineBytes >= PIECE_BYTES) await this.#writeList();
  }

  async end(manifest: Omit<Manifest, 'checksums' | 'files' | 'bytes'>): Promise<void> {
    await this.#writeList();
    const { files, bytes } = this;
    const whole: Manifest = { ...manifest, files, bytes, checksums: this.#lists.digest('hex') };
    await this.#tar.addBytes(MANIFEST, Buffer.from(`${JSON.stringify(whole, null, 2)}\n`));
    await this.#tar.end();
  }

  async #writeList(): Promise<void> {
    if (this.#lines.length === 0) return;
    const list = Buffer.from(this.#lines.join(''));
    this.#lists.update(list);
    this.#list += 1;
    await this.#tar.addBytes(numbered('checksums/', this.#list, 'txt'), list);
    this.#lines = [];
    this.#lineBytes = 0;
  }
}

/** Rows of one table on their way into the archive, in pieces of about a megabyte. */
export class TableWriter {
  readonly #backup: BackupWriter;
  readonly #table: string;
  #lines: string[] = [];
  #length = 0;
  #piece = 0;
  rows = 0;

  constructor(backup: BackupWriter, table: string) {
    this.#backup = backup;
    this.#table = table;
  }

  async add(row: readonly unknown[]): Promise<void> {
    const line = `${JSON.stringify(row)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    this.rows += 1;
    if (this.#length >= PIECE_BYTES) await this.end();
  }

  async end(): Promise<void> {
    if (this.#lines.length === 0) return;
    const piece = Buffer.from(this.#lines.join(''));
    this.#piece += 1;
    await this.#backup.add(numbered(`database/${this.#table}-`, this.#piece, 'jsonl'), piece.length, [piece]);
    this.#lines = [];
    this.#length = 0;
  }
}

/** Gets every member in its order, once, and may leave its content alone. */
export type Visit = (member: TarMember, content: AsyncIterable<Buffer>) => Promise<void>;

/** Reads all of it, compares every checksum and every number of rows, and returns the manifest. Throws ArchiveError. */
export async function readBackup(
  handle: FileHandle,
  visit: Visit = async () => undefined,
): Promise<Manifest> {
  const lists = createHash('sha256');
  const rows = new Map<string, number>();
  let unlisted: string[] = [];
  let manifest: Manifest | null = null;
  for await (const member of tarMembers(handle, isBackupName)) {
    if (manifest) throw new ArchiveError('The backup has something behind its end.');
    if (member.name === MANIFEST) manifest = readManifest(await contentOf(member, MAX_MANIFEST_BYTES));
    else if (member.name.startsWith('checksums/')) {
      const list = await contentOf(member, MAX_PIECE_BYTES);
      if (list.toString('utf8') !== unlisted.join('')) throw damaged(list.toString('utf8'), unlisted);
      lists.update(list);
      unlisted = [];
    } else {
      unlisted.push(await visited(member, visit, rows));
      if (unlisted.length * 64 > MAX_PIECE_BYTES) throw new ArchiveError('The backup has no checksums.');
    }
  }
  if (!manifest) throw new ArchiveError('The backup has no end: it was not finished, or is cut off.');
  if (unlisted.length > 0 || lists.digest('hex') !== manifest.checksums)
    throw new ArchiveError('The checksums of the backup are damaged.');
  for (const [table, { rows: said }] of Object.entries(manifest.tables))
    if ((rows.get(table) ?? 0) !== said)
      throw new ArchiveError(
        `The backup has ${rows.get(table) ?? 0} rows of ${table}, and should have ${said}.`,
      );
  return manifest;
}

/** The member's line in the list of checksums. */
async function visited(member: TarMember, visit: Visit, rows: Map<string, number>): Promise<string> {
  const table = tableOf(member.name);
  const hash = createHash('sha256');
  let lines = 0;
  async function* hashed() {
    for await (const piece of member.read()) {
      hash.update(piece);
      if (table !== null)
        for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) lines += 1;
      yield piece;
    }
  }
  const content = hashed();
  await visit(member, content);
  for await (const _ of content);
  if (table !== null) rows.set(table, (rows.get(table) ?? 0) + lines);
  return `${hash.digest('hex')}  ${member.name}\n`;
}

function damaged(listed: string, found: readonly string[]): ArchiveError {
  const lines = listed.split('\n');
  const index = found.findIndex((line, at) => line !== `${lines[at]}\n`);
  const name = (found[index] ?? lines[found.length] ?? '').trim().slice(66);
  return new ArchiveError(`${name || 'A member'} of the backup is damaged or missing: its checksum differs.`);
}
