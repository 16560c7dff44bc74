// SIP messages written by others, read in place (test/support/corpora.ts).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { corpusFolder } from '../../support/corpora.ts';

const folder = corpusFolder('sip');

export interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
}

function filesOf(path: string): Sample[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => ({ name: basename(file, '.dat'), bytes: readFileSync(file) }));
}

export function rfc4475(): Sample[] {
  return filesOf(join(folder, 'rfc4475'));
}

export function rfc5118(): Sample[] {
  return filesOf(join(folder, 'rfc5118'));
}

/** What a user agent server should do with each message of RFC 4475. */
export interface Expectation {
  readonly s: string;
  readonly wellFormed?: boolean;
  readonly parse?: boolean;
  readonly codes?: readonly number[];
  readonly drop?: boolean;
  readonly liberal?: boolean;
}

export function rfc4475Expected(): Readonly<Record<string, Expectation>> {
  return JSON.parse(readFileSync(join(folder, 'rfc4475-expected.json'), 'utf8'));
}

/** The 4,527 INVITEs of PROTOS c07-sip. */
export function protos(): Sample[] {
  const unpacked = mkdtempSync(join(tmpdir(), 'dialtree-sip-'));
  try {
    execFileSync('tar', ['-xJf', join(folder, 'protos-c07', 'testcases.tar.xz'), '-C', unpacked]);
    return filesOf(unpacked);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
