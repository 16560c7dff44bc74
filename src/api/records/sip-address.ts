// SIP addresses that calls ring elsewhere.

import { readData } from '../../domain/row.ts';
import { sealedPlace } from '../../domain/sealed.ts';
import { readKind } from '../../kinds/fields.ts';
import { sipAddressNode } from '../../kinds/nodes.ts';
import { Faults } from '../../kinds/problem.ts';
import { readSipAddress } from '../../kinds/sip-uri.ts';
import { lintAround } from '../calls/lint.ts';
import { addressOf, type Collection } from './collection.ts';
import { sealFor } from './seal.ts';

export const sipAddresses: Collection<'sip_address'> = {
  kind: 'sip_address',
  read: (body) => readKind('sip_address', body),
  warnings: (data, request, context, id) => lintAround(sipAddressNode(id, data), request, context),
  /** Asked again when it is dialled, since the operator may change the setting. */
  async refuse({ uri }, _request, { maySipHost }) {
    const { host = '' } = readSipAddress(uri) ?? {};
    if (maySipHost(host)) return null;
    const faults = new Faults();
    const message = `uri cannot be used: the operator does not allow calls to ${host} (SIP_ADDRESS_HOSTS).`;
    faults.add('/uri', 'url_refused', message);
    return faults.toProblem();
  },
  /** The password that was sent, sealed. None was sent: the stored one stays, since it cannot be read and sent again. */
  async complete(data, request, context, id) {
    const { password } = request.body.value;
    if (typeof password === 'string') {
      const place = sealedPlace('sip_address', request.account.id, id);
      const sealed = password === '' ? null : sealFor(context, place, password);
      return { data: { ...data, sealed_password: sealed }, version: null };
    }
    const row = await context.storage.getRecord(addressOf('sip_address', request, id));
    if (!row) return { data, version: null };
    const { sealed_password } = readData('sip_address', row.json);
    return { data: { ...data, sealed_password }, version: row.version };
  },
  unset: { password: '' },
  shown: ({ sealed_password: sealed, ...data }) => ({ ...data, has_password: sealed !== null }),
  matches: ({ name, uri }, needle) =>
    name.toLowerCase().includes(needle) || uri.toLowerCase().includes(needle),
};
