// An account in a file: JSON alone, or an archive with its sounds. Read before anything is changed, whatever wrote it.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { ArchiveError, contentOf, isTar, type TarMember, tarMembers } from '../archive/tar.ts';
import type { ExportFile } from '../import-export/export-file.ts';
import { isId } from '../kinds/reference.ts';
import { MAX_WAV_BYTES, readWav } from '../media/audio/wav.ts';
import { type FaultyFile, type MenuFile, menuFileOf, readMenuFile } from './menu-file.ts';

/** The size of account.json: a larger file is no account of ours. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;
const MAX_MEMBERS = 1_000_000;
const JSON_NAME = 'account.json';

export interface AccountArchive {
  readonly kind: 'export';
  readonly file: string;
  readonly exportFile: ExportFile;
  /** By id of the recording; checked to be what account.json says of them. */
  readonly sounds: ReadonlyMap<string, () => Promise<Buffer>>;
  close(): Promise<void>;
}

export async function openAccountFile(
  file: string,
): Promise<AccountArchive | Exclude<MenuFile, { kind: 'export' }>> {
  const handle = await open(file, 'r').catch(() => null);
  // What cannot be opened is reported where JSON is read.
  if (!handle || !(await isTar(handle).catch(() => false))) {
    await handle?.close();
    const read = readMenuFile(file);
    return read.kind === 'export' ? { ...read, sounds: new Map(), close: async () => undefined } : read;
  }
  try {
    const archive = await readArchive(file, handle);
    if (archive.kind !== 'export') await handle.close();
    return archive;
  } catch (error) {
    await handle.close();
    if (!(error instanceof ArchiveError)) throw error;
    return faulty(file, '', error.message);
  }
}

const faulty = (file: string, record: string, message: string): FaultyFile => ({
  kind: 'faulty',
  file,
  faults: [{ record, pointer: '', message }],
});

async function readArchive(file: string, handle: FileHandle): Promise<AccountArchive | FaultyFile> {
  const members = new Map<string, TarMember>();
  for await (const member of tarMembers(handle, isMember)) {
    if (members.has(member.name)) throw new ArchiveError(`The archive has ${member.name} twice.`);
    if (members.size >= MAX_MEMBERS)
      throw new ArchiveError(`The archive has more than ${MAX_MEMBERS} members.`);
    members.set(member.name, member);
  }
  const json = members.get(JSON_NAME);
  if (!json) throw new ArchiveError(`The archive has no ${JSON_NAME}.`);
  const read = menuFileOf(file, await contentOf(json, MAX_JSON_BYTES));
  if (read.kind === 'payload') return faulty(file, '', `${JSON_NAME} is the payload of one menu.`);
  if (read.kind === 'faulty') return read;
  const { exportFile } = read;
  const sounds = new Map<string, () => Promise<Buffer>>();
  for (const recording of exportFile.recording) {
    const member = members.get(soundName(recording.id));
    if (!member) continue;
    const content = (): Promise<Buffer> => contentOf(member, MAX_WAV_BYTES);
    const fault = soundFault(await content(), recording);
    if (fault !== null)
      return faulty(file, `recording ${JSON.stringify(recording.id)}`, `${member.name} ${fault}`);
    sounds.set(recording.id, content);
  }
  const stray = [...members.keys()].find(
    (name) => name !== JSON_NAME && !sounds.has(name.slice('recordings/'.length, -'.wav'.length)),
  );
  if (stray !== undefined) throw new ArchiveError(`${stray} belongs to no recording of ${JSON_NAME}.`);
  return { kind: 'export', file, exportFile, sounds, close: () => handle.close() };
}

const soundName = (id: string): string => `recordings/${id}.wav`;

function isMember(name: string): boolean {
  const [, id = ''] = /^recordings\/(.+)\.wav$/.exec(name) ?? [];
  return name === JSON_NAME || isId(id);
}

/** What a call plays must be what account.json describes. */
function soundFault(
  wav: Buffer,
  { sha256, duration_ms }: { readonly sha256: string; readonly duration_ms: number },
): string | null {
  if (createHash('sha256').update(wav).digest('hex') !== sha256)
    return `is not the sound that ${JSON_NAME} describes: its SHA-256 differs. Import the archive as it was exported, and upload the new sound after it.`;
  const ulaw = readWav(wav);
  if ('fault' in ulaw) return `cannot be played: ${ulaw.fault}.`;
  const lastsMs = ulaw.length / 8;
  return Math.abs(lastsMs - duration_ms) <= 1 ? null : `lasts ${lastsMs} ms and not ${duration_ms} ms.`;
}
