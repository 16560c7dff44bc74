// SIP addresses that calls ring: the hosts are the operator's setting, asked again for every call.
import type { SipAddresses } from '../calls/sip-addresses.ts';
import { sealedPlace } from '../domain/sealed.ts';
import type { Sealer } from '../domain/sealer.ts';
import { type AllowedHosts, hostTest } from '../safe-fetch/allowed-hosts.ts';

export function makeSipAddresses(hosts: AllowedHosts, sealer: Pick<Sealer, 'open'>): SipAddresses {
  const mayCall = hostTest(hosts);
  return {
    targetOf(account, id, { host, username, sealedPassword, headers, shown, ...rest }) {
      if (!mayCall(host)) return 'host';
      const password =
        sealedPassword === undefined
          ? ''
          : sealer.open(sealedPassword, sealedPlace('sip_address', account.id, id));
      if (password === null) return 'credentials';
      return {
        kind: 'sip',
        user: rest.user,
        host,
        port: rest.port,
        transport: rest.transport,
        srtp: rest.secure ? 'required' : 'offered',
        privateHost: account.limits.private_networks,
        headers: headers.map(({ name, value }) => [name.toLowerCase(), value] as const),
        ...(shown === undefined ? {} : { shown }),
        ...(username === undefined ? {} : { credentials: { username, password } }),
      };
    },
  };
}
