// The files of TLS: there, valid now, and belonging together.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, reasonOf, warn } from '../../service/checks/finding.ts';

const SOON_MS = 14 * 24 * 3600 * 1000;
const CHECK = 'TLS certificate';

/** Null if TLS is off. */
export function checkCertificate(config: Config, nowMs = Date.now()): Finding | null {
  const { sipTlsPort, sipTlsCert, sipTlsKey } = config;
  if (sipTlsPort === undefined || sipTlsCert === undefined || sipTlsKey === undefined) return null;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(sipTlsCert));
  } catch (error) {
    return fail(
      CHECK,
      `SIP_TLS_CERT ${sipTlsCert} cannot be used: ${reasonOf(error)}. It must be a certificate in PEM.`,
    );
  }
  try {
    const key = createPrivateKey(readFileSync(sipTlsKey));
    if (!certificate.checkPrivateKey(key))
      return fail(
        CHECK,
        `The key in SIP_TLS_KEY ${sipTlsKey} does not belong to the certificate in SIP_TLS_CERT ${sipTlsCert}. Use the pair that was issued together, the server’s certificate first in its file.`,
      );
  } catch (error) {
    return fail(
      CHECK,
      `SIP_TLS_KEY ${sipTlsKey} cannot be used: ${reasonOf(error)}. It must be a private key in PEM.`,
    );
  }
  const subject = certificate.subject.replaceAll('\n', ', ');
  if (nowMs < Date.parse(certificate.validFrom))
    return fail(CHECK, `It is valid only from ${certificate.validFrom}. Check the clock, or wait.`);
  const leftMs = Date.parse(certificate.validTo) - nowMs;
  if (leftMs <= 0) return fail(CHECK, `It ran out on ${certificate.validTo}. Renew it: phones refuse it.`);
  if (leftMs < SOON_MS) return warn(CHECK, `It runs out on ${certificate.validTo}. Renew it soon.`);
  return ok(CHECK, `${subject}, valid until ${certificate.validTo}, with its key`);
}
