// Trunks as telephony takes them, and what it tells of them: part of the port (telephony.ts).

/** off: none. offered: wherever the peer has it; keys are offered over TLS alone. required: a call without it is refused. */
export type SrtpMode = 'off' | 'offered' | 'required';

export interface TrunkHost {
  readonly host: string;
  /** 0: by SRV, or the protocol's default. */
  readonly port: number;
}

/** A SIP provider or another PBX. */
export interface Trunk extends TrunkHost {
  readonly id: string;
  /** Whose it is: trunks of one account share its part of what all have. */
  readonly account: string;
  readonly name: string;
  readonly protocol: 'udp' | 'tcp' | 'tls';
  /** Absent: 'off'. */
  readonly srtp?: SrtpMode;
  /** Where requests are sent instead, with a Route to it. */
  readonly proxy?: TrunkHost;
  /** Tried in order where `host`, or the proxy, does not answer or has no service (503). */
  readonly backups?: readonly TrunkHost[];
  /** OPTIONS are sent to all hosts every so many seconds; absent: never. */
  readonly keepAliveS?: number;
  /** Whether `host` may be or lead to an address that is not on the open internet. */
  readonly privateHost: boolean;
  /** Source addresses and networks (CIDR) of its calls. */
  readonly addresses: readonly string[];
  readonly username: string;
  /** The name in digest answers; absent: `username`. */
  readonly authUsername?: string;
  readonly password: string;
  readonly register: boolean;
  /** Whether its calls are also known by the registration, from whatever address. */
  readonly callsByRegistration?: boolean;
  readonly maxCalls: number;
  readonly callerId: string | null;
  /** The host of our own URIs; absent: `host` with a user name, otherwise our address. */
  readonly fromDomain?: string;
  /** From has the user name, and the caller ID stands in the identity header alone. */
  readonly fromUsername?: boolean;
  /** Which header has the caller ID beside From; absent: none, but for an anonymous call. */
  readonly identityHeader?: 'pai' | 'ppi' | 'rpid';
}

/** One address of a trunk's hosts, as OPTIONS found it. */
export interface TrunkHostState {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly reachable: boolean;
  /** The latency of the last answer; null: there was none. */
  readonly latencyMs: number | null;
}

export interface TrunkLine {
  /** Null if it is not to register. */
  readonly registered: boolean | null;
  readonly calls: number;
  readonly problem: string | null;
  /** Whether any of its hosts answers OPTIONS; null: they are not asked, or not yet. */
  readonly reachable: boolean | null;
  readonly hosts: readonly TrunkHostState[];
}

/** By whether they need a registration, and have it. */
export interface TrunkCounts {
  readonly registered: number;
  readonly failing: number;
  /** They need none: whether they can be reached shows when they are called. */
  readonly unregistered: number;
  /** Those that are asked by OPTIONS, and of which no host answers. */
  readonly unreachable: number;
}
