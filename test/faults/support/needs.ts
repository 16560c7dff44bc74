// Some faults need a tool or a right that not every machine has. Then the tests say loudly that they do not run;
// in CI that is a failure.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function missing(words: string): true {
  if (process.env['CI']) throw new Error(words);
  console.warn(`\n${'!'.repeat(words.length)}\n${words}\n${'!'.repeat(words.length)}\n`);
  return true;
}

function succeeds(program: string, words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function straceMissing(): boolean {
  if (succeeds('strace', ['-f', '-o', '/dev/null', 'true'])) return false;
  return missing(
    'strace is not installed or may not trace (Debian: apt-get install strace): its tests DO NOT RUN.',
  );
}

export function firewallMissing(): boolean {
  const rule = 'ip link set lo up && iptables -A INPUT -p udp --dport 9 -j DROP';
  if (succeeds('unshare', ['-n', 'sh', '-c', rule])) return false;
  return missing(
    'No firewall in a network of its own can be had (Debian: apt-get install iptables, as root): its tests DO NOT RUN.',
  );
}

export interface SmallDisk {
  readonly folder: string;
  remove(): void;
}

/** A file system in memory with so many megabytes and no more. */
export function mountSmallDisk(megabytes: number, options = ''): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m${options}`, 'tmpfs', folder], {
    stdio: 'pipe',
  });
  return {
    folder,
    remove: () => {
      // Lazily, so that a process that still holds a file cannot keep the mount.
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function mountMissing(): boolean {
  try {
    mountSmallDisk(1).remove();
    return false;
  } catch {
    return missing('A tmpfs cannot be mounted here (it needs root): the tests of a full disk DO NOT RUN.');
  }
}

/** The path of libfaketime, or null after a loud word. */
export function faketimeLibrary(): string | null {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  const files = folders.map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  missing('libfaketime is not installed (Debian: apt-get install faketime): its tests DO NOT RUN.');
  return null;
}
