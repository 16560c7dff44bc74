// What tests of import give to a plan: ids in order, secrets sealed by a word before them.
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';
import { FIRST_LIMITS } from '../../domain/account-limits.ts';
import type { OpenSecret } from '../collect.ts';
import type { ImportContext } from '../plan.ts';

const SEALED = /^sealed for (\S+) (\S+): (.*)$/s;

export const sealFor = (kind: string, id: string, secret: string): string =>
  `sealed for ${kind} ${id}: ${secret}`;

export const openSecret: OpenSecret = (kind, id, sealed) => {
  const [, forKind, forId, secret = ''] = SEALED.exec(sealed) ?? [];
  return forKind === kind && forId === id ? secret : null;
};

export function importContext(settings: Partial<Settings> = {}): ImportContext {
  let made = 0;
  return {
    newId: () => `new-${String(++made).padStart(4, '0')}`,
    newTeamNumber: () => ++made,
    newDigests: () => ({ realm: 'dialtree', md5: '', sha256: '' }),
    newWebhookSecret: (name) => `made for ${name}`,
    seal: sealFor,
    open: openSecret,
    hasSound: () => true,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    limits: FIRST_LIMITS,
  };
}
