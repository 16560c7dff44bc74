// SIP over TLS in tests: a certificate in files, and where a service with them listens.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCertificate } from '../../src/sip/testing/test-certificate.ts';
import type { Pbx } from './pbx.ts';

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  /** The environment of a service that listens with them, at a port that the system chooses. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

export function tlsFiles(): TlsFiles {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-tls-'));
  const made = testCertificate('localhost');
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, made.certificate);
  writeFileSync(key, made.key);
  return {
    certificate,
    key,
    env: { SIP_TLS_PORT: '0', SIP_TLS_CERT: certificate, SIP_TLS_KEY: key },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function tlsPlace({ log, sip: { host } }: Pick<Pbx, 'log' | 'sip'>): { host: string; port: number } {
  const listening = log.map((line) => (JSON.parse(line) as { sip?: string[] }).sip).find((each) => each);
  const found = listening?.find((each) => each.startsWith('tls '));
  return { host, port: Number(found?.split(':').at(-1)) };
}
