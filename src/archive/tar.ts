// Archives as POSIX ustar (IEEE Std 1003.1), of regular files alone. What is read may be hostile: every name is checked by the
// reader's own rule, nothing is ever written under a name of the archive, and no size is believed before the file has it.
import type { FileHandle } from 'node:fs/promises';

const BLOCK = 512;
/** What eleven octal digits can say. */
const MAX_MEMBER_BYTES = 0o77777777777;
/** A dirty page cache would delay the syncs of a database on the same disk: what is written goes to the disk in such pieces. */
const SYNC_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 256 * 1024;
/** The size of an extended header, which is read over. */
const MAX_EXTENDED_BYTES = 64 * 1024;

export class ArchiveError extends Error {}

export interface TarMember {
  readonly name: string;
  readonly bytes: number;
  /** In pieces, from the start, as often as it is called. */
  read(): AsyncIterable<Buffer>;
}

export class TarWriter {
  readonly #handle: FileHandle;
  readonly #atMs: number;
  #unsynced = 0;

  constructor(handle: FileHandle, atMs: number) {
    this.#handle = handle;
    this.#atMs = atMs;
  }

  async addBytes(name: string, content: Uint8Array): Promise<void> {
    await this.add(name, content.length, [content]);
  }

  /** Fails when the content has another length than was said: the archive is unusable then. */
  async add(
    name: string,
    bytes: number,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    await this.#write(headerOf(name, bytes, this.#atMs));
    let written = 0;
    for await (const piece of content) {
      written += piece.length;
      if (written > bytes) break;
      await this.#write(piece);
    }
    if (written !== bytes) throw new ArchiveError(`${name} changed its length while it was read.`);
    await this.#write(Buffer.alloc(paddingOf(bytes)));
  }

  /** On disk when it returns. */
  async end(): Promise<void> {
    await this.#write(Buffer.alloc(2 * BLOCK));
    await this.#handle.sync();
  }

  async #write(piece: Uint8Array): Promise<void> {
    for (let from = 0; from < piece.length; )
      from += (await this.#handle.write(piece, from, piece.length - from)).bytesWritten;
    this.#unsynced += piece.length;
    if (this.#unsynced < SYNC_BYTES) return;
    await this.#handle.datasync();
    this.#unsynced = 0;
  }
}

const paddingOf = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK;

function headerOf(name: string, bytes: number, atMs: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new ArchiveError(`${name} is too long a name for an archive.`);
  if (bytes > MAX_MEMBER_BYTES) throw new ArchiveError(`${name} is too large for an archive.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void =>
    void header.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  header.write(name, 0);
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(Math.floor(atMs / 1000), 136, 11);
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  octal(checksumOf(header), 148, 6);
  header.write('\0 ', 154, 'latin1');
  return header;
}

/** The sum of all bytes, those of the sum itself taken as blanks. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0);
  return sum;
}

/** Whether the file begins as an archive does, whatever its name is. */
export async function isTar(handle: FileHandle): Promise<boolean> {
  const header = Buffer.alloc(BLOCK);
  const { bytesRead } = await handle.read(header, 0, BLOCK, 0);
  return bytesRead === BLOCK && header.toString('latin1', 257, 262) === 'ustar';
}

/**
 * The members in their order; folders and extended headers, which other programs write, are read over. Throws ArchiveError for
 * whatever an archive of ours never has: links, devices, names that `isName` refuses, an end that is missing. Whether a name comes
 * twice is the caller's to check.
 */
export async function* tarMembers(
  handle: FileHandle,
  isName: (name: string) => boolean,
): AsyncGenerator<TarMember> {
  const { size } = await handle.stat();
  for (let at = 0; ; ) {
    const header = await blockAt(handle, at);
    if (header.every((byte) => byte === 0)) return;
    const { name, bytes, type } = readHeader(header);
    const from = at + BLOCK;
    at = from + bytes + paddingOf(bytes);
    if (at > size) throw new ArchiveError('The archive is cut off.');
    if (type === 'folder') continue;
    if (type === 'extended') {
      await checkExtended(handle, from, bytes);
      continue;
    }
    if (!isName(name))
      throw new ArchiveError(`The archive has a member that does not belong in it: ${shown(name)}.`);
    yield { name, bytes, read: () => piecesOf(handle, from, bytes) };
  }
}

async function blockAt(handle: FileHandle, at: number): Promise<Buffer> {
  const block = Buffer.alloc(BLOCK);
  const { bytesRead } = await handle.read(block, 0, BLOCK, at);
  if (bytesRead < BLOCK) throw new ArchiveError('The archive is cut off.');
  return block;
}

interface Header {
  readonly name: string;
  readonly bytes: number;
  readonly type: 'file' | 'folder' | 'extended';
}

const TYPES: Readonly<Record<string, Header['type']>> = {
  '0': 'file',
  '\0': 'file',
  '5': 'folder',
  x: 'extended',
  g: 'extended',
};

function readHeader(header: Buffer): Header {
  const text = (at: number, length: number): string =>
    header.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const octal = (at: number, length: number): number => {
    const digits = text(at, length).trim();
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  };
  if (text(257, 5) !== 'ustar' || octal(148, 8) !== checksumOf(header))
    throw new ArchiveError('This is no archive, or a damaged one: the checksum of a header is wrong.');
  // GNU tar has other things in the place of the prefix.
  const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? text(345, 155) : '';
  const name = (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`).replace(/^\.\//, '');
  const type = TYPES[header.toString('latin1', 156, 157)];
  if (type === undefined)
    throw new ArchiveError(`The archive has a link, or something else that is no file: ${shown(name)}.`);
  const bytes = octal(124, 12);
  if (!Number.isSafeInteger(bytes))
    throw new ArchiveError(`The archive has a member of no size: ${shown(name)}.`);
  return { name, bytes, type };
}

/** Times and owners may stand there; another name, size or target may not. */
async function checkExtended(handle: FileHandle, from: number, bytes: number): Promise<void> {
  const text =
    bytes > MAX_EXTENDED_BYTES ? null : (await collected(piecesOf(handle, from, bytes))).toString();
  if (text === null || /^\d+ (?:path|size|linkpath)=|GNU\.sparse/m.test(text))
    throw new ArchiveError('The archive has an extended header that changes what its members are.');
}

async function* piecesOf(handle: FileHandle, from: number, bytes: number): AsyncGenerator<Buffer> {
  for (let read = 0; read < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, bytes - read));
    const { bytesRead } = await handle.read(piece, 0, piece.length, from + read);
    if (bytesRead === 0) throw new ArchiveError('The archive is cut off.');
    read += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

async function collected(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** The whole of a member that may be held in memory. */
export async function contentOf(member: TarMember, maxBytes: number): Promise<Buffer> {
  if (member.bytes > maxBytes)
    throw new ArchiveError(`${shown(member.name)} has ${member.bytes} bytes; at most ${maxBytes} are read.`);
  return collected(member.read());
}

/** On one line, whatever it is. */
const shown = (name: string): string => JSON.stringify(name.slice(0, 120));
