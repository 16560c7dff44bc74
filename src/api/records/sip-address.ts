// SIP addresses that calls ring elsewhere.
import { Faults } from '../../kinds/problem.ts';
import { readSipAddress } from '../../kinds/sip-uri.ts';
import { plain, sealing } from './plain.ts';

export const sipAddresses = plain('sip_address', {
  ...sealing('sip_address'),
  /** Asked again when it is dialled, since the operator may change the setting. */
  async refuse({ uri }, _request, { maySipHost }) {
    const { host = '' } = readSipAddress(uri) ?? {};
    if (maySipHost(host)) return null;
    const faults = new Faults();
    const message = `uri cannot be used: the operator does not allow calls to ${host} (SIP_ADDRESS_HOSTS).`;
    faults.add('/uri', 'url_refused', message);
    return faults.toProblem();
  },
});
