// Agents and the teams they are sorted by. An agent's team and departments are looked up, not copied.

export interface Agent {
  readonly name: string;
  readonly follow_me_number: string;
  readonly eid: string;
  readonly intercom: string;
  readonly product_clicktocall: 0 | 1;
  readonly team_id: number | null;
  /** 1 is blocked: no call is offered. */
  readonly custom_status: 0 | 1;
  /** When calls are offered; null: always. */
  readonly timegroup_id: string | null;
  readonly failover_destination: string | null;
  readonly sip: SipDigests;
  /** Whether phones are challenged with SHA-256 (RFC 8760); common ones understand MD5 alone. */
  readonly sip_sha256: boolean;
  readonly record_calls: boolean;
  /** Calls are not offered; a direct one goes on as to a busy agent. */
  readonly do_not_disturb: boolean;
  /** Where direct calls go on to: all of them, those to a busy agent, those that the agent does not answer. Null: not forwarded. */
  readonly forward_always: string | null;
  readonly forward_busy: string | null;
  readonly forward_no_answer: string | null;
  /** Whether a direct call rings while the agent talks; null: as the account's `several_calls_per_agent` says. */
  readonly call_waiting: boolean | null;
  /** Where the caller goes on when the agent hangs up first; null: the call ends. */
  readonly after_call_destination: string | null;
}

export const AGENT_DEFAULTS: Omit<Agent, 'name' | 'eid' | 'intercom' | 'sip'> = {
  follow_me_number: '',
  product_clicktocall: 0,
  team_id: null,
  custom_status: 0,
  timegroup_id: null,
  failover_destination: null,
  sip_sha256: false,
  record_calls: false,
  do_not_disturb: false,
  forward_always: null,
  forward_busy: null,
  forward_no_answer: null,
  call_waiting: null,
  after_call_destination: null,
};

/** H(intercom:realm:password). The password itself is shown once and never stored. */
export interface SipDigests {
  readonly realm: string;
  readonly md5: string;
  readonly sha256: string;
}

export interface Team {
  readonly name: string;
}
