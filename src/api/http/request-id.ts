// A request's name in logs and answers: the client's own where it is harmless, else made here.
import { randomUUID } from 'node:crypto';

export function newRequestId(): string {
  return randomUUID();
}

export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newRequestId();
}
