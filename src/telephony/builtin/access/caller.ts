// Who sent a request, as its handlers get it.

import type { Quota, Refusal } from '../../telephony.ts';
import type { NamedLegs } from '../legs/named-legs.ts';
import type { Authorized } from './invite-authorizer.ts';

export interface Caller extends Authorized {
  /** What was found out about an INVITE before anything was kept of it. */
  readonly invite?: {
    /** The leg whose place it is to take, or why it may not; null: none. */
    readonly replaces: ReturnType<NamedLegs['ofInvite']>;
    /** What its leg is counted against. */
    readonly quotas: Refusal | readonly Quota[];
  };
}
