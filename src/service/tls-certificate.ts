// When the certificate of SIP over TLS runs out. The file is read again now and then: it is renewed while the service runs.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

const KEPT_MS = 60_000;

export interface Certificate {
  readonly expiresAtMs: number;
}

/** Null if TLS is off, or the file cannot be read, which a start refuses. */
export function certificateOf({
  sipTlsPort,
  sipTlsCert,
}: Pick<Config, 'sipTlsPort' | 'sipTlsCert'>): () => Promise<Certificate | null> {
  if (sipTlsPort === undefined || sipTlsCert === undefined) return async () => null;
  let kept: { readonly atMs: number; readonly read: Promise<Certificate | null> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (kept === null || nowMs - kept.atMs > KEPT_MS)
      kept = { atMs: nowMs, read: readCertificate(sipTlsCert) };
    return kept.read;
  };
}

async function readCertificate(path: string): Promise<Certificate | null> {
  try {
    const expiresAtMs = Date.parse(new X509Certificate(await readFile(path)).validTo);
    return Number.isNaN(expiresAtMs) ? null : { expiresAtMs };
  } catch {
    return null;
  }
}
