// Archives as other programs read and write them: GNU tar takes ours, and we take its.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ArchiveError, contentOf, isTar, TarWriter, tarMembers } from './tar.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'archive.tar');

async function write(members: readonly (readonly [string, Buffer])[]): Promise<void> {
  const handle = await open(file, 'w');
  const writer = new TarWriter(handle, 1_700_000_000_000);
  for (const [name, content] of members) await writer.addBytes(name, content);
  await writer.end();
  await handle.close();
}

async function read(isName: (name: string) => boolean = () => true): Promise<[string, string][]> {
  const handle = await open(file, 'r');
  try {
    const members: [string, string][] = [];
    for await (const member of tarMembers(handle, isName))
      members.push([member.name, (await contentOf(member, 1_000_000)).toString('latin1')]);
    return members;
  } finally {
    await handle.close();
  }
}

describe('an archive', () => {
  it('comes back as it was written, and GNU tar gives the same files', async () => {
    const long = `recordings/${'a'.repeat(64)}.wav`;
    await write([
      ['account.json', Buffer.from('{}\n')],
      [long, Buffer.alloc(512, 'x')],
      ['recordings/empty.wav', Buffer.alloc(0)],
    ]);
    expect(await read()).toEqual([
      ['account.json', '{}\n'],
      [long, 'x'.repeat(512)],
      ['recordings/empty.wav', ''],
    ]);
    const out = join(folder, 'out');
    mkdirSync(out);
    execFileSync('tar', ['xf', file, '-C', out]);
    expect(readFileSync(join(out, long), 'latin1')).toBe('x'.repeat(512));
    const handle = await open(file, 'r');
    expect(await isTar(handle)).toBe(true);
    await handle.close();
  });

  it.each(['gnu', 'ustar', 'pax'])(
    'of GNU tar in the form %s is read; folders and times are read over',
    async (form) => {
      const source = join(folder, `in-${form}`);
      mkdirSync(join(source, 'recordings'), { recursive: true });
      writeFileSync(join(source, 'recordings/a.wav'), 'sound');
      execFileSync('tar', ['cf', file, `--format=${form}`, '-C', source, '.']);
      expect(await read()).toEqual([['recordings/a.wav', 'sound']]);
    },
  );

  it('refuses what a name rule refuses, and says which name it was on one line', async () => {
    await write([['a\nb', Buffer.alloc(1)]]);
    await expect(read(() => false)).rejects.toThrow('does not belong in it: "a\\nb"');
  });

  it('refuses a member whose content has another length than was said', async () => {
    const handle = await open(file, 'w');
    const writer = new TarWriter(handle, 0);
    await expect(writer.add('a', 2, [Buffer.from('abc')])).rejects.toThrow(ArchiveError);
    await expect(writer.add('a', 5, [Buffer.from('abc')])).rejects.toThrow('changed its length');
    await handle.close();
  });

  it('whatever bytes are changed or cut: is read, or refused with an ArchiveError', async () => {
    await write([
      ['account.json', Buffer.from('{}')],
      ['recordings/a.wav', Buffer.alloc(700, 'y')],
    ]);
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(whole.length),
        async (changes, length) => {
          const bytes = Buffer.from(whole.subarray(0, length));
          for (const [at, value] of changes) if (at < length) bytes[at] = value;
          writeFileSync(file, bytes);
          await read().catch((error: unknown) => expect(error).toBeInstanceOf(ArchiveError));
        },
      ),
      { numRuns: 200 },
    );
  });
});
