// What call handling needs.
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import type { Sealer } from '../domain/sealer.ts';
import type { Clock } from '../kit/clock.ts';
import type { Allowance } from '../sharing/ports/allowance.ts';
import type { NodeCounts } from '../sharing/ports/node-counts.ts';
import type { Notices } from '../sharing/ports/notices.ts';
import type { Agents } from '../sharing/ports/queues.ts';
import type { Slots } from '../sharing/ports/slots.ts';
import type { Telephony, TelephonyUser } from '../telephony/telephony.ts';
import type { BotStreams } from './bots/bot-streams.ts';
import type { CallCounters } from './call-log.ts';
import type { CallJournalsParts } from './records/call-journals.ts';
import type { CallRecordings } from './records/call-recordings.ts';
import type { FlowRequests } from './requests/flow-requests.ts';
import type { SipAddresses } from './sip-addresses.ts';
import type { CallSpeech } from './speech.ts';

export interface CallNeeds extends CallJournalsParts {
  readonly snapshots: AccountSnapshots;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly agents: Agents;
  readonly callRecordings: CallRecordings;
  readonly allowance: Allowance;
  readonly slots: Slots;
  readonly clicks?: Allowance;
  readonly counts: NodeCounts;
  /** This node and how it hears of the others; absent: it is the only one. */
  readonly sharing?: { readonly node: string; readonly notices: Notices };
  readonly openTelephony: (user: TelephonyUser) => Promise<Telephony>;
  readonly counted: CallCounters;
  /** Sounds that calls may play from now on, by hash: those of accounts whose routes have changed. */
  readonly soundsChanged?: (sha256s: Iterable<string>) => void;
  /** How calls ask the systems of their accounts; absent: they ask none. */
  readonly flowRequests?: FlowRequests;
  /** Absent: no SIP address is dialled. */
  readonly sipAddresses?: SipAddresses;
  /** Absent: no text is spoken. */
  readonly speech?: CallSpeech;
  /** Absent: calls talk with no voice bots. */
  readonly bots?: BotStreams;
  /** How many writes other threads made, as in RoutingParts. */
  readonly writtenElsewhere?: () => number;
}
