// The catalogue of everything that can be wrong with a request. Each code has its paragraph in docs/errors.md;
// a test holds the two against each other.

/** Codes of a whole answer, with the status each is sent with. */
export const PROBLEMS = {
  http_malformed: 400,
  uri_malformed: 400,
  body_malformed: 400,
  body_not_utf8: 400,
  body_not_object: 400,
  body_too_deep: 400,
  body_too_many_values: 400,
  fields_invalid: 400,
  query_invalid: 400,
  idempotency_key_malformed: 400,
  if_match_malformed: 400,
  upload_malformed: 400,
  token_missing: 401,
  token_invalid: 401,
  link_invalid: 401,
  sign_in_refused: 401,
  code_needed: 401,
  phone_session_invalid: 401,
  scope_missing: 403,
  role_refused: 403,
  node_refused: 403,
  operator_only: 403,
  origin_refused: 403,
  csrf_refused: 403,
  click_to_call_not_applied: 403,
  outbound_limit_reached: 403,
  path_unknown: 404,
  record_unknown: 404,
  method_not_allowed: 405,
  request_too_slow: 408,
  idempotency_key_running: 409,
  still_referenced: 409,
  key_taken: 409,
  key_retired: 409,
  address_taken: 409,
  token_limit_reached: 409,
  last_owner: 409,
  owner_exists: 409,
  tests_failed: 409,
  draft_empty: 409,
  publish_conflict: 409,
  agent_unavailable: 409,
  call_not_connected: 409,
  room_empty: 409,
  callback_not_waiting: 409,
  call_consulting: 409,
  call_not_consulting: 409,
  call_three_way: 409,
  quota_reached: 409,
  version_changed: 412,
  body_too_large: 413,
  uri_too_long: 414,
  content_type_unsupported: 415,
  audio_unsupported: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  audio_malformed: 422,
  audio_too_long: 422,
  url_not_fetched: 422,
  work_too_large: 422,
  rate_limited: 429,
  sms_rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  sms_unavailable: 501,
  mail_unavailable: 501,
  tts_unavailable: 501,
  telephones_off: 501,
  storage_unavailable: 503,
  node_unavailable: 503,
  overloaded: 503,
  starting: 503,
  draining: 503,
  storage_full: 507,
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** Codes of one fault inside a body or a query, beside its pointer. */
export const FAULTS = [
  'unknown_member',
  'unknown_parameter',
  'field_missing',
  'text_expected',
  'text_empty',
  'text_too_long',
  'text_control_character',
  'text_nul',
  'text_surrogate',
  'text_malformed',
  'number_malformed',
  'number_out_of_range',
  'value_not_allowed',
  'list_expected',
  'list_too_short',
  'list_too_long',
  'option_malformed',
  'option_duplicate',
  'destination_count_differs',
  'destination_malformed',
  'destination_unknown_kind',
  'number_not_allowed',
  'recording_malformed',
  'recording_unknown_kind',
  'sms_template_malformed',
  'sms_template_too_many',
  'reference_unknown',
  'reference_duplicate',
  'callback_key_taken',
  'cursor_malformed',
  'test_malformed',
  'scenario_malformed',

  'timezone_unknown',

  'sms_variable_unknown',
  'sms_too_long',
  'sms_template_unusable',

  'webhook_malformed',
  'webhook_too_many',
  'url_refused',
  'time_malformed',

  'variable_fixed',
] as const;

export type FaultCode = (typeof FAULTS)[number];

export interface Fault {
  /** RFC 6901, into the body; for a query parameter its name. */
  readonly pointer: string;
  readonly code: FaultCode;
  readonly message: string;
}

export interface Problem {
  readonly problem: ProblemCode;
  readonly message: string;
  readonly faults?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the body, such as who points to a record. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function problem(
  code: ProblemCode,
  message: string,
  more: Omit<Problem, 'problem' | 'message'> = {},
): Problem {
  return { problem: code, message, ...more };
}

export function isProblem(value: object): value is Problem {
  return 'problem' in value;
}

/** More faults than a person reads are not collected: an answer stays small whatever was sent. */
export const MAX_FAULTS = 100;

export class Faults {
  readonly list: Fault[] = [];

  get full(): boolean {
    return this.list.length >= MAX_FAULTS;
  }

  add(pointer: string, code: FaultCode, message: string): void {
    if (!this.full) this.list.push({ pointer, code, message });
  }

  /** One sentence for all of them: the missing fields by name, then what is wrong with the others. */
  toProblem(code: 'fields_invalid' | 'query_invalid' = 'fields_invalid'): Problem {
    const missing = this.list.filter((fault) => fault.code === 'field_missing');
    const others = this.list.filter((fault) => fault.code !== 'field_missing');
    const parts: string[] = [];
    if (missing.length > 0) {
      const names = missing.map((fault) => fault.pointer.slice(1)).join(', ');
      parts.push(`Missing: ${names}.`);
    }
    parts.push(...others.slice(0, 5).map((fault) => fault.message));
    if (others.length > 5) parts.push(`And ${others.length - 5} more: see Errors.`);
    return problem(code, parts.join(' '), { faults: this.list });
  }
}
