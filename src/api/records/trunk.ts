// Trunks: who carries calls between us and the telephone network.

import { readData } from '../../domain/row.ts';
import { sealedPlace } from '../../domain/sealed.ts';
import { beyondLimits, readTrunk } from '../schemas/trunk.ts';
import { addressOf } from './collection.ts';
import { plain } from './plain.ts';
import { sealFor } from './seal.ts';
import type { Warning } from './warnings.ts';

export const trunks = plain('trunk', {
  read: readTrunk,
  async warnings(trunk, request, { sealer }, id) {
    const warnings: Warning[] = [];
    const { sealed_password: sealed } = trunk;
    if (sealed !== null && sealer.open(sealed, sealedPlace('trunk', request.account.id, id)) === null) {
      const message =
        'The password was sealed with another key than this one: start with the SECRET_KEY or the file secret.key that it was stored with, or send the password again.';
      warnings.push({ pointer: '/password', code: 'password-sealed', message });
    }
    if (trunk.addresses.length === 0 && !trunk.inbound_by_registration) {
      const message =
        'No address is known that its calls come from, and host is a name: calls from it are taken for a stranger’s.';
      warnings.push({ pointer: '/addresses', code: 'addresses-missing', message });
    }
    if (trunk.from_user === 'username' && trunk.identity_header === 'none') {
      const message =
        'From has the user name and no header has the caller ID: the called party does not see it.';
      warnings.push({ pointer: '/identity_header', code: 'caller-id-not-sent', message });
    }
    return warnings;
  },
  showsWarnings: true,
  most: ({ max_trunks }) => max_trunks,
  refuse: async (trunk, request) => beyondLimits(trunk, request.account.limits),
  /**
   * Addresses that are the host alone were filled in from it: they follow a new host, also when a PUT sends them back as they were
   * read, or calls from the former provider would still be taken. What a PATCH names stays.
   */
  async adapt(request, { storage }) {
    const { value, patch } = request.body;
    const [sent, ...more] = Array.isArray(value['addresses']) ? value['addresses'] : [];
    if (typeof sent !== 'string' || more.length > 0 || sent === value['host']) return null;
    if (patch && 'addresses' in patch) return null;
    const row = await storage.getRecord(addressOf('trunk', request));
    const stored = row && readData('trunk', row.json);
    if (stored?.addresses.length !== 1 || stored.addresses[0] !== stored.host) return null;
    if (sent !== stored.host && sent !== stored.host_before) return null;
    const message = `They follow host: calls from ${sent} are taken no longer. PATCH with addresses takes them again.`;
    return {
      value: { ...value, addresses: null, host_before: sent },
      warning: { pointer: '/addresses', code: 'addresses-changed', message },
    };
  },
  /** The password that was sent, sealed. None was sent: the stored one stays, since it cannot be read and sent again. */
  async complete(sent, request, context, id) {
    const { password, host_before: before } = request.body.value;
    const trunk = typeof before === 'string' ? { ...sent, host_before: before } : sent;
    if (typeof password === 'string') {
      const sealed =
        password === '' ? null : sealFor(context, sealedPlace('trunk', request.account.id, id), password);
      return { data: { ...trunk, sealed_password: sealed }, version: null };
    }
    const row = await context.storage.getRecord(addressOf('trunk', request, id));
    if (!row) return { data: trunk, version: null };
    const { sealed_password } = readData('trunk', row.json);
    return { data: { ...trunk, sealed_password }, version: row.version };
  },
  unset: { password: '' },
  shown: ({ sealed_password: sealed, host_before: _, ...trunk }) => ({
    ...trunk,
    has_password: sealed !== null,
  }),
});
