// PORT: how calls learn whether a SIP address may be dialled, and with which password. service/open-sip-addresses.ts has the adapter.
import type { SipCall, SipRefusal } from '../flow/logic-phase.ts';
import type { Target } from '../telephony/telephony.ts';
import type { AccountRoutes } from './routing/routing.ts';

export interface SipAddresses {
  /** 'host': the operator does not allow it. 'credentials': the password was sealed with another key. */
  targetOf(
    account: Pick<AccountRoutes, 'id' | 'limits'>,
    id: string,
    call: SipCall,
  ): Extract<Target, { kind: 'sip' }> | SipRefusal;
}

/** Where none may be dialled, as in tests of other things. */
export const NO_SIP_ADDRESSES: SipAddresses = { targetOf: () => 'host' };
