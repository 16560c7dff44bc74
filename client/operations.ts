// Made from the OpenAPI document by `npm run openapi`: do not edit.
// biome-ignore-all format: it is made

export type AcceptUserLinkInput = { code: string; password: string };
export type AccountHealth = { checked_at: string; state: "well" | "warning" | "error"; data: (HealthFinding)[] };
export type AddPartyInput = { call_id: string; number: string | number };
export type Agent = { id: string; name: string; follow_me_number: string; eid: string; intercom: string; calls_answered: number; product_clicktocall: 0 | 1; team_id: number | null; team_name: string | null; custom_status: 0 | 1; timegroup_name: string | null; timegroup_id: string | null; failover_destination: string | null; failover_destination_name: string | null; departments: ({ name: string; id: string })[] };
export type AgentCreated = { Success: true; Message: string; id: string; eid: string; intercom: string; sip_password?: string };
export type AgentInput = { name: string; follow_me_number?: string | number | null; eid?: string | number | null; intercom?: string | number | null; product_clicktocall?: 0 | 1 | "0" | "1" | null; team_id?: number | string | null; timegroup_id?: string | number | null; failover_destination?: string | null; sip_sha256?: true | false | null; do_not_disturb?: true | false | null; forward_always?: string | null; forward_busy?: string | null; forward_no_answer?: string | null; after_call_destination?: string | null; call_waiting?: true | false | null; record_calls?: true | false | null };
export type AgentPatch = { name?: string | null; follow_me_number?: string | number | null; eid?: string | number | null; intercom?: string | number | null; product_clicktocall?: 0 | 1 | "0" | "1" | null; team_id?: number | string | null; timegroup_id?: string | number | null; failover_destination?: string | null; sip_sha256?: true | false | null; do_not_disturb?: true | false | null; forward_always?: string | null; forward_busy?: string | null; forward_no_answer?: string | null; after_call_destination?: string | null; call_waiting?: true | false | null; record_calls?: true | false | null };
export type AgentState = { eid: string; name: string; state: "talking" | "ringing" | "blocked" | "off_duty" | "paused" | "unreachable" | "wrap_up" | "free"; since: string | null; paused: { reason: string; since: string } | null; signed_out: (string)[]; phones: { registered: number; reachable: number; none_since: string | null } };
export type AgentStateEvent = { id: string; type: "agent.state"; timestamp: string; data: { agent: { eid: string; name: string }; state: "talking" | "ringing" | "blocked" | "off_duty" | "paused" | "unreachable" | "wrap_up" | "free"; previous: "talking" | "ringing" | "blocked" | "off_duty" | "paused" | "unreachable" | "wrap_up" | "free" | null; reason: string | null } };
export type Agents = (Agent)[];
export type Announcement = { id: string; name: string; recording: string | null; text: string | null; destination: string; version: number; created_at: string; updated_at: string };
export type AnnouncementInput = { name: string; recording?: string | number | null; text?: string | null; destination: string };
export type AnnouncementPatch = { name?: string | null; recording?: string | number | null; text?: string | null; destination?: string | null };
export type AuditEntry = { id: string; at: string; actor_id: string; actor_name: string; request_id: string; action: string; kind: string; record_id: string; record_name: string | null; version: number | null; user_id: string | null; changes: ({ member: string; before: unknown; after: unknown; secret?: true })[] | null };
export type BeginPasskeyInput = { current?: string | null; state?: string | null; response?: string | null };
export type BlockedNumber = { id: string; number: string | null; anonymous: true | false; verstat: "failed" | "unverified" | null; dialled: string | null; reason: string; version: number; created_at: string; updated_at: string };
export type BlockedNumberInput = { number?: string | number | null; anonymous?: true | false | null; verstat?: "failed" | "unverified" | null; dialled?: string | number | null; reason?: string | null };
export type BlockedNumberPatch = { number?: string | number | null; anonymous?: true | false | null; verstat?: "failed" | "unverified" | null; dialled?: string | number | null; reason?: string | null };
export type BuiltInPrompt = { name: string; text: string; recording_id: string; recording_version: number | null; translation: string | null; voice: string | null };
export type BuiltInPrompts = { language: string; shipped: boolean; missing: number; data: (BuiltInPrompt)[] };
export type ButtonSessionInput = { name?: string | null; page?: string | null };
export type CallAnsweredEvent = { id: string; type: "call.answered"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallCreated = { Success: true; Message: string; id: string; call_id: string };
export type CallEndedEvent = { id: string; type: "call.ended"; timestamp: string; data: { call: EventCall; outcome: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed"; end: { code: string; cause: number; word: string; text: string }; duration_ms: number; answered_by: string | null; wait_ms: number | null; ring_ms: number; talk_ms: number; transferred_to: { call_id: string; by: { kind: "agent" | "operator"; id: string; name: string }; attended?: boolean } | null; variables?: Record<string, string> } };
export type CallKeyEvent = { id: string; type: "call.key"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallMenuEnteredEvent = { id: string; type: "call.menu_entered"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallMissedEvent = { id: string; type: "call.missed"; timestamp: string; data: { call: EventCall; outcome: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed"; end: { code: string; cause: number; word: string; text: string }; duration_ms: number; answered_by: string | null; wait_ms: number | null; ring_ms: number; talk_ms: number; transferred_to: { call_id: string; by: { kind: "agent" | "operator"; id: string; name: string }; attended?: boolean } | null; variables?: Record<string, string> } };
export type CallOneWayAudioEvent = { id: string; type: "call.one_way_audio"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallOptionEvent = { id: string; type: "call.option"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallPartyReplacedEvent = { id: string; type: "call.party_replaced"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallReceivedEvent = { id: string; type: "call.received"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallRecord = { id: string; call_id: string; started_at: string; ended_at: string; direction: "inbound" | "internal" | "outbound"; caller: string | null; caller_name: string | null; dialled: string; entry: string; schema: 1 | 2; outcome: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed" | "failed" | null; end_code: string; cause: number; answered_by: string | null; wait_ms: number | null; ring_ms: number; talk_ms: number; steps: ({ at_ms: number; code: string; text: string; node?: string | null; node_name?: string | null; keys?: string; destination?: string; recording?: string; rung?: (string)[] })[]; sip_call_id?: string; identity?: { verstat: "passed" | "failed" | "none" | null; attestation: "A" | "B" | "C" | null; diversions: ({ number: string | null; reason: string })[]; history: ({ number: string | null; index: string; cause: number | null })[] } | null; web?: { button: string | null; page: string } | null; transferred_from?: { call_id: string; by: { kind: "agent" | "operator"; id: string; name: string }; attended?: boolean } | null; transferred_to?: { call_id: string; by: { kind: "agent" | "operator"; id: string; name: string }; attended?: boolean } | null; callback?: { id: string; call_id: string; attempt: number } | null; duration_ms?: number; queue_ms?: number; variables?: Record<string, string>; end?: { code: string; cause: number; word: string; text: string }; recording?: string | null; voicemail?: string | null; keys?: ({ at_ms: number; key: string; source: "rfc4733" | "info" | "in-band" })[]; legs?: ({ role: "caller" | "called"; number: string; ended_by: "us" | "peer" | "timeout" | "network"; outcome: "ended" | "busy" | "declined" | "unreachable" | "no-answer" | "failed" | "transferred"; status: number | null; cause: number | null; reason: string; packets_sent: number | null; packets_received: number | null; packets_lost: number | null; jitter_ms: number | null; one_way: boolean | null; agent?: string | null; agent_name?: string | null; began_at_ms?: number; ringing_at_ms?: number | null; answered_at_ms?: number | null; ended_at_ms?: number; buffer_ms?: number | null; packets_late?: number | null; round_trip_ms?: number | null; encryption?: "none" | "sdes" | "dtls" | null; crypto_suite?: string | null; keys_over_tls?: boolean | null })[]; ladder?: ({ at_ms: number; leg: number | null; direction: "in" | "out"; what: string; transport: "udp" | "tcp" | "tls" | "ws"; user_agent?: string; phone?: number })[]; ladder_left_out?: number; events?: ({ type: string; atMs: number })[]; events_left_out?: number };
export type CallRecordedEvent = { id: string; type: "call.recorded"; timestamp: string; data: { call: EventCall; recording: { id: string; duration_ms: number; audio: string; agent: string | null } } };
export type CallRecording = { id: string; call_id: string; caller: string | null; caller_name: string; dialled: string; started_at: string; duration_ms: number; bytes: number; audio: string; agent: string | null };
export type CallRingingEvent = { id: string; type: "call.ringing"; timestamp: string; data: { call: EventCall; node: string | null; text: string; keys?: string; destination?: string; webhook?: string } };
export type CallStatistics = { from: string; to: string; timezone: string; by: "day" | "hour" | "none"; service_level_seconds: number; totals: { calls: number; inbound: number; internal: number; outbound: number; answered: number; transferred: number; missed: number; unreachable: number; abandoned: number; voicemail: number; blocked: number; refused: number; interrupted: number; completed: number; failed: number; talked: number; answer_rate: number | null; wait_ms: number; ring_ms: number; talk_ms: number; average_talk_ms: number | null; average_duration_ms: number | null; queue: { calls: number; answered: number; answered_in_time: number; abandoned: number; left: number; service_level: number | null; average_answer_ms: number | null; abandoned_rate: number | null; average_abandon_ms: number | null } }; data: ({ start: string; calls: number; inbound: number; internal: number; outbound: number; answered: number; transferred: number; missed: number; unreachable: number; abandoned: number; voicemail: number; blocked: number; refused: number; interrupted: number; completed: number; failed: number; talked: number; answer_rate: number | null; wait_ms: number; ring_ms: number; talk_ms: number; average_talk_ms: number | null; average_duration_ms: number | null; queue: { calls: number; answered: number; answered_in_time: number; abandoned: number; left: number; service_level: number | null; average_answer_ms: number | null; abandoned_rate: number | null; average_abandon_ms: number | null } })[]; agents: ({ eid: string; name: string | null; answered: number; not_answered: number; talk_ms: number; average_talk_ms: number | null; offered: number; signed_in_ms: number; paused_ms: number; occupancy: number | null; state_ms: { talking: number; ringing: number; blocked: number; off_duty: number; paused: number; unreachable: number; wrap_up: number; free: number } })[]; departments: ({ id: string; name: string | null; answered: number; not_answered: number; talk_ms: number; average_talk_ms: number | null; calls: number; abandoned: number; average_wait_ms: number | null; callbacks_asked: number; callbacks_done: number; callbacks_failed: number; queue: { calls: number; answered: number; answered_in_time: number; abandoned: number; left: number; service_level: number | null; average_answer_ms: number | null; abandoned_rate: number | null; average_abandon_ms: number | null } })[]; steps: ({ kind: "collect" | "request" | "stream"; id: string; name: string | null; visits: number; failed: number; failed_rate: number | null; average_ms: number | null })[] };
export type CallSummary = { id: string; call_id: string; started_at: string; ended_at: string; direction: "inbound" | "internal" | "outbound"; caller: string | null; caller_name: string | null; dialled: string; entry: string; schema: 1 | 2; outcome: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed" | "failed" | null; end_code: string; cause: number; answered_by: string | null; wait_ms: number | null; ring_ms: number; talk_ms: number };
export type Callback = { id: string; department: string; number: string; typed: boolean; asked_by: string; asked_at: string; state: "waiting" | "calling" | "done" | "failed" | "cancelled" | "expired"; attempts: number; result: "busy" | "no-answer" | "unreachable" | "interrupted" | null; next_attempt_at: string | null; call_id: string; ended_at: string | null };
export type CallbackAskedEvent = { id: string; type: "callback.asked"; timestamp: string; data: { call: EventCall; callback: { id: string; department: string; number: string; asked_by: string; attempts: number; state: "waiting" | "calling" | "done" | "failed" | "cancelled" | "expired"; result: "busy" | "no-answer" | "unreachable" | "interrupted" | null } } };
export type CallbackEndedEvent = { id: string; type: "callback.ended"; timestamp: string; data: { call: EventCall; callback: { id: string; department: string; number: string; asked_by: string; attempts: number; state: "waiting" | "calling" | "done" | "failed" | "cancelled" | "expired"; result: "busy" | "no-answer" | "unreachable" | "interrupted" | null } } };
export type CallerIdRule = { id: string; name: string; priority: number; trunk: string | null; agent: string | null; department: string | null; prefix: string | null; show: string; version: number; created_at: string; updated_at: string };
export type CallerIdRuleInput = { name: string; priority?: number | string | null; trunk?: string | number | null; agent?: string | number | null; department?: string | number | null; prefix?: string | number | null; show: string | number };
export type CallerIdRulePatch = { name?: string | null; priority?: number | string | null; trunk?: string | number | null; agent?: string | number | null; department?: string | number | null; prefix?: string | number | null; show?: string | number | null };
export type ClickToCallInput = { agent: string | number; number: string | number };
export type Collect = { id: string; name: string; description: string; recording: string | null; text: string | null; min_digits: number; max_digits: number; finish_key: "#" | "*" | ""; timeout: number; allowed: (string)[]; attempts: number; invalid_recording: string | null; timeout_recording: string | null; confirm: true | false; save_as: string; sensitive: true | false; next_destination: string; failed_destination: string; version: number; created_at: string; updated_at: string };
export type CollectInput = { name: string; description?: string | null; recording?: string | number | null; text?: string | null; min_digits?: number | string | null; max_digits: number | string; finish_key?: "#" | "*" | "" | null; timeout?: number | string | null; allowed?: (string | number)[] | null; attempts?: number | string | null; invalid_recording?: string | number | null; timeout_recording?: string | number | null; confirm?: true | false | null; save_as: string | number; sensitive?: true | false | null; next_destination: string; failed_destination: string };
export type CollectPatch = { name?: string | null; description?: string | null; recording?: string | number | null; text?: string | null; min_digits?: number | string | null; max_digits?: number | string | null; finish_key?: "#" | "*" | "" | null; timeout?: number | string | null; allowed?: (string | number)[] | null; attempts?: number | string | null; invalid_recording?: string | number | null; timeout_recording?: string | number | null; confirm?: true | false | null; save_as?: string | number | null; sensitive?: true | false | null; next_destination?: string | null; failed_destination?: string | null };
export type Configuration = { mail: { ready: boolean; variables: ({ name: string; value: string | null; fixed: boolean; secret: boolean; source: "environment" | "stored" | "default"; locked: "environment" | "program" | "security" | "machine" | null; next_value: string | null; next_source: "environment" | "stored" | "default"; pending_restart: boolean })[] }; sms: { ready: boolean; variables: ({ name: string; value: string | null; fixed: boolean; secret: boolean; source: "environment" | "stored" | "default"; locked: "environment" | "program" | "security" | "machine" | null; next_value: string | null; next_source: "environment" | "stored" | "default"; pending_restart: boolean })[] }; speech: { ready: boolean; variables: ({ name: string; value: string | null; fixed: boolean; secret: boolean; source: "environment" | "stored" | "default"; locked: "environment" | "program" | "security" | "machine" | null; next_value: string | null; next_source: "environment" | "stored" | "default"; pending_restart: boolean })[] }; network: { ready: boolean; variables: ({ name: string; value: string | null; fixed: boolean; secret: boolean; source: "environment" | "stored" | "default"; locked: "environment" | "program" | "security" | "machine" | null; next_value: string | null; next_source: "environment" | "stored" | "default"; pending_restart: boolean })[] } };
export type ConfigurationPatch = { smtp_url?: string | number | null; mail_from?: string | number | null; mail_per_minute?: string | number | null; mail_per_day?: string | number | null; sms_url?: string | number | null; sms_sender?: string | number | null; sms_per_minute?: string | number | null; public_url?: string | number | null; advertised_address?: string | number | null };
export type ConfirmTotpInput = { code: string; state?: string | null };
export type Contact = { id: string; name: string; company: string; numbers: (string)[]; email: string | null; notes: string; priority: number; version: number; created_at: string; updated_at: string };
export type ContactInput = { name: string; company?: string | null; numbers: (string)[]; email?: string | null; notes?: string | null; priority?: number | string | null };
export type ContactPatch = { name?: string | null; company?: string | null; numbers?: (string)[] | null; email?: string | null; notes?: string | null; priority?: number | string | null };
export type Created = { Success: true; Message: string; id: string };
export type CurrentSessionInput = { account: string };
export type Deleted = { Success: true; Message: string; RemovedFrom?: ({ kind: string; id: string; name: string })[]; ReferencedBy?: ({ kind: string; id: string; name: string })[] };
export type DeletedRecord = { id: string; kind: "agent" | "ivr" | "team" | "department" | "recording" | "number" | "trunk" | "timegroup" | "announcement" | "voicemail" | "room" | "collect" | "request" | "stream" | "switch" | "message" | "sip_address" | "sms_template" | "webhook" | "blocked_number" | "caller_id_rule" | "contact"; record_id: string; name: string; version: number; deleted_at: string; deleted_by: string; kept_until: string };
export type Delivery = { id: string; event_id: string; type: string; state: "waiting" | "done" | "dead"; attempts: number; last_status: number | null; error: string | null; created_at: string; next_try_at: string | null; settled_at: string | null };
export type DeliveryQueued = { Success: true; Message: string; delivery: string };
export type DeliveryWithBody = { id: string; event_id: string; type: string; state: "waiting" | "done" | "dead"; attempts: number; last_status: number | null; error: string | null; created_at: string; next_try_at: string | null; settled_at: string | null; body: Record<string, unknown> };
export type Department = { id: string; name: string; description: string; agents: (string)[]; agent_levels: Record<string, number>; priority: number; strategy: "simultaneous" | "in_order" | "random" | "round_robin" | "longest_idle"; ring_seconds: number | null; ring_together: number; failover_destination: string | null; full_destination: string | null; timeout_destination: string | null; after_call_destination: string | null; queue: true | false; music_on_hold: string | null; announce_position: number; announce_wait: true | false; announce_recording: string | null; announce_recording_seconds: number; max_wait_seconds: number; max_waiting: number; wrapup_seconds: number; join_when_empty: true | false; exit_key: string | null; callback_key: string | null; callback_offer_seconds: number; callback_recording: string | null; callback_first: "agent" | "caller"; callback_attempts: number; callback_pause_seconds: number; callback_hours: string | null; callbacks_per_hour: number; version: number; created_at: string; updated_at: string };
export type DepartmentInput = { name: string; description?: string | null; agents?: (string | number)[] | null; agent_levels?: Record<string, number> | null; priority?: number | string | null; strategy?: "simultaneous" | "in_order" | "random" | "round_robin" | "longest_idle" | null; ring_seconds?: number | string | null; ring_together?: number | string | null; failover_destination?: string | null; full_destination?: string | null; timeout_destination?: string | null; after_call_destination?: string | null; queue?: true | false | null; music_on_hold?: string | number | null; announce_position?: number | string | null; announce_wait?: true | false | null; announce_recording?: string | number | null; announce_recording_seconds?: number | string | null; max_wait_seconds?: number | string | null; max_waiting?: number | string | null; wrapup_seconds?: number | string | null; join_when_empty?: true | false | null; exit_key?: string | number | null; callback_key?: string | number | null; callback_offer_seconds?: number | string | null; callback_recording?: string | number | null; callback_first?: "agent" | "caller" | null; callback_attempts?: number | string | null; callback_pause_seconds?: number | string | null; callback_hours?: string | number | null; callbacks_per_hour?: number | string | null };
export type DepartmentPatch = { name?: string | null; description?: string | null; agents?: (string | number)[] | null; agent_levels?: Record<string, number> | null; priority?: number | string | null; strategy?: "simultaneous" | "in_order" | "random" | "round_robin" | "longest_idle" | null; ring_seconds?: number | string | null; ring_together?: number | string | null; failover_destination?: string | null; full_destination?: string | null; timeout_destination?: string | null; after_call_destination?: string | null; queue?: true | false | null; music_on_hold?: string | number | null; announce_position?: number | string | null; announce_wait?: true | false | null; announce_recording?: string | number | null; announce_recording_seconds?: number | string | null; max_wait_seconds?: number | string | null; max_waiting?: number | string | null; wrapup_seconds?: number | string | null; join_when_empty?: true | false | null; exit_key?: string | number | null; callback_key?: string | number | null; callback_offer_seconds?: number | string | null; callback_recording?: string | number | null; callback_first?: "agent" | "caller" | null; callback_attempts?: number | string | null; callback_pause_seconds?: number | string | null; callback_hours?: string | number | null; callbacks_per_hour?: number | string | null };
export type Done = { Success: true; Message: string };
export type Draft = { hash: string; data: ({ kind: string; id: string; name: string; action: "create" | "update" | "delete"; conflict: boolean; editor: string; at: string; before: Record<string, unknown> | null; after: Record<string, unknown> | null })[]; next_cursor: string | null };
export type DraftCheck = { findings: ({ code: string; severity: "error" | "warning"; node: string; pointer: string; message: string })[]; tests: ({ menu: string; menu_name: string; name: string; passed: boolean; failed_before: boolean; differences: (string)[] })[] };
export type EventCall = { id: string; call_id: string; direction: "inbound" | "internal" | "outbound"; caller: string | null; caller_name: string | null; dialled: string; entry: string; started_at: string; sip_call_id?: string; web?: { button: string | null; page: string } };
export type Failure = { Success: false; Message: string; Code: "http_malformed" | "uri_malformed" | "body_malformed" | "body_not_utf8" | "body_not_object" | "body_too_deep" | "body_too_many_values" | "fields_invalid" | "query_invalid" | "idempotency_key_malformed" | "if_match_malformed" | "upload_malformed" | "token_missing" | "token_invalid" | "link_invalid" | "sign_in_refused" | "code_needed" | "phone_session_invalid" | "scope_missing" | "role_refused" | "node_refused" | "operator_only" | "origin_refused" | "csrf_refused" | "click_to_call_not_applied" | "outbound_limit_reached" | "path_unknown" | "record_unknown" | "method_not_allowed" | "request_too_slow" | "idempotency_key_running" | "still_referenced" | "key_taken" | "key_retired" | "address_taken" | "token_limit_reached" | "last_owner" | "owner_exists" | "tests_failed" | "draft_empty" | "publish_conflict" | "agent_unavailable" | "call_not_connected" | "room_empty" | "callback_not_waiting" | "call_consulting" | "call_not_consulting" | "call_three_way" | "quota_reached" | "version_changed" | "body_too_large" | "uri_too_long" | "content_type_unsupported" | "audio_unsupported" | "range_not_satisfiable" | "expectation_failed" | "idempotency_key_reused" | "audio_malformed" | "audio_too_long" | "url_not_fetched" | "work_too_large" | "rate_limited" | "sms_rate_limited" | "headers_too_large" | "internal_error" | "sms_unavailable" | "mail_unavailable" | "tts_unavailable" | "telephones_off" | "storage_unavailable" | "node_unavailable" | "overloaded" | "starting" | "draining" | "storage_full"; RequestId: string; Errors?: ({ Pointer: string; Code: "unknown_member" | "unknown_parameter" | "field_missing" | "text_expected" | "text_empty" | "text_too_long" | "text_control_character" | "text_nul" | "text_surrogate" | "text_malformed" | "number_malformed" | "number_out_of_range" | "value_not_allowed" | "list_expected" | "list_too_short" | "list_too_long" | "option_malformed" | "option_duplicate" | "destination_count_differs" | "destination_malformed" | "destination_unknown_kind" | "number_not_allowed" | "recording_malformed" | "recording_unknown_kind" | "sms_template_malformed" | "sms_template_too_many" | "reference_unknown" | "reference_duplicate" | "callback_key_taken" | "cursor_malformed" | "test_malformed" | "scenario_malformed" | "timezone_unknown" | "sms_variable_unknown" | "sms_too_long" | "sms_template_unusable" | "webhook_malformed" | "webhook_too_many" | "url_refused" | "time_malformed" | "variable_fixed"; Message: string })[]; Tests?: ({ name: string; passed: boolean; differences: (string)[] })[]; Scope?: "read" | "draft" | "write" | "calls" | "admin"; ReferencedBy?: ({ kind: string; id: string; name: string })[] };
export type Findings = { data: ({ code: "recording-missing" | "destination-missing" | "sms-template-missing" | "sms-template-inactive" | "agent-blocked" | "dead-end" | "menu-unreached" | "loop-without-input" | "option-shadowed" | "timeout-zero-retries" | "queue-endless" | "hours-never-open" | "hours-gap" | "hours-zone-unknown" | "webhook-missing" | "sms-unavailable" | "email-unavailable" | "star-code-hidden" | "variable-unset" | "rule-unreachable" | "request-fails-into-itself" | "secret-in-url" | "stream-without-disclosure" | "test-failed"; severity: "warning" | "error"; node: string; pointer: string; message: string })[] };
export type HangUpCallInput = { call_id: string; id?: string | null };
export type Health = { status: string };
export type HealthFinding = { code: "telephones-off" | "records-not-written" | "node-unanswered" | "trunk-unregistered" | "trunk-unreachable" | "trunk-addresses-unused" | "number-missing" | "department-unanswered" | "agents-without-phones" | "disk-full" | "disk-nearly-full" | "certificate-expired" | "certificate-expiring" | "sip-port-silent" | "browser-port-taken" | "browser-port-other" | "sound-ports-none" | "sound-ports-taken" | "sound-ports-few" | "address-unusable" | "address-local" | "address-private" | "clock-wrong" | "clock-without-zones" | "clock-jumped" | "clock-apart" | "clock-differs" | "open-files-few" | "sound-store-unusable" | "recording-missing" | "recording-lost" | "destination-missing" | "dead-end" | "loop-without-input" | "hours-never-open" | "hours-zone-unknown" | "test-failed" | "prompts-untranslated" | "flow-unchecked" | "agent-blocked" | "email-unavailable" | "sms-unavailable" | "sms-template-missing" | "sms-template-inactive" | "webhook-missing" | "queue-endless" | "option-shadowed" | "timeout-zero-retries" | "hours-gap" | "star-code-hidden"; severity: "error" | "warning"; concerns: (string)[]; count: number; pointer: string; message: string; values: Record<string, string> };
export type IceServers = { ice_servers: ({ urls: (string)[]; username?: string; credential?: string })[]; expires_at: string };
export type Ivr = { id: string; name: string; description: string; recording: string; timeout: number; option: (string)[]; destination: (string)[]; incorrect_count: number; invalid_recording: string; invalid_destination: string; timeout_retry_recording: string; timeout_recording: string; timeout_destination: string; timeout_tries: number; recording_invalid: string | null; timeout_retries: number | null; sms_template: (string | null)[]; record_calls: true | false; sensitive: true | false; webhook: (string | null)[]; option_priority: (number | null)[]; text: string | null; tests: (Record<string, unknown>)[]; version: number; created_at: string; updated_at: string };
export type IvrInput = { name: string; description: string; recording: string | number; timeout: number | string; option: (string | number)[]; destination: (string)[]; incorrect_count: number | string; invalid_recording: string | number; invalid_destination: string; timeout_retry_recording: string | number; timeout_recording: string | number; timeout_destination: string; timeout_tries: number | string; recording_invalid?: string | number | null; timeout_retries?: number | string | null; sms_template?: (string | number | null)[] | null; record_calls?: true | false | null; sensitive?: true | false | null; webhook?: (string | null)[] | null; option_priority?: (number | string | null)[] | null; text?: string | null; tests?: ({ name: string; script?: string | (Record<string, unknown>)[]; at?: string; caller?: string | null; seed?: number; agents?: Record<string, string>; idle_since?: Record<string, number>; last_rung?: Record<string, string>; waiting?: Record<string, number>; signed_out?: Record<string, (string)[]>; requests?: Record<string, Record<string, unknown>>; streams?: Record<string, Record<string, unknown>>; variables?: Record<string, string>; dialled?: string; expect: { outcome?: unknown; destination?: unknown; reason?: unknown; cause?: unknown; heard?: unknown; visited?: unknown; sms?: unknown; variables?: unknown; within_ms?: unknown } })[] | null };
export type IvrPatch = { name?: string | null; description?: string | null; recording?: string | number | null; timeout?: number | string | null; option?: (string | number)[] | null; destination?: (string)[] | null; incorrect_count?: number | string | null; invalid_recording?: string | number | null; invalid_destination?: string | null; timeout_retry_recording?: string | number | null; timeout_recording?: string | number | null; timeout_destination?: string | null; timeout_tries?: number | string | null; recording_invalid?: string | number | null; timeout_retries?: number | string | null; sms_template?: (string | number | null)[] | null; record_calls?: true | false | null; sensitive?: true | false | null; webhook?: (string | null)[] | null; option_priority?: (number | string | null)[] | null; text?: string | null; tests?: ({ name: string; script?: string | (Record<string, unknown>)[]; at?: string; caller?: string | null; seed?: number; agents?: Record<string, string>; idle_since?: Record<string, number>; last_rung?: Record<string, string>; waiting?: Record<string, number>; signed_out?: Record<string, (string)[]>; requests?: Record<string, Record<string, unknown>>; streams?: Record<string, Record<string, unknown>>; variables?: Record<string, string>; dialled?: string; expect: { outcome?: unknown; destination?: unknown; reason?: unknown; cause?: unknown; heard?: unknown; visited?: unknown; sms?: unknown; variables?: unknown; within_ms?: unknown } })[] | null };
export type IvrWithWarnings = { id: string; name: string; description: string; recording: string; timeout: number; option: (string)[]; destination: (string)[]; incorrect_count: number; invalid_recording: string; invalid_destination: string; timeout_retry_recording: string; timeout_recording: string; timeout_destination: string; timeout_tries: number; recording_invalid: string | null; timeout_retries: number | null; sms_template: (string | null)[]; record_calls: true | false; sensitive: true | false; webhook: (string | null)[]; option_priority: (number | null)[]; text: string | null; tests: (Record<string, unknown>)[]; version: number; created_at: string; updated_at: string; warnings: ({ code: "recording-missing" | "destination-missing" | "sms-template-missing" | "sms-template-inactive" | "agent-blocked" | "dead-end" | "menu-unreached" | "loop-without-input" | "option-shadowed" | "timeout-zero-retries" | "queue-endless" | "hours-never-open" | "hours-gap" | "hours-zone-unknown" | "webhook-missing" | "sms-unavailable" | "email-unavailable" | "star-code-hidden" | "variable-unset" | "rule-unreachable" | "request-fails-into-itself" | "secret-in-url" | "stream-without-disclosure" | "test-failed"; severity: "warning" | "error"; node: string; pointer: string; message: string })[] };
export type IvrsStatistics = { from: string; to: string; timezone: string; data: ({ ivr: string; visits: number; chosen: number; options: Record<string, number>; invalid: number; invalid_rate: number | null; invalid_final: number; timeouts: number; timeout_rate: number | null; timeout_final: number; abandoned: number; abandoned_rate: number | null; abandoned_at: { prompt: number; waiting: number; collecting: number; retrying: number; closing: number; queue: number; ringing: number; elsewhere: number }; cut: number; typed_ahead: number; time_to_key: { count: number; average_ms: number | null; p50_ms: number | null; p90_ms: number | null } })[]; left_off: number };
export type Limits = { private_networks: boolean; wide_networks: boolean; max_calls: number; max_calls_per_agent: number; max_legs: number; max_trunk_calls: number; max_outbound_calls: number; max_records: number; max_configuration_mb: number; max_recordings_mb: number; max_voicemail_mb: number; max_call_recordings_mb: number; max_trunks: number; max_tokens: number; used: { records: number; configuration_bytes: number; recordings_bytes: number; voicemail_bytes: number; call_recordings_bytes: number } };
export type ListenInInput = { call_id: string; id?: string | null; agent: string | number; mode?: "monitor" | "whisper" | "barge" | null };
export type LiveAgent = { eid: string; state: "talking" | "ringing" | "blocked" | "off_duty" | "paused" | "unreachable" | "wrap_up" | "free"; since: string | null; paused: { reason: string; since: string } | null; signed_out: (string)[]; phones: { registered: number; reachable: number; none_since: string | null } };
export type LiveCall = { id: string; call_id: string; sip_call_id: string; direction: "inbound" | "internal" | "outbound"; caller: string | null; caller_name: string; dialled: string; entry: string; started_at: string; state: "calling_agent" | "menu" | "announcement" | "queue" | "ringing" | "connected" | "voicemail" | "bot" | "room" | "ending"; node: string | null; agent: string | null; ringing: (string)[]; department: string | null; waiting_since: string | null; waited_ms: number | null; answered_at: string | null; consultation: string | null; variables: Record<string, string>; consults_for: string | null; node_id: string };
export type LiveQueue = { department: string; waiting: number; longest_since: string };
export type LiveState = { at: string; telephones: boolean; calls: (LiveCall)[]; agents: (LiveAgent)[]; trunks: (LiveTrunk)[]; queues: (LiveQueue)[]; unanswered_nodes?: (string)[] };
export type LiveTrunk = { id: string; registered: boolean | null; problem: string | null; registered_by: string | null; calls: number; reachable: boolean | null; hosts: ({ host: string; address: string; port: number; reachable: boolean; latency_ms: number | null })[]; unused_addresses: (string)[] };
export type MenuStatistics = { ivr: string; from: string; to: string; timezone: string; by: "day" | "hour" | "none"; totals: { visits: number; chosen: number; options: Record<string, number>; invalid: number; invalid_rate: number | null; invalid_final: number; timeouts: number; timeout_rate: number | null; timeout_final: number; abandoned: number; abandoned_rate: number | null; abandoned_at: { prompt: number; waiting: number; collecting: number; retrying: number; closing: number; queue: number; ringing: number; elsewhere: number }; cut: number; typed_ahead: number; time_to_key: { count: number; average_ms: number | null; p50_ms: number | null; p90_ms: number | null } }; data: ({ start: string; visits: number; chosen: number; options: Record<string, number>; invalid: number; invalid_rate: number | null; invalid_final: number; timeouts: number; timeout_rate: number | null; timeout_final: number; abandoned: number; abandoned_rate: number | null; abandoned_at: { prompt: number; waiting: number; collecting: number; retrying: number; closing: number; queue: number; ringing: number; elsewhere: number }; cut: number; typed_ahead: number; time_to_key: { count: number; average_ms: number | null; p50_ms: number | null; p90_ms: number | null } })[] };
export type Message = { id: string; name: string; description: string; sms_template: string; to: string; next_destination: string; version: number; created_at: string; updated_at: string };
export type MessageInput = { name: string; description?: string | null; sms_template: string | number; to?: string | null; next_destination: string };
export type MessagePatch = { name?: string | null; description?: string | null; sms_template?: string | number | null; to?: string | null; next_destination?: string | null };
export type MuteParticipantInput = { call_id: string };
export type NewAnnouncementInput = { id?: string | number | null; name: string; recording?: string | number | null; text?: string | null; destination: string };
export type NewBlockedNumberInput = { id?: string | number | null; number?: string | number | null; anonymous?: true | false | null; verstat?: "failed" | "unverified" | null; dialled?: string | number | null; reason?: string | null };
export type NewCallerIdRuleInput = { id?: string | number | null; name: string; priority?: number | string | null; trunk?: string | number | null; agent?: string | number | null; department?: string | number | null; prefix?: string | number | null; show: string | number };
export type NewCollectInput = { id?: string | number | null; name: string; description?: string | null; recording?: string | number | null; text?: string | null; min_digits?: number | string | null; max_digits: number | string; finish_key?: "#" | "*" | "" | null; timeout?: number | string | null; allowed?: (string | number)[] | null; attempts?: number | string | null; invalid_recording?: string | number | null; timeout_recording?: string | number | null; confirm?: true | false | null; save_as: string | number; sensitive?: true | false | null; next_destination: string; failed_destination: string };
export type NewContactInput = { id?: string | number | null; name: string; company?: string | null; numbers: (string)[]; email?: string | null; notes?: string | null; priority?: number | string | null };
export type NewDepartmentInput = { id?: string | number | null; name: string; description?: string | null; agents?: (string | number)[] | null; agent_levels?: Record<string, number> | null; priority?: number | string | null; strategy?: "simultaneous" | "in_order" | "random" | "round_robin" | "longest_idle" | null; ring_seconds?: number | string | null; ring_together?: number | string | null; failover_destination?: string | null; full_destination?: string | null; timeout_destination?: string | null; after_call_destination?: string | null; queue?: true | false | null; music_on_hold?: string | number | null; announce_position?: number | string | null; announce_wait?: true | false | null; announce_recording?: string | number | null; announce_recording_seconds?: number | string | null; max_wait_seconds?: number | string | null; max_waiting?: number | string | null; wrapup_seconds?: number | string | null; join_when_empty?: true | false | null; exit_key?: string | number | null; callback_key?: string | number | null; callback_offer_seconds?: number | string | null; callback_recording?: string | number | null; callback_first?: "agent" | "caller" | null; callback_attempts?: number | string | null; callback_pause_seconds?: number | string | null; callback_hours?: string | number | null; callbacks_per_hour?: number | string | null };
export type NewIvrInput = { id?: string | number | null; name: string; description: string; recording: string | number; timeout: number | string; option: (string | number)[]; destination: (string)[]; incorrect_count: number | string; invalid_recording: string | number; invalid_destination: string; timeout_retry_recording: string | number; timeout_recording: string | number; timeout_destination: string; timeout_tries: number | string; recording_invalid?: string | number | null; timeout_retries?: number | string | null; sms_template?: (string | number | null)[] | null; record_calls?: true | false | null; sensitive?: true | false | null; webhook?: (string | null)[] | null; option_priority?: (number | string | null)[] | null; text?: string | null; tests?: ({ name: string; script?: string | (Record<string, unknown>)[]; at?: string; caller?: string | null; seed?: number; agents?: Record<string, string>; idle_since?: Record<string, number>; last_rung?: Record<string, string>; waiting?: Record<string, number>; signed_out?: Record<string, (string)[]>; requests?: Record<string, Record<string, unknown>>; streams?: Record<string, Record<string, unknown>>; variables?: Record<string, string>; dialled?: string; expect: { outcome?: unknown; destination?: unknown; reason?: unknown; cause?: unknown; heard?: unknown; visited?: unknown; sms?: unknown; variables?: unknown; within_ms?: unknown } })[] | null };
export type NewMessageInput = { id?: string | number | null; name: string; description?: string | null; sms_template: string | number; to?: string | null; next_destination: string };
export type NewNumberInput = { id?: string | number | null; number: string | number; destination: string; description?: string | null; priority?: number | string | null };
export type NewRecordingForm = { file?: string; id?: string | number | null; name?: string | null; description?: string | null; url?: string | null; text?: string | null; voice?: string | number | null; speed?: number | string | null; copy_of?: string | number | null };
export type NewRecordingInput = { id?: string | number | null; name?: string | null; description?: string | null; url?: string | null; text?: string | null; voice?: string | number | null; speed?: number | string | null; copy_of?: string | number | null };
export type NewRequestInput = { id?: string | number | null; name: string; description?: string | null; url: string; method?: "GET" | "POST" | null; body?: Record<string, string> | null; secret?: string | null; timeout_ms?: number | string | null; save?: ({ variable: string | number; pointer: string | number })[] | null; choices?: ({ answer: string; destination: string })[] | null; wait_recording?: string | number | null; next_destination: string; failed_destination: string };
export type NewRoomInput = { id?: string | number | null; name: string; pin?: string | number | null; host_pin?: string | number | null; pin_recording?: string | number | null; wait_for_host?: true | false | null; music_on_hold?: string | number | null; end_with_host?: true | false | null; announce?: true | false | "tone" | "name" | "none" | null; max_participants?: number | string | null; record?: true | false | null; failover_destination?: string | null };
export type NewSipAddressInput = { id?: string | number | null; name: string; description?: string | null; uri: string; username?: string | number | null; password?: string | null; headers?: Record<string, string> | null; caller_id?: string | null; ring_seconds?: number | string | null; failover_destination?: string | null };
export type NewSmsTemplateInput = { id?: string | number | null; name: string; text: string; kind?: "transactional" | "promotional" | null; status?: "active" | "inactive" | null };
export type NewStreamInput = { id?: string | number | null; name: string; description?: string | null; url: string; parameters?: Record<string, string> | null; secret?: string | null; disclosure_recording?: string | number | null; max_seconds?: number | string | null; destinations?: (string)[] | null; next_destination: string; failed_destination: string };
export type NewSwitchInput = { id?: string | number | null; name: string; description?: string | null; set?: ({ variable: string | number; value: string })[] | null; rules: ({ variable: string | number; operator: "equals" | "not_equals" | "starts_with" | "contains" | "in" | "greater" | "less" | "exists" | "missing"; value?: string | null; destination: string })[]; otherwise_destination: string };
export type NewTeamInput = { id?: number | string | null; name: string };
export type NewTimeGroupInput = { id?: string | number | null; name: string; timezone: string; weekly?: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | 1 | 2 | 3 | 4 | 5 | 6 | 7)[]; from: string | number; to: string | number })[] | null; exceptions?: ({ name: string; from: string; to?: string | null; hours?: ({ from: string | number; to: string | number })[] | null })[] | null; open_destination?: string | null; closed_destination?: string | null; closed_until?: string | null };
export type NewTrunkInput = { id?: string | number | null; name: string; host: string; port?: number | string | null; transport?: "udp" | "tcp" | "tls" | null; srtp?: "off" | "offered" | "required" | null; outbound_proxy?: string | null; backup_hosts?: (string)[] | null; keepalive_seconds?: number | string | null; from_domain?: string | null; from_user?: "caller_id" | "username" | null; identity_header?: "none" | "pai" | "ppi" | "rpid" | null; addresses?: (string)[] | null; username?: string | null; auth_username?: string | null; password?: string | null; register?: true | false | null; inbound_by_registration?: true | false | null; inbound_format?: "as_is" | "plus" | "national" | "00" | "digits" | null; inbound_numbers?: (string | number)[] | null; outbound_prefixes?: (string | { prefix: string | number; strip?: number | string; add?: string | number })[] | null; outbound_format?: "as_is" | "plus" | "national" | "00" | "digits" | null; agents_may_call?: true | false | null; caller_id?: string | number | null; max_calls?: number | string | null; enabled?: true | false | null };
export type NewVoicemailBoxInput = { id?: string | number | null; name: string; greeting?: string | number | null; max_seconds?: number | string | null; silence_seconds?: number | string | null; email?: string | null };
export type NewWebhookInput = { id?: string | number | null; name: string; url: string; events?: ("*" | "call.received" | "call.menu_entered" | "call.key" | "call.option" | "call.ringing" | "call.answered" | "call.one_way_audio" | "call.party_replaced" | "call.missed" | "call.ended" | "voicemail.received" | "call.recorded" | "room.joined" | "room.left" | "callback.asked" | "callback.ended" | "agent.state" | "notification.opened" | "notification.closed")[] | null; status?: "active" | "paused" | null; secret?: string | null };
export type Node = { id: string; state: "running" | "draining" | "dead" | "left"; drain: boolean; calls: number; version: string; started_at: string; last_seen_at: string; answers_you: boolean };
export type Notification = { id: string; type: "trunk_down" | "queue_too_long" | "voicemail_received" | "disk_nearly_full"; subject: string; name: string; facts: { problem: string | null; waiting: number | null; wait_ms: number | null; caller: string | null; message: string | null; free_percent: number | null }; opened_at: string; closed_at: string | null };
export type NotificationClosedEvent = { id: string; type: "notification.closed"; timestamp: string; data: { notification: { id: string; type: "trunk_down" | "queue_too_long" | "voicemail_received" | "disk_nearly_full"; subject: string; name: string; facts: { problem: string | null; waiting: number | null; wait_ms: number | null; caller: string | null; message: string | null; free_percent: number | null }; opened_at: string; closed_at: string | null }; rule?: string } };
export type NotificationOpenedEvent = { id: string; type: "notification.opened"; timestamp: string; data: { notification: { id: string; type: "trunk_down" | "queue_too_long" | "voicemail_received" | "disk_nearly_full"; subject: string; name: string; facts: { problem: string | null; waiting: number | null; wait_ms: number | null; caller: string | null; message: string | null; free_percent: number | null }; opened_at: string; closed_at: string | null }; rule?: string } };
export type DialledNumber = { id: string; number: string; destination: string; description: string; priority: number; version: number; created_at: string; updated_at: string };
export type NumberInput = { number: string | number; destination: string; description?: string | null; priority?: number | string | null };
export type NumberPatch = { number?: string | number | null; destination?: string | null; description?: string | null; priority?: number | string | null };
export type OwnNameInput = { name: string };
export type OwnPasswordInput = { current?: string | null; password: string };
export type OwnUser = { user: User | null; sessions: ({ id: string; browser: string; created_at: string; last_used_at: string | null; current: boolean })[] };
export type OwnerInput = { name: string; email: string; password: string };
export type PasskeyBegun = { Success: true; Message: string; options: string; state: string };
export type PasskeyInput = { name: string; state: string; response: string };
export type PauseAgentInput = { reason?: string | null };
export type Phone = { address: string; user_agent: string; expires_at: string; reachable: boolean };
export type PhoneSession = { id: string; agent: string | null; to: string | null; button: string | null; may: ("register" | "call" | "call_destination")[]; connections: number; created_at: string; expires_at: string };
export type PhoneSessionInput = { agent?: string | number | null; to?: string | null };
export type PhoneSessionMade = { Success: true; Message: string; id: string; username: string; password: string; realm: string; path: string; dial: string | null; may: ("register" | "call" | "call_destination")[]; ice_servers: ({ urls: (string)[]; username?: string; credential?: string })[]; expires_at: string };
export type Phonebook = { Success: true; Message: string; code: string; paths: { yealink: string; snom: string; grandstream: string } };
export type Phones = (Phone)[];
export type PlaceCallInput = { number: string | number; destination: string; variables?: Record<string, string> | null };
export type Provisioning = { Success: true; Message: string; code: string; expires_at: string; paths: { yealink: string; snom: string; grandstream: string; linphone: string; zoiper: string } };
export type ProvisioningInput = { hours?: number | string | null };
export type Publication = { id: string; at: string; publisher: string; reason: string; rolls_back: string | null; rolled_back_by: string | null; changes: ({ kind: string; id: string; name: string; action: "create" | "update" | "delete" })[] };
export type PublishDraftInput = { reason: string; hash?: string | null };
export type Published = { Success: true; Message: string; id: string };
export type Queue = { id: string; name: string; queue: boolean; estimated_wait_ms: number | null; waiting: ({ position: number; call_id: string; call: string; caller: string | null; since: string; waited_ms: number; estimated_wait_ms: number | null; ringing: boolean; callback: string | null })[]; callbacks: ({ id: string; department: string; number: string; typed: boolean; asked_by: string; asked_at: string; state: "waiting" | "calling" | "done" | "failed" | "cancelled" | "expired"; attempts: number; result: "busy" | "no-answer" | "unreachable" | "interrupted" | null; next_attempt_at: string | null; call_id: string; ended_at: string | null })[]; agents: ({ eid: string; name: string | null; state: "free" | "busy" | "resting" | "away"; agent_state: "talking" | "ringing" | "blocked" | "off_duty" | "paused" | "unreachable" | "wrap_up" | "free" | null })[] };
export type ReadUserLinkInput = { code: string };
export type Readiness = { status: string; warnings: ({ code: string; message: string })[] };
export type Recording = { id: string; name: string; description: string; source: "file" | "url" | "text" | null; url: string | null; text: string | null; voice: string | null; speed: number | null; sha256: string; duration_ms: number; format: string | null; peak_db: number | null; gain_db: number | null; clipped_samples: number | null; leading_silence_ms: number | null; trailing_silence_ms: number | null; damaged: boolean | null; version: number; created_at: string; updated_at: string };
export type RecordingCreated = { Success: true; Message: string; id: string; duration_ms: number; format: string | null; peak_db: number | null; gain_db: number | null; clipped_samples: number | null; leading_silence_ms: number | null; trailing_silence_ms: number | null; damaged: boolean | null; warnings: ({ pointer: string; code: string; message: string })[] };
export type RecordingForm = { file?: string; name?: string | null; description?: string | null; url?: string | null; text?: string | null; voice?: string | number | null; speed?: number | string | null; copy_of?: string | number | null };
export type RecordingInput = { name?: string | null; description?: string | null; url?: string | null; text?: string | null; voice?: string | number | null; speed?: number | string | null; copy_of?: string | number | null };
export type RecordingPatch = { name?: string | null; description?: string | null; url?: string | null; text?: string | null; voice?: string | number | null; speed?: number | string | null; copy_of?: string | number | null };
export type RecordingWithWarnings = { id: string; name: string; description: string; source: "file" | "url" | "text" | null; url: string | null; text: string | null; voice: string | null; speed: number | null; sha256: string; duration_ms: number; format: string | null; peak_db: number | null; gain_db: number | null; clipped_samples: number | null; leading_silence_ms: number | null; trailing_silence_ms: number | null; damaged: boolean | null; version: number; created_at: string; updated_at: string; warnings: ({ pointer: string; code: string; message: string })[] };
export type RecordingWritten = { Success: true; Message: string; duration_ms: number; format: string | null; peak_db: number | null; gain_db: number | null; clipped_samples: number | null; leading_silence_ms: number | null; trailing_silence_ms: number | null; damaged: boolean | null; warnings: ({ pointer: string; code: string; message: string })[] };
export type References = { data: ({ kind: string; id: string; name: string })[]; is_complete: boolean };
export type ReplayWebhookInput = { delivery?: string | null; from?: string | null; to?: string | null };
export type Replayed = { Success: true; Message: string; replayed: number; earliest: string | null };
export type Report = { period: "day" | "week"; from: string; to: string; timezone: string; subject: string; sections: ({ title: string; columns: (string)[]; rows: ((string)[])[]; left_off: number })[] };
export type ReportSmsInput = { state: "delivered" | "failed" | "unknown"; error?: string | null };
export type Request = { id: string; name: string; description: string; url: string; method: "GET" | "POST"; body: Record<string, string>; timeout_ms: number; save: ({ variable: string; pointer: string })[]; choices: ({ answer: string; destination: string })[]; wait_recording: string | null; next_destination: string; failed_destination: string; has_secret: boolean; version: number; created_at: string; updated_at: string };
export type RequestInput = { name: string; description?: string | null; url: string; method?: "GET" | "POST" | null; body?: Record<string, string> | null; secret?: string | null; timeout_ms?: number | string | null; save?: ({ variable: string | number; pointer: string | number })[] | null; choices?: ({ answer: string; destination: string })[] | null; wait_recording?: string | number | null; next_destination: string; failed_destination: string };
export type RequestPatch = { name?: string | null; description?: string | null; url?: string | null; method?: "GET" | "POST" | null; body?: Record<string, string> | null; secret?: string | null; timeout_ms?: number | string | null; save?: ({ variable: string | number; pointer: string | number })[] | null; choices?: ({ answer: string; destination: string })[] | null; wait_recording?: string | number | null; next_destination?: string | null; failed_destination?: string | null };
export type RequestResetInput = { email: string; account?: string | null };
export type Restored = { Success: true; Message: string; kind: "agent" | "ivr" | "team" | "department" | "recording" | "number" | "trunk" | "timegroup" | "announcement" | "voicemail" | "room" | "collect" | "request" | "stream" | "switch" | "message" | "sip_address" | "sms_template" | "webhook" | "blocked_number" | "caller_id_rule" | "contact"; record_id: string };
export type RollBackInput = { reason: string };
export type Room = { id: string; name: string; pin: string | null; host_pin: string | null; pin_recording: string | null; wait_for_host: true | false; music_on_hold: string | null; end_with_host: true | false; announce: true | false | "name"; max_participants: number; record: true | false; failover_destination: string | null; version: number; created_at: string; updated_at: string };
export type RoomInput = { name: string; pin?: string | number | null; host_pin?: string | number | null; pin_recording?: string | number | null; wait_for_host?: true | false | null; music_on_hold?: string | number | null; end_with_host?: true | false | null; announce?: true | false | "tone" | "name" | "none" | null; max_participants?: number | string | null; record?: true | false | null; failover_destination?: string | null };
export type RoomJoinedEvent = { id: string; type: "room.joined"; timestamp: string; data: { call: EventCall; room: { id: string; name: string }; host: boolean; participants: number } };
export type RoomLeftEvent = { id: string; type: "room.left"; timestamp: string; data: { call: EventCall; room: { id: string; name: string }; host: boolean; participants: number } };
export type RoomParticipants = { id: string; name: string; locked: boolean; recording: boolean; participants: ({ call_id: string; caller: string | null; caller_name: string; agent: string | null; host: boolean; muted: boolean; waiting: boolean; joined_at: string })[] };
export type RoomPatch = { name?: string | null; pin?: string | number | null; host_pin?: string | number | null; pin_recording?: string | number | null; wait_for_host?: true | false | null; music_on_hold?: string | number | null; end_with_host?: true | false | null; announce?: true | false | "tone" | "name" | "none" | null; max_participants?: number | string | null; record?: true | false | null; failover_destination?: string | null };
export type SendReportInput = { period?: "day" | "week" | null; to: string };
export type SendTestMailInput = { to: string };
export type Session = { accounts: ({ id: string; name: string; current: boolean; operator: boolean; user: User | null; owner_missing: boolean })[]; email_resets: boolean; oidc: string | null };
export type SessionInput = { token?: string | null; link?: string | null; email?: string | null; password?: string | null; code?: string | null; account?: string | null };
export type Settings = { sms_templates: true | false; strict_references: true | false; loopback_calls: true | false; ring_seconds: number; several_calls_per_agent: true | false; pause_reasons: (string)[]; failed_calls: "status" | "announce" | "answer"; srtp: "off" | "offered" | "required"; language: string; hold_sound: "music" | "tone" | "silence"; music_on_hold: string | null; intercom_auto_answer: true | false; parking_spots: number; parking_seconds: number; recording_notice_tone: true | false; keep_recordings_days: number; keep_voicemails_days: number; max_voicemails: number; keep_call_records_days: number; country: string | null; area_code: string | null; max_outbound_calls: number; clicks_per_minute: number; callbacks_per_hour: number; service_level_seconds: 5 | 10 | 15 | 20 | 25 | 30 | 45 | 60 | 90 | 120 | 180 | 240 | 300 | 600; timezone: string | null; report_daily_to: (string)[]; report_weekly_to: (string)[]; report_hour: number; require_publish: true | false; keep_audit_days: number; wallboard: { waiting_warning: number; waiting_critical: number; wait_warning_seconds: number; wait_critical_seconds: number; service_level_warning: number; service_level_critical: number; abandoned_warning: number; abandoned_critical: number }; notification_rules: ({ name: string; types: ("trunk_down" | "queue_too_long" | "voicemail_received" | "disk_nearly_full")[]; departments: (string)[]; waiting: number; wait_seconds: number; disk_percent: number; emails: (string)[]; webhook: string | null; quiet_from: string | null; quiet_to: string | null; timezone: string; pause_minutes: number })[]; call_buttons: ({ key: string; name: string; to: string; origins: (string)[] })[] };
export type SettingsInput = { sms_templates?: true | false | null; strict_references?: true | false | null; loopback_calls?: true | false | null; ring_seconds?: number | string | null; several_calls_per_agent?: true | false | null; pause_reasons?: (string)[] | null; failed_calls?: "status" | "announce" | "answer" | null; srtp?: "off" | "offered" | "required" | null; language?: string | number | null; hold_sound?: "music" | "tone" | "silence" | null; music_on_hold?: string | number | null; intercom_auto_answer?: true | false | null; parking_spots?: number | string | null; parking_seconds?: number | string | null; recording_notice_tone?: true | false | null; keep_recordings_days?: number | string | null; keep_voicemails_days?: number | string | null; max_voicemails?: number | string | null; keep_call_records_days?: number | string | null; country?: string | null; area_code?: string | number | null; max_outbound_calls?: number | string | null; clicks_per_minute?: number | string | null; callbacks_per_hour?: number | string | null; service_level_seconds?: 5 | 10 | 15 | 20 | 25 | 30 | 45 | 60 | 90 | 120 | 180 | 240 | 300 | 600 | "5" | "10" | "15" | "20" | "25" | "30" | "45" | "60" | "90" | "120" | "180" | "240" | "300" | "600" | null; timezone?: string | null; report_daily_to?: (string)[] | null; report_weekly_to?: (string)[] | null; report_hour?: number | string | null; require_publish?: true | false | null; keep_audit_days?: number | string | null; wallboard?: { waiting_warning?: number | string | null; waiting_critical?: number | string | null; wait_warning_seconds?: number | string | null; wait_critical_seconds?: number | string | null; service_level_warning?: number | string | null; service_level_critical?: number | string | null; abandoned_warning?: number | string | null; abandoned_critical?: number | string | null } | null; notification_rules?: ({ name: string; types?: ("trunk_down" | "queue_too_long" | "voicemail_received" | "disk_nearly_full")[] | null; departments?: (string)[] | null; waiting?: number | string | null; wait_seconds?: number | string | null; disk_percent?: number | string | null; emails?: (string)[] | null; webhook?: string | null; quiet_from?: string | number | null; quiet_to?: string | number | null; timezone?: string | null; pause_minutes?: number | string | null })[] | null; call_buttons?: ({ key: string | number; name?: string | null; to: string; origins: (string)[] })[] | null };
export type SettingsPatch = { sms_templates?: true | false | null; strict_references?: true | false | null; loopback_calls?: true | false | null; ring_seconds?: number | string | null; several_calls_per_agent?: true | false | null; pause_reasons?: (string)[] | null; failed_calls?: "status" | "announce" | "answer" | null; srtp?: "off" | "offered" | "required" | null; language?: string | number | null; hold_sound?: "music" | "tone" | "silence" | null; music_on_hold?: string | number | null; intercom_auto_answer?: true | false | null; parking_spots?: number | string | null; parking_seconds?: number | string | null; recording_notice_tone?: true | false | null; keep_recordings_days?: number | string | null; keep_voicemails_days?: number | string | null; max_voicemails?: number | string | null; keep_call_records_days?: number | string | null; country?: string | null; area_code?: string | number | null; max_outbound_calls?: number | string | null; clicks_per_minute?: number | string | null; callbacks_per_hour?: number | string | null; service_level_seconds?: 5 | 10 | 15 | 20 | 25 | 30 | 45 | 60 | 90 | 120 | 180 | 240 | 300 | 600 | "5" | "10" | "15" | "20" | "25" | "30" | "45" | "60" | "90" | "120" | "180" | "240" | "300" | "600" | null; timezone?: string | null; report_daily_to?: (string)[] | null; report_weekly_to?: (string)[] | null; report_hour?: number | string | null; require_publish?: true | false | null; keep_audit_days?: number | string | null; wallboard?: { waiting_warning?: number | string | null; waiting_critical?: number | string | null; wait_warning_seconds?: number | string | null; wait_critical_seconds?: number | string | null; service_level_warning?: number | string | null; service_level_critical?: number | string | null; abandoned_warning?: number | string | null; abandoned_critical?: number | string | null } | null; notification_rules?: ({ name: string; types?: ("trunk_down" | "queue_too_long" | "voicemail_received" | "disk_nearly_full")[] | null; departments?: (string)[] | null; waiting?: number | string | null; wait_seconds?: number | string | null; disk_percent?: number | string | null; emails?: (string)[] | null; webhook?: string | null; quiet_from?: string | number | null; quiet_to?: string | number | null; timezone?: string | null; pause_minutes?: number | string | null })[] | null; call_buttons?: ({ key: string | number; name?: string | null; to: string; origins: (string)[] })[] | null };
export type SignInAgentInput = { department?: string | null };
export type SignInByPasskeyInput = { state: string; response: string };
export type SignInLink = { Success: true; Message: string; code: string; path: string; expires_at: string };
export type SignedIn = { Success: true; Message: string; account: { id: string; name: string } };
export type SignedOut = { Success: true; Message: string; browsers: number };
export type SimulateDraftInput = { entry: string; script?: string | (Record<string, unknown>)[]; at?: string; caller?: string | null; seed?: number; agents?: Record<string, string>; idle_since?: Record<string, number>; last_rung?: Record<string, string>; waiting?: Record<string, number>; signed_out?: Record<string, (string)[]>; requests?: Record<string, Record<string, unknown>>; streams?: Record<string, Record<string, unknown>>; variables?: Record<string, string>; dialled?: string };
export type SimulateIvrInput = { script?: string | (Record<string, unknown>)[]; at?: string; caller?: string | null; seed?: number; agents?: Record<string, string>; idle_since?: Record<string, number>; last_rung?: Record<string, string>; waiting?: Record<string, number>; signed_out?: Record<string, (string)[]>; requests?: Record<string, Record<string, unknown>>; streams?: Record<string, Record<string, unknown>>; variables?: Record<string, string>; dialled?: string };
export type SimulateUnsavedInput = { ivr: IvrInput; script?: string | (Record<string, unknown>)[]; at?: string; caller?: string | null; seed?: number; agents?: Record<string, string>; idle_since?: Record<string, number>; last_rung?: Record<string, string>; waiting?: Record<string, number>; signed_out?: Record<string, (string)[]>; requests?: Record<string, Record<string, unknown>>; streams?: Record<string, Record<string, unknown>>; variables?: Record<string, string>; dialled?: string };
export type SipAddress = { id: string; name: string; description: string; uri: string; username: string | null; headers: Record<string, string>; caller_id: string | null; ring_seconds: number | null; failover_destination: string | null; has_password: boolean; version: number; created_at: string; updated_at: string };
export type SipAddressInput = { name: string; description?: string | null; uri: string; username?: string | number | null; password?: string | null; headers?: Record<string, string> | null; caller_id?: string | null; ring_seconds?: number | string | null; failover_destination?: string | null };
export type SipAddressPatch = { name?: string | null; description?: string | null; uri?: string | null; username?: string | number | null; password?: string | null; headers?: Record<string, string> | null; caller_id?: string | null; ring_seconds?: number | string | null; failover_destination?: string | null };
export type Sms = { id: string; to: string; text: string; parts: number; template: string | null; call_id: string | null; state: "queued" | "sending" | "sent" | "delivered" | "failed" | "unknown"; error: string | null; created_at: string; updated_at: string; sent_at: string | null; gateway_ids?: (string)[] };
export type SmsInput = { to: string | number; text?: string | null; template?: string | number | null; variables?: { caller?: string; name?: string; dialled?: string; option?: string; ivr?: string; destination?: string; agent?: string; page?: string; button?: string } | null };
export type SmsTemplate = { id: string; name: string; text: string; kind: "transactional" | "promotional"; status: "active" | "inactive"; version: number; created_at: string; updated_at: string };
export type SmsTemplateInput = { name: string; text: string; kind?: "transactional" | "promotional" | null; status?: "active" | "inactive" | null };
export type SmsTemplatePatch = { name?: string | null; text?: string | null; kind?: "transactional" | "promotional" | null; status?: "active" | "inactive" | null };
export type StampedAgent = { id: string; name: string; follow_me_number: string; eid: string; intercom: string; calls_answered: number; product_clicktocall: 0 | 1; team_id: number | null; team_name: string | null; custom_status: 0 | 1; timegroup_name: string | null; timegroup_id: string | null; failover_destination: string | null; failover_destination_name: string | null; departments: ({ name: string; id: string })[]; sip_sha256: boolean; record_calls: boolean; do_not_disturb: boolean; forward_always: string | null; forward_busy: string | null; forward_no_answer: string | null; after_call_destination: string | null; call_waiting: boolean | null; version: number; created_at: string; updated_at: string };
export type Stream = { id: string; name: string; description: string; url: string; parameters: Record<string, string>; disclosure_recording: string | null; max_seconds: number; destinations: (string)[]; next_destination: string; failed_destination: string; has_secret: boolean; version: number; created_at: string; updated_at: string };
export type StreamInput = { name: string; description?: string | null; url: string; parameters?: Record<string, string> | null; secret?: string | null; disclosure_recording?: string | number | null; max_seconds?: number | string | null; destinations?: (string)[] | null; next_destination: string; failed_destination: string };
export type StreamPatch = { name?: string | null; description?: string | null; url?: string | null; parameters?: Record<string, string> | null; secret?: string | null; disclosure_recording?: string | number | null; max_seconds?: number | string | null; destinations?: (string)[] | null; next_destination?: string | null; failed_destination?: string | null };
export type Switch = { id: string; name: string; description: string; set: ({ variable: string; value: string })[]; rules: ({ variable: string; operator: "equals" | "not_equals" | "starts_with" | "contains" | "in" | "greater" | "less" | "exists" | "missing"; value: string; destination: string })[]; otherwise_destination: string; version: number; created_at: string; updated_at: string };
export type SwitchInput = { name: string; description?: string | null; set?: ({ variable: string | number; value: string })[] | null; rules: ({ variable: string | number; operator: "equals" | "not_equals" | "starts_with" | "contains" | "in" | "greater" | "less" | "exists" | "missing"; value?: string | null; destination: string })[]; otherwise_destination: string };
export type SwitchPatch = { name?: string | null; description?: string | null; set?: ({ variable: string | number; value: string })[] | null; rules?: ({ variable: string | number; operator: "equals" | "not_equals" | "starts_with" | "contains" | "in" | "greater" | "less" | "exists" | "missing"; value?: string | null; destination: string })[] | null; otherwise_destination?: string | null };
export type Team = { id: number; name: string; version: number; created_at: string; updated_at: string };
export type TeamCreated = { Success: true; Message: string; id: number };
export type TeamInput = { name: string };
export type TeamPatch = { name?: string | null };
export type Telephony = { sip: boolean; host: string | null; port: number | null; tls_port: number | null; transports: ("udp" | "tcp" | "tls")[]; advertised_address: string | null; realm: string; sms: boolean; email: boolean; speech: boolean };
export type TestResults = { data: ({ name: string; passed: boolean; differences: (string)[]; trace?: { entry: string; started_at: string; duration_ms: number; outcome: { kind: string; destination: string | null; reason: string; cause: number; word: string; text: string }; steps: ({ at_ms: number; code: string; text: string; node?: string | null; node_name?: string | null; keys?: string; destination?: string; recording?: string; rung?: (string)[] })[]; heard: ({ at_ms: number; ms: number })[]; visited: (string)[]; sms: (string)[]; variables: Record<string, string>; unused_steps: string; steps_left_out?: number } })[] };
export type TimeGroup = { id: string; name: string; timezone: string; weekly: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; from: string; to: string })[]; exceptions: ({ name: string; from: string; to: string; hours: ({ from: string; to: string })[] })[]; open_destination: string | null; closed_destination: string | null; closed_until: string | null; open_now: boolean; exception_now: string | null; version: number; created_at: string; updated_at: string };
export type TimeGroupInput = { name: string; timezone: string; weekly?: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | 1 | 2 | 3 | 4 | 5 | 6 | 7)[]; from: string | number; to: string | number })[] | null; exceptions?: ({ name: string; from: string; to?: string | null; hours?: ({ from: string | number; to: string | number })[] | null })[] | null; open_destination?: string | null; closed_destination?: string | null; closed_until?: string | null };
export type TimeGroupPatch = { name?: string | null; timezone?: string | null; weekly?: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun" | 1 | 2 | 3 | 4 | 5 | 6 | 7)[]; from: string | number; to: string | number })[] | null; exceptions?: ({ name: string; from: string; to?: string | null; hours?: ({ from: string | number; to: string | number })[] | null })[] | null; open_destination?: string | null; closed_destination?: string | null; closed_until?: string | null };
export type TimeGroupWithChange = { id: string; name: string; timezone: string; weekly: ({ days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; from: string; to: string })[]; exceptions: ({ name: string; from: string; to: string; hours: ({ from: string; to: string })[] })[]; open_destination: string | null; closed_destination: string | null; closed_until: string | null; open_now: boolean; exception_now: string | null; next_change: string | null; version: number; created_at: string; updated_at: string };
export type Token = { id: string; name: string; scopes: ("read" | "draft" | "write" | "calls" | "admin")[]; parent_id: string | null; created_at: string; expires_at: string | null; last_used_at: string | null; user_id: string | null; user_name: string | null };
export type TokenCreated = { Success: true; Message: string; id: string; token: string; expires_at: string | null; scopes: ("read" | "draft" | "write" | "calls" | "admin")[] };
export type TokenInput = { name: string; expires_in_days?: number | string | null; scopes?: ("read" | "draft" | "write" | "calls" | "admin")[] | null };
export type TotpBegun = { Success: true; Message: string; secret: string; uri: string; state: string };
export type TotpConfirmed = { Success: true; Message: string; recovery_codes: (string)[] };
export type Trace = { entry: string; started_at: string; duration_ms: number; outcome: { kind: string; destination: string | null; reason: string; cause: number; word: string; text: string }; steps: ({ at_ms: number; code: string; text: string; node?: string | null; node_name?: string | null; keys?: string; destination?: string; recording?: string; rung?: (string)[] })[]; heard: ({ at_ms: number; ms: number })[]; visited: (string)[]; sms: (string)[]; variables: Record<string, string>; unused_steps: string; steps_left_out?: number };
export type TransferCallInput = { call_id: string; id?: string | null; destination: string; party?: "caller" | "called" | null; consult?: true | false | null };
export type Transferred = { Success: true; Message: string; consultation?: string };
export type Trunk = { id: string; name: string; host: string; port: number; transport: "udp" | "tcp" | "tls"; srtp: "off" | "offered" | "required"; outbound_proxy: string | null; backup_hosts: (string)[]; keepalive_seconds: number; from_domain: string | null; from_user: "caller_id" | "username"; identity_header: "none" | "pai" | "ppi" | "rpid"; username: string | null; auth_username: string | null; register: true | false; inbound_by_registration: true | false; inbound_format: "as_is" | "plus" | "national" | "00" | "digits"; inbound_numbers: (string)[]; outbound_prefixes: ({ prefix: string; strip: number; add: string })[]; outbound_format: "as_is" | "plus" | "national" | "00" | "digits"; agents_may_call: true | false; caller_id: string | null; max_calls: number; enabled: true | false; addresses: (string)[] | null; has_password: boolean; version: number; created_at: string; updated_at: string };
export type TrunkInput = { name: string; host: string; port?: number | string | null; transport?: "udp" | "tcp" | "tls" | null; srtp?: "off" | "offered" | "required" | null; outbound_proxy?: string | null; backup_hosts?: (string)[] | null; keepalive_seconds?: number | string | null; from_domain?: string | null; from_user?: "caller_id" | "username" | null; identity_header?: "none" | "pai" | "ppi" | "rpid" | null; addresses?: (string)[] | null; username?: string | null; auth_username?: string | null; password?: string | null; register?: true | false | null; inbound_by_registration?: true | false | null; inbound_format?: "as_is" | "plus" | "national" | "00" | "digits" | null; inbound_numbers?: (string | number)[] | null; outbound_prefixes?: (string | { prefix: string | number; strip?: number | string; add?: string | number })[] | null; outbound_format?: "as_is" | "plus" | "national" | "00" | "digits" | null; agents_may_call?: true | false | null; caller_id?: string | number | null; max_calls?: number | string | null; enabled?: true | false | null };
export type TrunkPatch = { name?: string | null; host?: string | null; port?: number | string | null; transport?: "udp" | "tcp" | "tls" | null; srtp?: "off" | "offered" | "required" | null; outbound_proxy?: string | null; backup_hosts?: (string)[] | null; keepalive_seconds?: number | string | null; from_domain?: string | null; from_user?: "caller_id" | "username" | null; identity_header?: "none" | "pai" | "ppi" | "rpid" | null; addresses?: (string)[] | null; username?: string | null; auth_username?: string | null; password?: string | null; register?: true | false | null; inbound_by_registration?: true | false | null; inbound_format?: "as_is" | "plus" | "national" | "00" | "digits" | null; inbound_numbers?: (string | number)[] | null; outbound_prefixes?: (string | { prefix: string | number; strip?: number | string; add?: string | number })[] | null; outbound_format?: "as_is" | "plus" | "national" | "00" | "digits" | null; agents_may_call?: true | false | null; caller_id?: string | number | null; max_calls?: number | string | null; enabled?: true | false | null };
export type TrunkPreset = { id: string; name: string; source: string; settings: { host?: string; backup_hosts?: (string)[]; from_domain?: string | null; from_user?: "caller_id" | "username"; identity_header?: "none" | "pai" | "ppi" | "rpid"; register?: true | false; inbound_by_registration?: true | false; inbound_format?: "as_is" | "plus" | "national" | "00" | "digits"; outbound_format?: "as_is" | "plus" | "national" | "00" | "digits" }; unverified: (string)[]; explained: Record<string, string> };
export type TrunkPresets = { data: (TrunkPreset)[] };
export type TrunkState = { registered: boolean | null; problem: string | null; registered_by: string | null; calls: number; reachable: boolean | null; hosts: ({ host: string; address: string; port: number; reachable: boolean; latency_ms: number | null })[]; unused_addresses: (string)[] };
export type TrunkWithWarnings = { id: string; name: string; host: string; port: number; transport: "udp" | "tcp" | "tls"; srtp: "off" | "offered" | "required"; outbound_proxy: string | null; backup_hosts: (string)[]; keepalive_seconds: number; from_domain: string | null; from_user: "caller_id" | "username"; identity_header: "none" | "pai" | "ppi" | "rpid"; username: string | null; auth_username: string | null; register: true | false; inbound_by_registration: true | false; inbound_format: "as_is" | "plus" | "national" | "00" | "digits"; inbound_numbers: (string)[]; outbound_prefixes: ({ prefix: string; strip: number; add: string })[]; outbound_format: "as_is" | "plus" | "national" | "00" | "digits"; agents_may_call: true | false; caller_id: string | null; max_calls: number; enabled: true | false; addresses: (string)[] | null; has_password: boolean; version: number; created_at: string; updated_at: string; warnings: ({ pointer: string; code: string; message: string })[] };
export type User = { id: string; name: string; email: string; role: "owner" | "administrator" | "supervisor" | "editor" | "agent" | "viewer"; agent: string | null; state: "active" | "invited" | "disabled"; has_password: boolean; totp: boolean; recovery_codes: number; passkeys: ({ id: string; name: string; created_at: string })[]; created_at: string; last_sign_in_at: string | null };
export type UserCreated = { Success: true; Message: string; id: string; path: string | null; mailed: boolean; expires_at: string };
export type UserInput = { name: string; email: string; role: "owner" | "administrator" | "supervisor" | "editor" | "agent" | "viewer"; agent?: string | number | null };
export type UserLink = { use: "invite" | "reset"; name: string; email: string; account: string };
export type UserLinkCreated = { Success: true; Message: string; path: string | null; mailed: boolean; expires_at: string };
export type UserPatch = { name?: string | null; email?: string | null; role?: "owner" | "administrator" | "supervisor" | "editor" | "agent" | "viewer" | null; agent?: string | number | null; disabled?: true | false | null };
export type Voicemail = { id: string; call_id: string; caller: string | null; caller_name: string; dialled: string; started_at: string; duration_ms: number; bytes: number; audio: string; box: string | null; heard: boolean; heard_at: string | null };
export type VoicemailBox = { id: string; name: string; greeting: string | null; max_seconds: number; silence_seconds: number; email: string | null; version: number; created_at: string; updated_at: string };
export type VoicemailBoxInput = { name: string; greeting?: string | number | null; max_seconds?: number | string | null; silence_seconds?: number | string | null; email?: string | null };
export type VoicemailBoxPatch = { name?: string | null; greeting?: string | number | null; max_seconds?: number | string | null; silence_seconds?: number | string | null; email?: string | null };
export type VoicemailReceivedEvent = { id: string; type: "voicemail.received"; timestamp: string; data: { call: EventCall; voicemail: { id: string; duration_ms: number; audio: string; box: string | null; box_name: string | null; email: string | null } } };
export type Wallboard = { service_level_seconds: 5 | 10 | 15 | 20 | 25 | 30 | 45 | 60 | 90 | 120 | 180 | 240 | 300 | 600; waiting_warning: number; waiting_critical: number; wait_warning_seconds: number; wait_critical_seconds: number; service_level_warning: number; service_level_critical: number; abandoned_warning: number; abandoned_critical: number };
export type WallboardInput = { service_level_seconds?: 5 | 10 | 15 | 20 | 25 | 30 | 45 | 60 | 90 | 120 | 180 | 240 | 300 | 600 | "5" | "10" | "15" | "20" | "25" | "30" | "45" | "60" | "90" | "120" | "180" | "240" | "300" | "600" | null; waiting_warning?: number | string | null; waiting_critical?: number | string | null; wait_warning_seconds?: number | string | null; wait_critical_seconds?: number | string | null; service_level_warning?: number | string | null; service_level_critical?: number | string | null; abandoned_warning?: number | string | null; abandoned_critical?: number | string | null };
export type Waveform = { duration_ms: number; peaks: (number)[] };
export type Webhook = { id: string; name: string; url: string; events: ("*" | "call.received" | "call.menu_entered" | "call.key" | "call.option" | "call.ringing" | "call.answered" | "call.one_way_audio" | "call.party_replaced" | "call.missed" | "call.ended" | "voicemail.received" | "call.recorded" | "room.joined" | "room.left" | "callback.asked" | "callback.ended" | "agent.state" | "notification.opened" | "notification.closed")[]; status: "active" | "paused"; version: number; created_at: string; updated_at: string };
export type WebhookCreated = { Success: true; Message: string; id: string; secret?: string };
export type WebhookInput = { name: string; url: string; events?: ("*" | "call.received" | "call.menu_entered" | "call.key" | "call.option" | "call.ringing" | "call.answered" | "call.one_way_audio" | "call.party_replaced" | "call.missed" | "call.ended" | "voicemail.received" | "call.recorded" | "room.joined" | "room.left" | "callback.asked" | "callback.ended" | "agent.state" | "notification.opened" | "notification.closed")[] | null; status?: "active" | "paused" | null; secret?: string | null };
export type WebhookPatch = { name?: string | null; url?: string | null; events?: ("*" | "call.received" | "call.menu_entered" | "call.key" | "call.option" | "call.ringing" | "call.answered" | "call.one_way_audio" | "call.party_replaced" | "call.missed" | "call.ended" | "voicemail.received" | "call.recorded" | "room.joined" | "room.left" | "callback.asked" | "callback.ended" | "agent.state" | "notification.opened" | "notification.closed")[] | null; status?: "active" | "paused" | null; secret?: string | null };
export type WebhookPingEvent = { id: string; type: "webhook.ping"; timestamp: string; data: { webhook: { id: string; name: string } } };
export type WebhookWithWarnings = { id: string; name: string; url: string; events: ("*" | "call.received" | "call.menu_entered" | "call.key" | "call.option" | "call.ringing" | "call.answered" | "call.one_way_audio" | "call.party_replaced" | "call.missed" | "call.ended" | "voicemail.received" | "call.recorded" | "room.joined" | "room.left" | "callback.asked" | "callback.ended" | "agent.state" | "notification.opened" | "notification.closed")[]; status: "active" | "paused"; version: number; created_at: string; updated_at: string; warnings: ({ pointer: string; code: string; message: string })[] };
export type WithPassword = { Success: true; Message: string; sip_password?: string };
export type WithSecret = { Success: true; Message: string; secret: string };

export interface Page<Item> { data: Item[]; next_cursor: string | null }

/** A record, with what is shown once in the answer that made it. */
export type Shown<Answer, Item> = Item & Omit<Answer, 'Success' | 'Message' | keyof Item>;

export interface Operations {
  /** Create an IVR. */
  createIvr: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewIvrInput; answer: Done; record: Shown<Done, IvrWithWarnings> };
  /** List all agents.
   * @deprecated */
  listAgents: { params: never; query: never; body: never; answer: Agents };
  /** List IVRs in pages. */
  listIvrs: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Ivr> };
  /** Read an IVR and its warnings. */
  getIvr: { params: { id: string }; query: never; body: never; answer: IvrWithWarnings };
  /** Replace an IVR; the former version is kept. */
  putIvr: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: IvrInput; answer: Done; record: Shown<Done, IvrWithWarnings> };
  /** Change the fields of an IVR that are sent; null sets one to its default. */
  patchIvr: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: IvrPatch; answer: Done; record: Shown<Done, IvrWithWarnings> };
  /** Delete an IVR that nothing points to. */
  deleteIvr: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List an IVR's versions, newest first. */
  listIvrVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Ivr> };
  /** Make a former version the newest. */
  restoreIvr: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, IvrWithWarnings> };
  /** Call an IVR without a phone. */
  simulateIvr: { params: { id: string }; query: never; body: SimulateIvrInput; answer: Trace };
  /** Call an IVR that is not stored. */
  simulateUnsaved: { params: never; query: never; body: SimulateUnsavedInput; answer: Trace };
  /** What will annoy callers of an IVR. */
  lintIvr: { params: { id: string }; query: never; body: never; answer: Findings };
  /** The same for all records. */
  lint: { params: never; query: never; body: never; answer: Findings };
  /** Run the tests that an IVR carries; trace=0 adds the trace of the first one. */
  testIvr: { params: { id: string }; query: { trace?: number | string | null }; body: never; answer: TestResults };
  /** List agents in pages, filtered and sorted. */
  listAgentsV2: { params: never; query: { limit?: number | string | null; cursor?: string | null; team_id?: number | string | null; department_id?: string | number | null; timegroup_id?: string | number | null; custom_status?: 0 | 1 | "0" | "1" | null; q?: string | null; sort?: "id" | "-id" | "name" | "-name" | "intercom" | "-intercom" | "calls_answered" | "-calls_answered" | null }; body: never; answer: Page<Agent> };
  /** Create an agent; the SIP password is shown once. */
  createAgent: { params: never; query: { skip_tests?: "true" | "false" | null }; body: AgentInput; answer: AgentCreated; record: Shown<AgentCreated, StampedAgent> };
  /** Read an agent. */
  getAgent: { params: { eid: string }; query: never; body: never; answer: StampedAgent };
  /** Replace an agent. */
  putAgent: { params: { eid: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: AgentInput; answer: WithPassword; record: Shown<WithPassword, StampedAgent> };
  /** Change the fields of an agent that are sent; null sets one to its default. */
  patchAgent: { params: { eid: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: AgentPatch; answer: WithPassword; record: Shown<WithPassword, StampedAgent> };
  /** Delete an agent that nothing points to. */
  deleteAgent: { params: { eid: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** Block an agent: no call is offered. */
  blockAgent: { params: { eid: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, StampedAgent> };
  /** Unblock an agent. */
  unblockAgent: { params: { eid: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, StampedAgent> };
  /** Make a new SIP password, shown once. */
  renewSipPassword: { params: { eid: string }; query: never; body: never; answer: WithPassword; record: Shown<WithPassword, StampedAgent> };
  /** Make an address by which one phone configures itself, once. */
  createProvisioning: { params: { eid: string }; query: never; body: ProvisioningInput; answer: Provisioning };
  /** Make an address for the phonebook of desk phones. */
  createPhonebook: { params: { eid: string }; query: never; body: never; answer: Phonebook };
  /** Who waits in the queue of a department now. */
  getDepartmentQueue: { params: { id: string }; query: never; body: never; answer: Queue };
  /** List call-backs, newest first. */
  listCallbacks: { params: never; query: { limit?: number | string | null; cursor?: string | null; department?: string | null; open?: "true" | "false" | null }; body: never; answer: Page<Callback> };
  /** Read a call-back and what became of it. */
  getCallback: { params: { id: string }; query: never; body: never; answer: Callback };
  /** Cancel a call-back. */
  cancelCallback: { params: { id: string }; query: never; body: never; answer: Done };
  /** List what all agents do now. */
  listAgentStates: { params: never; query: { limit?: number | string | null; cursor?: string | null; state?: "talking" | "ringing" | "blocked" | "off_duty" | "paused" | "unreachable" | "wrap_up" | "free" | null }; body: never; answer: Page<AgentState> };
  /** What an agent does now. */
  getAgentState: { params: { eid: string }; query: never; body: never; answer: AgentState };
  /** Pause an agent: departments do not ring. */
  pauseAgent: { params: { eid: string }; query: never; body: PauseAgentInput; answer: Done };
  /** End the pause of an agent. */
  resumeAgent: { params: { eid: string }; query: never; body: never; answer: Done };
  /** End the wrap-up of an agent before its time. */
  endAgentWrapUp: { params: { eid: string }; query: never; body: never; answer: Done };
  /** Sign an agent in to a department, or to all. */
  signInAgent: { params: { eid: string }; query: never; body: SignInAgentInput; answer: Done };
  /** Sign an agent out of a department, or of all. */
  signOutAgent: { params: { eid: string }; query: never; body: SignInAgentInput; answer: Done };
  /** List the calls of an agent that are over, newest first. */
  listAgentCalls: { params: { eid: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<CallSummary> };
  /** List earlier calls of who calls the agent, newest first. */
  listEarlierCalls: { params: { eid: string }; query: { limit?: number | string | null; cursor?: string | null; caller?: string | null }; body: never; answer: Page<CallSummary> };
  /** List the messages in the voicemail box of an agent, newest first. */
  listAgentVoicemails: { params: { eid: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Voicemail> };
  /** Hear a message in the voicemail box of an agent, as WAV. */
  getAgentVoicemailAudio: { params: { eid: string; id: string }; query: never; body: never; answer: Response };
  /** Mark a message in the voicemail box of an agent as heard. */
  markAgentVoicemailHeard: { params: { eid: string; id: string }; query: never; body: never; answer: Done };
  /** List teams in pages. */
  listTeams: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Team> };
  /** Create a team. */
  createTeam: { params: never; query: never; body: NewTeamInput; answer: TeamCreated; record: Shown<TeamCreated, Team> };
  /** Read a team. */
  getTeam: { params: { id: string }; query: never; body: never; answer: Team };
  /** Replace a team. */
  putTeam: { params: { id: string }; query: never; body: TeamInput; answer: Done; record: Shown<Done, Team> };
  /** Change the fields of a team that are sent; null sets one to its default. */
  patchTeam: { params: { id: string }; query: never; body: TeamPatch; answer: Done; record: Shown<Done, Team> };
  /** Delete a team without agents. */
  deleteTeam: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List departments in pages. */
  listDepartments: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null; agent?: string | number | null }; body: never; answer: Page<Department> };
  /** Create a department. */
  createDepartment: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewDepartmentInput; answer: Created; record: Shown<Created, Department> };
  /** Read a department. */
  getDepartment: { params: { id: string }; query: never; body: never; answer: Department };
  /** Replace a department. */
  putDepartment: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: DepartmentInput; answer: Done; record: Shown<Done, Department> };
  /** Change the fields of a department that are sent; null sets one to its default. */
  patchDepartment: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: DepartmentPatch; answer: Done; record: Shown<Done, Department> };
  /** Delete a department that nothing points to. */
  deleteDepartment: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List dialled numbers in pages. */
  listNumbers: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null; destination?: string | null }; body: never; answer: Page<DialledNumber> };
  /** Create a number that callers dial. */
  createNumber: { params: never; query: never; body: NewNumberInput; answer: Created; record: Shown<Created, DialledNumber> };
  /** Read a number. */
  getNumber: { params: { id: string }; query: never; body: never; answer: DialledNumber };
  /** Replace a number. */
  putNumber: { params: { id: string }; query: never; body: NumberInput; answer: Done; record: Shown<Done, DialledNumber> };
  /** Change the fields of a number that are sent; null sets one to its default. */
  patchNumber: { params: { id: string }; query: never; body: NumberPatch; answer: Done; record: Shown<Done, DialledNumber> };
  /** Delete a number. */
  deleteNumber: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List trunks in pages. */
  listTrunks: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Trunk> };
  /** Create a trunk to the telephone network. */
  createTrunk: { params: never; query: never; body: NewTrunkInput; answer: Created; record: Shown<Created, TrunkWithWarnings> };
  /** Read a trunk and its warnings. */
  getTrunk: { params: { id: string }; query: never; body: never; answer: TrunkWithWarnings };
  /** Replace a trunk; without a password the stored one stays. */
  putTrunk: { params: { id: string }; query: never; body: TrunkInput; answer: Done; record: Shown<Done, TrunkWithWarnings> };
  /** Change the fields of a trunk that are sent; null sets one to its default. */
  patchTrunk: { params: { id: string }; query: never; body: TrunkPatch; answer: Done; record: Shown<Done, TrunkWithWarnings> };
  /** Delete a trunk. */
  deleteTrunk: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
  /** Whether a trunk is registered and answers, and its calls. */
  getTrunkState: { params: { id: string }; query: never; body: never; answer: TrunkState };
  /** Settings of trunks at well-known providers. */
  listTrunkPresets: { params: never; query: never; body: never; answer: TrunkPresets };
  /** List recordings in pages. */
  listRecordings: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Recording> };
  /** Create a recording from a file, a URL, a text to be spoken or another recording. */
  createRecording: { params: never; query: { name?: string | null; description?: string | null; skip_tests?: "true" | "false" | null }; body: NewRecordingInput | FormData; answer: RecordingCreated; record: Shown<RecordingCreated, RecordingWithWarnings> };
  /** Read a recording and its warnings. */
  getRecording: { params: { id: string }; query: never; body: never; answer: RecordingWithWarnings };
  /** Replace a recording; its sound stays unless another is sent, the former version is kept. */
  putRecording: { params: { id: string }; query: { name?: string | null; description?: string | null; skip_tests?: "true" | "false" | null }; body: RecordingInput | FormData; answer: RecordingWritten; record: Shown<RecordingWritten, RecordingWithWarnings> };
  /** Change the fields of a recording that are sent; null sets one to its default. */
  patchRecording: { params: { id: string }; query: { name?: string | null; description?: string | null; skip_tests?: "true" | "false" | null }; body: RecordingPatch | FormData; answer: RecordingWritten; record: Shown<RecordingWritten, RecordingWithWarnings> };
  /** Delete a recording that nothing points to. */
  deleteRecording: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** Hear a recording, as WAV. */
  getRecordingAudio: { params: { id: string }; query: { version?: number | string | null }; body: never; answer: Response };
  /** The outline of a recording, for drawing. */
  getRecordingWaveform: { params: { id: string }; query: { points?: number | string | null }; body: never; answer: Waveform };
  /** List a recording's versions, newest first. */
  listRecordingVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Recording> };
  /** Make a former version the newest. */
  restoreRecording: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, RecordingWithWarnings> };
  /** List time groups in pages. */
  listTimeGroups: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<TimeGroup> };
  /** Create a time group. */
  createTimeGroup: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewTimeGroupInput; answer: Created; record: Shown<Created, TimeGroupWithChange> };
  /** Read a time group: is it open, and until when?. */
  getTimeGroup: { params: { id: string }; query: { at?: string | null }; body: never; answer: TimeGroupWithChange };
  /** Replace a time group. */
  putTimeGroup: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: TimeGroupInput; answer: Done; record: Shown<Done, TimeGroupWithChange> };
  /** Change the fields of a time group that are sent; null sets one to its default. */
  patchTimeGroup: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: TimeGroupPatch; answer: Done; record: Shown<Done, TimeGroupWithChange> };
  /** Delete a time group that nothing points to. */
  deleteTimeGroup: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List announcements in pages. */
  listAnnouncements: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Announcement> };
  /** Create an announcement. */
  createAnnouncement: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewAnnouncementInput; answer: Created; record: Shown<Created, Announcement> };
  /** Read an announcement. */
  getAnnouncement: { params: { id: string }; query: never; body: never; answer: Announcement };
  /** Replace an announcement. */
  putAnnouncement: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: AnnouncementInput; answer: Done; record: Shown<Done, Announcement> };
  /** Change the fields of an announcement that are sent; null sets one to its default. */
  patchAnnouncement: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: AnnouncementPatch; answer: Done; record: Shown<Done, Announcement> };
  /** Delete an announcement that nothing points to. */
  deleteAnnouncement: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List voicemail boxes in pages. */
  listVoicemailBoxes: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<VoicemailBox> };
  /** Create a voicemail box. */
  createVoicemailBox: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewVoicemailBoxInput; answer: Created; record: Shown<Created, VoicemailBox> };
  /** Read a voicemail box. */
  getVoicemailBox: { params: { id: string }; query: never; body: never; answer: VoicemailBox };
  /** Replace a voicemail box. */
  putVoicemailBox: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: VoicemailBoxInput; answer: Done; record: Shown<Done, VoicemailBox> };
  /** Change the fields of a voicemail box that are sent; null sets one to its default. */
  patchVoicemailBox: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: VoicemailBoxPatch; answer: Done; record: Shown<Done, VoicemailBox> };
  /** Delete a voicemail box that nothing points to. */
  deleteVoicemailBox: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List conference rooms in pages. */
  listRooms: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Room> };
  /** Create a conference room. */
  createRoom: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewRoomInput; answer: Created; record: Shown<Created, Room> };
  /** Read a conference room. */
  getRoom: { params: { id: string }; query: never; body: never; answer: Room };
  /** Replace a conference room. */
  putRoom: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: RoomInput; answer: Done; record: Shown<Done, Room> };
  /** Change the fields of a conference room that are sent; null sets one to its default. */
  patchRoom: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: RoomPatch; answer: Done; record: Shown<Done, Room> };
  /** Delete a conference room that nothing points to. */
  deleteRoom: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** Who is in a conference room now. */
  getRoomParticipants: { params: { id: string }; query: never; body: never; answer: RoomParticipants };
  /** Lock a conference room: only hosts may join. */
  lockRoom: { params: { id: string }; query: never; body: never; answer: Done };
  /** Let callers into a conference room again. */
  unlockRoom: { params: { id: string }; query: never; body: never; answer: Done };
  /** Mute a participant of a conference. */
  muteParticipant: { params: { id: string }; query: never; body: MuteParticipantInput; answer: Done };
  /** Let a muted participant be heard again. */
  unmuteParticipant: { params: { id: string }; query: never; body: MuteParticipantInput; answer: Done };
  /** Remove a participant from a conference. */
  removeParticipant: { params: { id: string }; query: never; body: MuteParticipantInput; answer: Done };
  /** List what asks for digits, in pages. */
  listCollects: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Collect> };
  /** Create a collect: it asks callers for digits. */
  createCollect: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewCollectInput; answer: Created; record: Shown<Created, Collect> };
  /** Read a collect. */
  getCollect: { params: { id: string }; query: never; body: never; answer: Collect };
  /** Replace a collect; the former version is kept. */
  putCollect: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: CollectInput; answer: Done; record: Shown<Done, Collect> };
  /** Change the fields of a collect that are sent; null sets one to its default. */
  patchCollect: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: CollectPatch; answer: Done; record: Shown<Done, Collect> };
  /** Delete a collect that nothing points to. */
  deleteCollect: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List the versions of a collect, newest first. */
  listCollectVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Collect> };
  /** Make a former version the newest. */
  restoreCollect: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, Collect> };
  /** List requests to your own systems, in pages. */
  listRequests: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Request> };
  /** Create a request: calls ask your own system. */
  createRequest: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewRequestInput; answer: Created; record: Shown<Created, Request> };
  /** Read a request. */
  getRequest: { params: { id: string }; query: never; body: never; answer: Request };
  /** Replace a request; the former version is kept. */
  putRequest: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: RequestInput; answer: Done; record: Shown<Done, Request> };
  /** Change the fields of a request that are sent; null sets one to its default. */
  patchRequest: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: RequestPatch; answer: Done; record: Shown<Done, Request> };
  /** Delete a request that nothing points to. */
  deleteRequest: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List the versions of a request, newest first. */
  listRequestVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Request> };
  /** Make a former version the newest. */
  restoreRequest: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, Request> };
  /** List streams to voice bots, in pages. */
  listStreams: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Stream> };
  /** Create a stream: callers talk with a voice bot. */
  createStream: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewStreamInput; answer: Created; record: Shown<Created, Stream> };
  /** Read a stream. */
  getStream: { params: { id: string }; query: never; body: never; answer: Stream };
  /** Replace a stream; the former version is kept. */
  putStream: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: StreamInput; answer: Done; record: Shown<Done, Stream> };
  /** Change the fields of a stream that are sent; null sets one to its default. */
  patchStream: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: StreamPatch; answer: Done; record: Shown<Done, Stream> };
  /** Delete a stream that nothing points to. */
  deleteStream: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List the versions of a stream, newest first. */
  listStreamVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Stream> };
  /** Make a former version the newest. */
  restoreStream: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, Stream> };
  /** List switches in pages. */
  listSwitches: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Switch> };
  /** Create a switch: it decides by variables of the call. */
  createSwitch: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewSwitchInput; answer: Created; record: Shown<Created, Switch> };
  /** Read a switch. */
  getSwitch: { params: { id: string }; query: never; body: never; answer: Switch };
  /** Replace a switch; the former version is kept. */
  putSwitch: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: SwitchInput; answer: Done; record: Shown<Done, Switch> };
  /** Change the fields of a switch that are sent; null sets one to its default. */
  patchSwitch: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: SwitchPatch; answer: Done; record: Shown<Done, Switch> };
  /** Delete a switch that nothing points to. */
  deleteSwitch: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List the versions of a switch, newest first. */
  listSwitchVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Switch> };
  /** Make a former version the newest. */
  restoreSwitch: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, Switch> };
  /** List messages in pages. */
  listMessages: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Message> };
  /** Create a message: a call sends a text and goes on. */
  createMessage: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewMessageInput; answer: Created; record: Shown<Created, Message> };
  /** Read a message. */
  getMessage: { params: { id: string }; query: never; body: never; answer: Message };
  /** Replace a message; the former version is kept. */
  putMessage: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: MessageInput; answer: Done; record: Shown<Done, Message> };
  /** Change the fields of a message that are sent; null sets one to its default. */
  patchMessage: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: MessagePatch; answer: Done; record: Shown<Done, Message> };
  /** Delete a message that nothing points to. */
  deleteMessage: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List the versions of a message, newest first. */
  listMessageVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Message> };
  /** Make a former version the newest. */
  restoreMessage: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, Message> };
  /** List SIP addresses in pages. */
  listSipAddresses: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<SipAddress> };
  /** Create a SIP address: calls ring it elsewhere. */
  createSipAddress: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewSipAddressInput; answer: Created; record: Shown<Created, SipAddress> };
  /** Read a SIP address. */
  getSipAddress: { params: { id: string }; query: never; body: never; answer: SipAddress };
  /** Replace a SIP address; the former version is kept. */
  putSipAddress: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: SipAddressInput; answer: Done; record: Shown<Done, SipAddress> };
  /** Change the fields of a SIP address that are sent; null sets one to its default. */
  patchSipAddress: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: SipAddressPatch; answer: Done; record: Shown<Done, SipAddress> };
  /** Delete a SIP address that nothing points to. */
  deleteSipAddress: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List the versions of a SIP address, newest first. */
  listSipAddressVersions: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<SipAddress> };
  /** Make a former version the newest. */
  restoreSipAddress: { params: { id: string; version: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Done; record: Shown<Done, SipAddress> };
  /** List blocked numbers in pages. */
  listBlockedNumbers: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null; dialled?: string | number | null }; body: never; answer: Page<BlockedNumber> };
  /** Block a number, all that begin alike, or withheld ones. */
  createBlockedNumber: { params: never; query: never; body: NewBlockedNumberInput; answer: Created; record: Shown<Created, BlockedNumber> };
  /** Read a blocked number. */
  getBlockedNumber: { params: { id: string }; query: never; body: never; answer: BlockedNumber };
  /** Replace a blocked number. */
  putBlockedNumber: { params: { id: string }; query: never; body: BlockedNumberInput; answer: Done; record: Shown<Done, BlockedNumber> };
  /** Change the fields of a blocked number that are sent; null sets one to its default. */
  patchBlockedNumber: { params: { id: string }; query: never; body: BlockedNumberPatch; answer: Done; record: Shown<Done, BlockedNumber> };
  /** Delete a blocked number. */
  deleteBlockedNumber: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List caller-id rules in pages. */
  listCallerIdRules: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<CallerIdRule> };
  /** Say which number outgoing calls show. */
  createCallerIdRule: { params: never; query: never; body: NewCallerIdRuleInput; answer: Created; record: Shown<Created, CallerIdRule> };
  /** Read a caller-id rule. */
  getCallerIdRule: { params: { id: string }; query: never; body: never; answer: CallerIdRule };
  /** Replace a caller-id rule. */
  putCallerIdRule: { params: { id: string }; query: never; body: CallerIdRuleInput; answer: Done; record: Shown<Done, CallerIdRule> };
  /** Change the fields of a caller-id rule that are sent; null sets one to its default. */
  patchCallerIdRule: { params: { id: string }; query: never; body: CallerIdRulePatch; answer: Done; record: Shown<Done, CallerIdRule> };
  /** Delete a caller-id rule. */
  deleteCallerIdRule: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List voicemail messages, newest first. */
  listVoicemails: { params: never; query: { limit?: number | string | null; cursor?: string | null; box?: string | null; heard?: "true" | "false" | null; caller?: string | null; from?: string | null; to?: string | null }; body: never; answer: Page<Voicemail> };
  /** Read what is known of a voicemail message. */
  getVoicemail: { params: { id: string }; query: never; body: never; answer: Voicemail };
  /** Delete a voicemail message and its sound. */
  deleteVoicemail: { params: { id: string }; query: never; body: never; answer: Done };
  /** Hear a voicemail message, as WAV. */
  getVoicemailAudio: { params: { id: string }; query: never; body: never; answer: Response };
  /** Mark a voicemail message as heard. */
  markVoicemailHeard: { params: { id: string }; query: never; body: never; answer: Done; record: Shown<Done, Voicemail> };
  /** Mark a voicemail message as not heard. */
  markVoicemailUnheard: { params: { id: string }; query: never; body: never; answer: Done; record: Shown<Done, Voicemail> };
  /** List recorded calls, newest first. */
  listCallRecordings: { params: never; query: { limit?: number | string | null; cursor?: string | null; call_id?: string | null; agent?: string | null; caller?: string | null; from?: string | null; to?: string | null }; body: never; answer: Page<CallRecording> };
  /** Read what is known of a recorded call. */
  getCallRecording: { params: { id: string }; query: never; body: never; answer: CallRecording };
  /** Delete a recorded call: its sound, not its record. */
  deleteCallRecording: { params: { id: string }; query: never; body: never; answer: Done };
  /** Hear a recorded call, as WAV: left the caller, right the called side. */
  getCallRecordingAudio: { params: { id: string }; query: never; body: never; answer: Response };
  /** List SMS templates in pages. */
  listSmsTemplates: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<SmsTemplate> };
  /** Create an SMS template. */
  createSmsTemplate: { params: never; query: { skip_tests?: "true" | "false" | null }; body: NewSmsTemplateInput; answer: Created; record: Shown<Created, SmsTemplate> };
  /** Read an SMS template. */
  getSmsTemplate: { params: { id: string }; query: never; body: never; answer: SmsTemplate };
  /** Replace an SMS template. */
  putSmsTemplate: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: SmsTemplateInput; answer: Done; record: Shown<Done, SmsTemplate> };
  /** Change the fields of an SMS template that are sent; null sets one to its default. */
  patchSmsTemplate: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: SmsTemplatePatch; answer: Done; record: Shown<Done, SmsTemplate> };
  /** Delete an SMS template that no IVR uses. */
  deleteSmsTemplate: { params: { id: string }; query: { force?: "true" | "false" | null; skip_tests?: "true" | "false" | null }; body: never; answer: Deleted };
  /** List SMS, newest first. */
  listSms: { params: never; query: { limit?: number | string | null; cursor?: string | null; state?: "queued" | "sending" | "sent" | "delivered" | "failed" | "unknown" | null; recipient?: string | number | null; call_id?: string | null; from?: string | null; to?: string | null; until?: string | null }; body: never; answer: Page<Sms> };
  /** Send an SMS. */
  createSms: { params: never; query: never; body: SmsInput; answer: Created; record: Shown<Created, Sms> };
  /** Read an SMS and what became of it. */
  getSms: { params: { id: string }; query: never; body: never; answer: Sms };
  /** Tell what became of an SMS, for gateways. */
  reportSms: { params: { id: string }; query: never; body: ReportSmsInput; answer: Done; record: Shown<Done, Sms> };
  /** List webhooks in pages. */
  listWebhooks: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Webhook> };
  /** Create a webhook; a secret that is made is shown once. */
  createWebhook: { params: never; query: never; body: NewWebhookInput; answer: WebhookCreated; record: Shown<WebhookCreated, WebhookWithWarnings> };
  /** Read a webhook and its warnings. */
  getWebhook: { params: { id: string }; query: never; body: never; answer: WebhookWithWarnings };
  /** Replace a webhook; without a secret the stored one stays. */
  putWebhook: { params: { id: string }; query: never; body: WebhookInput; answer: Done; record: Shown<Done, WebhookWithWarnings> };
  /** Change the fields of a webhook that are sent; null sets one to its default. */
  patchWebhook: { params: { id: string }; query: never; body: WebhookPatch; answer: Done; record: Shown<Done, WebhookWithWarnings> };
  /** Delete a webhook that nothing points to; what waits for it is given up. */
  deleteWebhook: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
  /** Make a new secret, shown once; the former one signs too for a day. */
  renewWebhookSecret: { params: { id: string }; query: never; body: never; answer: WithSecret; record: Shown<WithSecret, WebhookWithWarnings> };
  /** Send a ping to a webhook. */
  testWebhook: { params: { id: string }; query: never; body: never; answer: DeliveryQueued };
  /** List what was or will be sent to a webhook, newest first. */
  listDeliveries: { params: { id: string }; query: { limit?: number | string | null; cursor?: string | null; state?: "waiting" | "done" | "dead" | null }; body: never; answer: Page<Delivery> };
  /** Read a delivery with its body. */
  getDelivery: { params: { id: string; delivery: string }; query: never; body: never; answer: DeliveryWithBody };
  /** Send one delivery or those of a span of time again, with the same event ids. */
  replayWebhook: { params: { id: string }; query: never; body: ReplayWebhookInput; answer: Replayed };
  /** All calls that the filters find, as CSV. */
  exportCallRecords: { params: never; query: { from?: string | null; to?: string | null; direction?: "inbound" | "internal" | "outbound" | null; agent?: string | number | null; involved?: string | number | null; department?: string | number | null; offered?: string | number | null; unanswered_by?: string | number | null; queue?: "any" | "in_time" | "late" | "answered" | "abandoned" | "left" | null; ivr?: string | number | null; number?: string | null; caller?: string | null; outcome?: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed" | "failed" | "unanswered" | "talked" | null; variable?: string | number | null; end_code?: string | number | null; min_duration?: number | string | null; max_duration?: number | string | null; q?: string | null; timezone?: string | null }; body: never; answer: Response };
  /** The same as a workbook, at most 10,000 calls. */
  exportCallWorkbook: { params: never; query: { from?: string | null; to?: string | null; direction?: "inbound" | "internal" | "outbound" | null; agent?: string | number | null; involved?: string | number | null; department?: string | number | null; offered?: string | number | null; unanswered_by?: string | number | null; queue?: "any" | "in_time" | "late" | "answered" | "abandoned" | "left" | null; ivr?: string | number | null; number?: string | null; caller?: string | null; outcome?: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed" | "failed" | "unanswered" | "talked" | null; variable?: string | number | null; end_code?: string | number | null; min_duration?: number | string | null; max_duration?: number | string | null; q?: string | null; timezone?: string | null }; body: never; answer: Response };
  /** One table of the statistics as CSV. */
  exportStatistics: { params: never; query: { from?: string | null; to?: string | null; by?: "day" | "hour" | "none" | null; timezone?: string | null; table?: "totals" | "days" | "departments" | "agents" | null }; body: never; answer: Response };
  /** All tables of the statistics as a workbook. */
  exportStatisticsWorkbook: { params: never; query: { from?: string | null; to?: string | null; by?: "day" | "hour" | "none" | null; timezone?: string | null }; body: never; answer: Response };
  /** What the report by mail says. */
  getReport: { params: never; query: { period?: "day" | "week" | null }; body: never; answer: Report };
  /** Send the report to one address now. */
  sendReport: { params: never; query: never; body: SendReportInput; answer: Done };
  /** Send a mail to see whether mail works. */
  sendTestMail: { params: never; query: never; body: SendTestMailInput; answer: Done };
  /** How the service runs, without secrets. */
  getConfiguration: { params: never; query: never; body: never; answer: Configuration };
  /** Set variables of mail, SMS and network that the environment leaves open; null removes one. */
  patchConfiguration: { params: never; query: never; body: ConfigurationPatch; answer: Done; record: Shown<Done, Configuration> };
  /** What callers did in an IVR, by day or hour. */
  getIvrStatistics: { params: { id: string }; query: { from?: string | null; to?: string | null; by?: "day" | "hour" | "none" | null; timezone?: string | null }; body: never; answer: MenuStatistics };
  /** Calls, agents and departments, by day or hour. */
  getStatistics: { params: never; query: { from?: string | null; to?: string | null; by?: "day" | "hour" | "none" | null; timezone?: string | null }; body: never; answer: CallStatistics };
  /** What callers did in every IVR, most visited first. */
  listIvrStatistics: { params: never; query: { from?: string | null; to?: string | null; timezone?: string | null }; body: never; answer: IvrsStatistics };
  /** List the calls that live now. */
  listLiveCalls: { params: never; query: { limit?: number | string | null; cursor?: string | null; state?: "calling_agent" | "menu" | "announcement" | "queue" | "ringing" | "connected" | "voicemail" | "bot" | "room" | "ending" | null; direction?: "inbound" | "internal" | "outbound" | null; agent?: string | null; caller?: string | null }; body: never; answer: { data: (LiveCall)[]; next_cursor: string | null; unanswered_nodes?: (string)[] } };
  /** Follow calls by server-sent events; Last-Event-ID goes on where a broken connection was. */
  followCalls: { params: never; query: never; body: never; answer: Response };
  /** Calls, agents, phones, trunks and queues now. */
  getLiveState: { params: never; query: never; body: never; answer: LiveState };
  /** Follow calls, agents, phones, trunks and queues by server-sent events. */
  followLiveState: { params: never; query: never; body: never; answer: Response };
  /** What is wrong with the account right now. */
  getHealth: { params: never; query: never; body: never; answer: AccountHealth };
  /** The built-in prompts, and what the account has of them in a language. */
  getPrompts: { params: never; query: { language?: string | number | null }; body: never; answer: BuiltInPrompts };
  /** Hang up a live call. */
  hangUpCall: { params: never; query: never; body: HangUpCallInput; answer: Done };
  /** Send one side of a live call elsewhere. */
  transferCall: { params: never; query: never; body: TransferCallInput; answer: Transferred };
  /** Complete an attended transfer. */
  completeTransfer: { params: never; query: never; body: HangUpCallInput; answer: Done };
  /** Cancel an attended transfer. */
  cancelTransfer: { params: never; query: never; body: HangUpCallInput; answer: Done };
  /** Ring an agent to listen to a conversation, or to take part. */
  listenIn: { params: never; query: never; body: ListenInInput; answer: Done };
  /** Ring a third party into a conversation. */
  addParty: { params: never; query: never; body: AddPartyInput; answer: Done };
  /** Call a number and put whoever answers into a destination. */
  placeCall: { params: never; query: never; body: PlaceCallInput; answer: CallCreated };
  /** Ring an agent's phone, then the number. */
  clickToCall: { params: never; query: never; body: ClickToCallInput; answer: CallCreated };
  /** STUN and TURN servers for a browser phone. */
  getIceServers: { params: never; query: never; body: never; answer: IceServers };
  /** Make a web page a phone for some minutes. */
  createPhoneSession: { params: never; query: never; body: PhoneSessionInput; answer: PhoneSessionMade };
  /** List phone sessions of this node. */
  listPhoneSessions: { params: never; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<PhoneSession> };
  /** End a phone session. */
  deletePhoneSession: { params: { id: string }; query: never; body: never; answer: Done };
  /** Make a phone session for a visitor of a web page. */
  createButtonSession: { params: { key: string }; query: never; body: ButtonSessionInput; answer: PhoneSessionMade };
  /** List the processes that run this service. */
  listNodes: { params: never; query: never; body: never; answer: Page<Node> };
  /** Let a node take no new calls. */
  drainNode: { params: { id: string }; query: never; body: never; answer: Done };
  /** Let a node take calls again. */
  resumeNode: { params: { id: string }; query: never; body: never; answer: Done };
  /** Where a record is used. */
  listReferences: { params: { kind: string; id: string }; query: never; body: never; answer: References };
  /** List deleted records that can be restored, newest first. */
  listDeletedRecords: { params: never; query: { limit?: number | string | null; cursor?: string | null; kind?: "agent" | "ivr" | "team" | "department" | "recording" | "number" | "trunk" | "timegroup" | "announcement" | "voicemail" | "room" | "collect" | "request" | "stream" | "switch" | "message" | "sip_address" | "sms_template" | "webhook" | "blocked_number" | "caller_id_rule" | "contact" | null }; body: never; answer: Page<DeletedRecord> };
  /** Restore a deleted record with its former id. */
  restoreDeletedRecord: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: never; answer: Restored };
  /** Erase a deleted record for good. */
  eraseDeletedRecord: { params: { id: string }; query: never; body: never; answer: Done };
  /** Read the changes that wait for publication. */
  getDraft: { params: never; query: { cursor?: string | null }; body: never; answer: Draft };
  /** Discard the draft. */
  discardDraft: { params: never; query: never; body: never; answer: Done };
  /** Lint and test the account as the draft would make it. */
  checkDraft: { params: never; query: never; body: never; answer: DraftCheck };
  /** Call the account as the draft would make it. */
  simulateDraft: { params: never; query: never; body: SimulateDraftInput; answer: Trace };
  /** Let all changes of the draft take effect at once. */
  publishDraft: { params: never; query: { skip_tests?: "true" | "false" | null; force?: "true" | "false" | null }; body: PublishDraftInput; answer: Published };
  /** Discard one change of the draft. */
  discardDrafted: { params: { kind: string; id: string }; query: never; body: never; answer: Done };
  /** List what was published, newest first. */
  listPublications: { params: never; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Publication> };
  /** Undo a publication as a whole. */
  rollBack: { params: { id: string }; query: { skip_tests?: "true" | "false" | null }; body: RollBackInput; answer: Published };
  /** List who changed what, newest first. */
  listAudit: { params: never; query: { limit?: number | string | null; cursor?: string | null; kind?: string | null; record_id?: string | null; from?: string | null; to?: string | null }; body: never; answer: Page<AuditEntry> };
  /** List calls that are over, newest first. */
  listCallRecords: { params: never; query: { limit?: number | string | null; cursor?: string | null; from?: string | null; to?: string | null; direction?: "inbound" | "internal" | "outbound" | null; agent?: string | number | null; involved?: string | number | null; department?: string | number | null; offered?: string | number | null; unanswered_by?: string | number | null; queue?: "any" | "in_time" | "late" | "answered" | "abandoned" | "left" | null; ivr?: string | number | null; number?: string | null; caller?: string | null; outcome?: "answered" | "transferred" | "missed" | "unreachable" | "abandoned" | "voicemail" | "blocked" | "refused" | "interrupted" | "completed" | "failed" | "unanswered" | "talked" | null; variable?: string | number | null; end_code?: string | number | null; min_duration?: number | string | null; max_duration?: number | string | null; q?: string | null }; body: never; answer: Page<CallSummary> };
  /** Read a call with every step. */
  getCallRecord: { params: { id: string }; query: never; body: never; answer: CallRecord };
  /** List access tokens: of the account, or of the asking user. */
  listTokens: { params: never; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<Token> };
  /** Create an access token, shown once. */
  createToken: { params: never; query: never; body: TokenInput; answer: TokenCreated; record: Shown<TokenCreated, Token> };
  /** Revoke an access token. */
  revokeToken: { params: { id: string }; query: never; body: never; answer: Done };
  /** List notifications, newest first. */
  listNotifications: { params: never; query: { limit?: number | string | null; cursor?: string | null; open?: "true" | "false" | null }; body: never; answer: Page<Notification> };
  /** Read when the wallboard changes its colours. */
  getWallboard: { params: never; query: never; body: never; answer: Wallboard };
  /** Set when the wallboard changes its colours. */
  putWallboard: { params: never; query: never; body: WallboardInput; answer: Done };
  /** Which accounts this browser is signed in to. */
  getSession: { params: never; query: never; body: never; answer: Session };
  /** Sign a browser in, by an access token or a one-time link. */
  createSession: { params: never; query: never; body: SessionInput; answer: SignedIn };
  /** Sign a browser out. */
  deleteSession: { params: never; query: { all?: "true" | "false" | null }; body: never; answer: Done };
  /** Make a one-time link that signs a browser in, with what this token may do. */
  createSignInLink: { params: never; query: never; body: never; answer: SignInLink };
  /** Sign every browser of the account out, and end links that wait. */
  deleteSessions: { params: never; query: never; body: never; answer: SignedOut };
  /** Make one of the browser's accounts the current one. */
  putCurrentSession: { params: never; query: never; body: CurrentSessionInput; answer: Done };
  /** List the people who use the account. */
  listUsers: { params: never; query: { limit?: number | string | null; cursor?: string | null }; body: never; answer: Page<User> };
  /** Invite a user. */
  createUser: { params: never; query: never; body: UserInput; answer: UserCreated };
  /** Change a user. */
  patchUser: { params: { id: string }; query: never; body: UserPatch; answer: Done };
  /** Delete a user. */
  deleteUser: { params: { id: string }; query: never; body: never; answer: Done };
  /** Make a link with which a user sets a password. */
  createUserLink: { params: { id: string }; query: never; body: never; answer: UserLinkCreated };
  /** Sign all browsers of a user out. */
  endUserSessions: { params: { id: string }; query: never; body: never; answer: SignedOut };
  /** Make the first user of the account, its owner. */
  createOwner: { params: never; query: never; body: OwnerInput; answer: SignedIn };
  /** Whom a link is for, and what it does. */
  readUserLink: { params: never; query: never; body: ReadUserLinkInput; answer: UserLink };
  /** Set a password by a link, and sign in. */
  acceptUserLink: { params: never; query: never; body: AcceptUserLinkInput; answer: Done };
  /** Ask for an e-mail with a link that sets another password. */
  requestReset: { params: never; query: never; body: RequestResetInput; answer: Done };
  /** Who asks, and which browsers are signed in. */
  getOwnUser: { params: never; query: never; body: never; answer: OwnUser };
  /** Change the own name. */
  putOwnName: { params: never; query: never; body: OwnNameInput; answer: Done };
  /** Change the own password. */
  putOwnPassword: { params: never; query: never; body: OwnPasswordInput; answer: Done };
  /** Sign a browser of the own out; `others` all but this one. */
  endOwnSession: { params: { id: string }; query: never; body: never; answer: SignedOut };
  /** Begin to turn the authenticator app on. */
  beginTotp: { params: never; query: never; body: never; answer: TotpBegun };
  /** Turn the authenticator app on, by its first code. */
  confirmTotp: { params: never; query: never; body: ConfirmTotpInput; answer: TotpConfirmed };
  /** Turn the authenticator app off. */
  deleteTotp: { params: never; query: never; body: ConfirmTotpInput; answer: Done };
  /** Turn the authenticator app of another user off, who has lost it. */
  resetSecondFactor: { params: { id: string }; query: never; body: never; answer: Done };
  /** What a browser needs to make a passkey. */
  beginPasskey: { params: never; query: never; body: BeginPasskeyInput; answer: PasskeyBegun };
  /** Add a passkey. */
  createPasskey: { params: never; query: never; body: PasskeyInput; answer: Done };
  /** Delete a passkey. */
  deletePasskey: { params: { id: string }; query: never; body: never; answer: Done };
  /** What a browser needs to use a passkey. */
  beginPasskeySignIn: { params: never; query: never; body: never; answer: PasskeyBegun };
  /** Sign a browser in by a passkey. */
  signInByPasskey: { params: never; query: never; body: SignInByPasskeyInput; answer: SignedIn };
  /** Where telephones register. */
  getTelephony: { params: never; query: never; body: never; answer: Telephony };
  /** Telephones that are registered for an agent. */
  listPhones: { params: { eid: string }; query: never; body: never; answer: Phones };
  /** Read the account's settings. */
  getSettings: { params: never; query: never; body: never; answer: Settings };
  /** Replace the settings; those not sent get their defaults. */
  putSettings: { params: never; query: { skip_tests?: "true" | "false" | null }; body: SettingsInput; answer: Done; record: Shown<Done, Settings> };
  /** Change the settings that are sent; null sets one to its default. */
  patchSettings: { params: never; query: { skip_tests?: "true" | "false" | null }; body: SettingsPatch; answer: Done; record: Shown<Done, Settings> };
  /** Read the limits that the operator has set for the account, and what is used of them. */
  getLimits: { params: never; query: never; body: never; answer: Limits };
  /** Whether the process is alive. */
  healthz: { params: never; query: never; body: never; answer: Health };
  /** Whether it should get traffic. */
  readyz: { params: never; query: never; body: never; answer: Readiness };
  /** Metrics for Prometheus. */
  metrics: { params: never; query: never; body: never; answer: string };
  /** This document. */
  openApi: { params: never; query: never; body: never; answer: unknown };
  /** The interactive documentation. */
  docs: { params: never; query: never; body: never; answer: string };
  /** What each error code means. */
  docsErrors: { params: never; query: never; body: never; answer: string };
  /** A file of that page. */
  docsAsset: { params: { file: string }; query: never; body: never; answer: string };
  /** List contacts in pages. */
  listContacts: { params: never; query: { limit?: number | string | null; cursor?: string | null; q?: string | null }; body: never; answer: Page<Contact> };
  /** Create a contact. */
  createContact: { params: never; query: never; body: NewContactInput; answer: Created; record: Shown<Created, Contact> };
  /** Read a contact. */
  getContact: { params: { id: string }; query: never; body: never; answer: Contact };
  /** Replace a contact. */
  putContact: { params: { id: string }; query: never; body: ContactInput; answer: Done; record: Shown<Done, Contact> };
  /** Change the fields of a contact that are sent; null sets one to its default. */
  patchContact: { params: { id: string }; query: never; body: ContactPatch; answer: Done; record: Shown<Done, Contact> };
  /** Delete a contact that nothing points to. */
  deleteContact: { params: { id: string }; query: { force?: "true" | "false" | null }; body: never; answer: Deleted };
}

export const OPERATIONS = {
  createIvr: { method: 'POST', path: '/v1/ivr', answer: 'json', record: true },
  listAgents: { method: 'GET', path: '/v1/agents', answer: 'json' },
  listIvrs: { method: 'GET', path: '/v1/ivrs', answer: 'json' },
  getIvr: { method: 'GET', path: '/v1/ivr/{id}', answer: 'json' },
  putIvr: { method: 'PUT', path: '/v1/ivr/{id}', answer: 'json', record: true },
  patchIvr: { method: 'PATCH', path: '/v1/ivr/{id}', answer: 'json', record: true },
  deleteIvr: { method: 'DELETE', path: '/v1/ivr/{id}', answer: 'json' },
  listIvrVersions: { method: 'GET', path: '/v1/ivr/{id}/versions', answer: 'json' },
  restoreIvr: { method: 'POST', path: '/v1/ivr/{id}/restore/{version}', answer: 'json', record: true },
  simulateIvr: { method: 'POST', path: '/v1/ivr/{id}/simulate', answer: 'json' },
  simulateUnsaved: { method: 'POST', path: '/v1/simulate', answer: 'json' },
  lintIvr: { method: 'GET', path: '/v1/ivr/{id}/lint', answer: 'json' },
  lint: { method: 'GET', path: '/v1/lint', answer: 'json' },
  testIvr: { method: 'POST', path: '/v1/ivr/{id}/test', answer: 'json' },
  listAgentsV2: { method: 'GET', path: '/v2/agents', answer: 'json' },
  createAgent: { method: 'POST', path: '/v1/agent', answer: 'json', record: true },
  getAgent: { method: 'GET', path: '/v1/agent/{eid}', answer: 'json' },
  putAgent: { method: 'PUT', path: '/v1/agent/{eid}', answer: 'json', record: true },
  patchAgent: { method: 'PATCH', path: '/v1/agent/{eid}', answer: 'json', record: true },
  deleteAgent: { method: 'DELETE', path: '/v1/agent/{eid}', answer: 'json' },
  blockAgent: { method: 'POST', path: '/v1/agent/{eid}/block', answer: 'json', record: true },
  unblockAgent: { method: 'POST', path: '/v1/agent/{eid}/unblock', answer: 'json', record: true },
  renewSipPassword: { method: 'POST', path: '/v1/agent/{eid}/sip_password', answer: 'json', record: true },
  createProvisioning: { method: 'POST', path: '/v1/agent/{eid}/provisioning', answer: 'json' },
  createPhonebook: { method: 'POST', path: '/v1/agent/{eid}/phonebook', answer: 'json' },
  getDepartmentQueue: { method: 'GET', path: '/v1/department/{id}/queue', answer: 'json' },
  listCallbacks: { method: 'GET', path: '/v1/callbacks', answer: 'json' },
  getCallback: { method: 'GET', path: '/v1/callback/{id}', answer: 'json' },
  cancelCallback: { method: 'DELETE', path: '/v1/callback/{id}', answer: 'json' },
  listAgentStates: { method: 'GET', path: '/v1/agent_states', answer: 'json' },
  getAgentState: { method: 'GET', path: '/v1/agent/{eid}/state', answer: 'json' },
  pauseAgent: { method: 'POST', path: '/v1/agent/{eid}/pause', answer: 'json' },
  resumeAgent: { method: 'POST', path: '/v1/agent/{eid}/resume', answer: 'json' },
  endAgentWrapUp: { method: 'POST', path: '/v1/agent/{eid}/end_wrap_up', answer: 'json' },
  signInAgent: { method: 'POST', path: '/v1/agent/{eid}/sign_in', answer: 'json' },
  signOutAgent: { method: 'POST', path: '/v1/agent/{eid}/sign_out', answer: 'json' },
  listAgentCalls: { method: 'GET', path: '/v1/agent/{eid}/calls', answer: 'json' },
  listEarlierCalls: { method: 'GET', path: '/v1/agent/{eid}/earlier_calls', answer: 'json' },
  listAgentVoicemails: { method: 'GET', path: '/v1/agent/{eid}/voicemails', answer: 'json' },
  getAgentVoicemailAudio: { method: 'GET', path: '/v1/agent/{eid}/voicemail/{id}/audio', answer: 'response' },
  markAgentVoicemailHeard: { method: 'POST', path: '/v1/agent/{eid}/voicemail/{id}/heard', answer: 'json' },
  listTeams: { method: 'GET', path: '/v1/teams', answer: 'json' },
  createTeam: { method: 'POST', path: '/v1/team', answer: 'json', record: true },
  getTeam: { method: 'GET', path: '/v1/team/{id}', answer: 'json' },
  putTeam: { method: 'PUT', path: '/v1/team/{id}', answer: 'json', record: true },
  patchTeam: { method: 'PATCH', path: '/v1/team/{id}', answer: 'json', record: true },
  deleteTeam: { method: 'DELETE', path: '/v1/team/{id}', answer: 'json' },
  listDepartments: { method: 'GET', path: '/v1/departments', answer: 'json' },
  createDepartment: { method: 'POST', path: '/v1/department', answer: 'json', record: true },
  getDepartment: { method: 'GET', path: '/v1/department/{id}', answer: 'json' },
  putDepartment: { method: 'PUT', path: '/v1/department/{id}', answer: 'json', record: true },
  patchDepartment: { method: 'PATCH', path: '/v1/department/{id}', answer: 'json', record: true },
  deleteDepartment: { method: 'DELETE', path: '/v1/department/{id}', answer: 'json' },
  listNumbers: { method: 'GET', path: '/v1/numbers', answer: 'json' },
  createNumber: { method: 'POST', path: '/v1/number', answer: 'json', record: true },
  getNumber: { method: 'GET', path: '/v1/number/{id}', answer: 'json' },
  putNumber: { method: 'PUT', path: '/v1/number/{id}', answer: 'json', record: true },
  patchNumber: { method: 'PATCH', path: '/v1/number/{id}', answer: 'json', record: true },
  deleteNumber: { method: 'DELETE', path: '/v1/number/{id}', answer: 'json' },
  listTrunks: { method: 'GET', path: '/v1/trunks', answer: 'json' },
  createTrunk: { method: 'POST', path: '/v1/trunk', answer: 'json', record: true },
  getTrunk: { method: 'GET', path: '/v1/trunk/{id}', answer: 'json' },
  putTrunk: { method: 'PUT', path: '/v1/trunk/{id}', answer: 'json', record: true },
  patchTrunk: { method: 'PATCH', path: '/v1/trunk/{id}', answer: 'json', record: true },
  deleteTrunk: { method: 'DELETE', path: '/v1/trunk/{id}', answer: 'json' },
  getTrunkState: { method: 'GET', path: '/v1/trunk/{id}/state', answer: 'json' },
  listTrunkPresets: { method: 'GET', path: '/v1/trunk-presets', answer: 'json' },
  listRecordings: { method: 'GET', path: '/v1/recordings', answer: 'json' },
  createRecording: { method: 'POST', path: '/v1/recording', answer: 'json', record: true },
  getRecording: { method: 'GET', path: '/v1/recording/{id}', answer: 'json' },
  putRecording: { method: 'PUT', path: '/v1/recording/{id}', answer: 'json', record: true },
  patchRecording: { method: 'PATCH', path: '/v1/recording/{id}', answer: 'json', record: true },
  deleteRecording: { method: 'DELETE', path: '/v1/recording/{id}', answer: 'json' },
  getRecordingAudio: { method: 'GET', path: '/v1/recording/{id}/audio', answer: 'response' },
  getRecordingWaveform: { method: 'GET', path: '/v1/recording/{id}/waveform', answer: 'json' },
  listRecordingVersions: { method: 'GET', path: '/v1/recording/{id}/versions', answer: 'json' },
  restoreRecording: { method: 'POST', path: '/v1/recording/{id}/restore/{version}', answer: 'json', record: true },
  listTimeGroups: { method: 'GET', path: '/v1/timegroups', answer: 'json' },
  createTimeGroup: { method: 'POST', path: '/v1/timegroup', answer: 'json', record: true },
  getTimeGroup: { method: 'GET', path: '/v1/timegroup/{id}', answer: 'json' },
  putTimeGroup: { method: 'PUT', path: '/v1/timegroup/{id}', answer: 'json', record: true },
  patchTimeGroup: { method: 'PATCH', path: '/v1/timegroup/{id}', answer: 'json', record: true },
  deleteTimeGroup: { method: 'DELETE', path: '/v1/timegroup/{id}', answer: 'json' },
  listAnnouncements: { method: 'GET', path: '/v1/announcements', answer: 'json' },
  createAnnouncement: { method: 'POST', path: '/v1/announcement', answer: 'json', record: true },
  getAnnouncement: { method: 'GET', path: '/v1/announcement/{id}', answer: 'json' },
  putAnnouncement: { method: 'PUT', path: '/v1/announcement/{id}', answer: 'json', record: true },
  patchAnnouncement: { method: 'PATCH', path: '/v1/announcement/{id}', answer: 'json', record: true },
  deleteAnnouncement: { method: 'DELETE', path: '/v1/announcement/{id}', answer: 'json' },
  listVoicemailBoxes: { method: 'GET', path: '/v1/voicemail_boxes', answer: 'json' },
  createVoicemailBox: { method: 'POST', path: '/v1/voicemail_box', answer: 'json', record: true },
  getVoicemailBox: { method: 'GET', path: '/v1/voicemail_box/{id}', answer: 'json' },
  putVoicemailBox: { method: 'PUT', path: '/v1/voicemail_box/{id}', answer: 'json', record: true },
  patchVoicemailBox: { method: 'PATCH', path: '/v1/voicemail_box/{id}', answer: 'json', record: true },
  deleteVoicemailBox: { method: 'DELETE', path: '/v1/voicemail_box/{id}', answer: 'json' },
  listRooms: { method: 'GET', path: '/v1/rooms', answer: 'json' },
  createRoom: { method: 'POST', path: '/v1/room', answer: 'json', record: true },
  getRoom: { method: 'GET', path: '/v1/room/{id}', answer: 'json' },
  putRoom: { method: 'PUT', path: '/v1/room/{id}', answer: 'json', record: true },
  patchRoom: { method: 'PATCH', path: '/v1/room/{id}', answer: 'json', record: true },
  deleteRoom: { method: 'DELETE', path: '/v1/room/{id}', answer: 'json' },
  getRoomParticipants: { method: 'GET', path: '/v1/room/{id}/participants', answer: 'json' },
  lockRoom: { method: 'POST', path: '/v1/room/{id}/lock', answer: 'json' },
  unlockRoom: { method: 'POST', path: '/v1/room/{id}/unlock', answer: 'json' },
  muteParticipant: { method: 'POST', path: '/v1/room/{id}/mute', answer: 'json' },
  unmuteParticipant: { method: 'POST', path: '/v1/room/{id}/unmute', answer: 'json' },
  removeParticipant: { method: 'POST', path: '/v1/room/{id}/remove', answer: 'json' },
  listCollects: { method: 'GET', path: '/v1/collects', answer: 'json' },
  createCollect: { method: 'POST', path: '/v1/collect', answer: 'json', record: true },
  getCollect: { method: 'GET', path: '/v1/collect/{id}', answer: 'json' },
  putCollect: { method: 'PUT', path: '/v1/collect/{id}', answer: 'json', record: true },
  patchCollect: { method: 'PATCH', path: '/v1/collect/{id}', answer: 'json', record: true },
  deleteCollect: { method: 'DELETE', path: '/v1/collect/{id}', answer: 'json' },
  listCollectVersions: { method: 'GET', path: '/v1/collect/{id}/versions', answer: 'json' },
  restoreCollect: { method: 'POST', path: '/v1/collect/{id}/restore/{version}', answer: 'json', record: true },
  listRequests: { method: 'GET', path: '/v1/requests', answer: 'json' },
  createRequest: { method: 'POST', path: '/v1/request', answer: 'json', record: true },
  getRequest: { method: 'GET', path: '/v1/request/{id}', answer: 'json' },
  putRequest: { method: 'PUT', path: '/v1/request/{id}', answer: 'json', record: true },
  patchRequest: { method: 'PATCH', path: '/v1/request/{id}', answer: 'json', record: true },
  deleteRequest: { method: 'DELETE', path: '/v1/request/{id}', answer: 'json' },
  listRequestVersions: { method: 'GET', path: '/v1/request/{id}/versions', answer: 'json' },
  restoreRequest: { method: 'POST', path: '/v1/request/{id}/restore/{version}', answer: 'json', record: true },
  listStreams: { method: 'GET', path: '/v1/streams', answer: 'json' },
  createStream: { method: 'POST', path: '/v1/stream', answer: 'json', record: true },
  getStream: { method: 'GET', path: '/v1/stream/{id}', answer: 'json' },
  putStream: { method: 'PUT', path: '/v1/stream/{id}', answer: 'json', record: true },
  patchStream: { method: 'PATCH', path: '/v1/stream/{id}', answer: 'json', record: true },
  deleteStream: { method: 'DELETE', path: '/v1/stream/{id}', answer: 'json' },
  listStreamVersions: { method: 'GET', path: '/v1/stream/{id}/versions', answer: 'json' },
  restoreStream: { method: 'POST', path: '/v1/stream/{id}/restore/{version}', answer: 'json', record: true },
  listSwitches: { method: 'GET', path: '/v1/switches', answer: 'json' },
  createSwitch: { method: 'POST', path: '/v1/switch', answer: 'json', record: true },
  getSwitch: { method: 'GET', path: '/v1/switch/{id}', answer: 'json' },
  putSwitch: { method: 'PUT', path: '/v1/switch/{id}', answer: 'json', record: true },
  patchSwitch: { method: 'PATCH', path: '/v1/switch/{id}', answer: 'json', record: true },
  deleteSwitch: { method: 'DELETE', path: '/v1/switch/{id}', answer: 'json' },
  listSwitchVersions: { method: 'GET', path: '/v1/switch/{id}/versions', answer: 'json' },
  restoreSwitch: { method: 'POST', path: '/v1/switch/{id}/restore/{version}', answer: 'json', record: true },
  listMessages: { method: 'GET', path: '/v1/messages', answer: 'json' },
  createMessage: { method: 'POST', path: '/v1/message', answer: 'json', record: true },
  getMessage: { method: 'GET', path: '/v1/message/{id}', answer: 'json' },
  putMessage: { method: 'PUT', path: '/v1/message/{id}', answer: 'json', record: true },
  patchMessage: { method: 'PATCH', path: '/v1/message/{id}', answer: 'json', record: true },
  deleteMessage: { method: 'DELETE', path: '/v1/message/{id}', answer: 'json' },
  listMessageVersions: { method: 'GET', path: '/v1/message/{id}/versions', answer: 'json' },
  restoreMessage: { method: 'POST', path: '/v1/message/{id}/restore/{version}', answer: 'json', record: true },
  listSipAddresses: { method: 'GET', path: '/v1/sip_addresses', answer: 'json' },
  createSipAddress: { method: 'POST', path: '/v1/sip_address', answer: 'json', record: true },
  getSipAddress: { method: 'GET', path: '/v1/sip_address/{id}', answer: 'json' },
  putSipAddress: { method: 'PUT', path: '/v1/sip_address/{id}', answer: 'json', record: true },
  patchSipAddress: { method: 'PATCH', path: '/v1/sip_address/{id}', answer: 'json', record: true },
  deleteSipAddress: { method: 'DELETE', path: '/v1/sip_address/{id}', answer: 'json' },
  listSipAddressVersions: { method: 'GET', path: '/v1/sip_address/{id}/versions', answer: 'json' },
  restoreSipAddress: { method: 'POST', path: '/v1/sip_address/{id}/restore/{version}', answer: 'json', record: true },
  listBlockedNumbers: { method: 'GET', path: '/v1/blocked_numbers', answer: 'json' },
  createBlockedNumber: { method: 'POST', path: '/v1/blocked_number', answer: 'json', record: true },
  getBlockedNumber: { method: 'GET', path: '/v1/blocked_number/{id}', answer: 'json' },
  putBlockedNumber: { method: 'PUT', path: '/v1/blocked_number/{id}', answer: 'json', record: true },
  patchBlockedNumber: { method: 'PATCH', path: '/v1/blocked_number/{id}', answer: 'json', record: true },
  deleteBlockedNumber: { method: 'DELETE', path: '/v1/blocked_number/{id}', answer: 'json' },
  listCallerIdRules: { method: 'GET', path: '/v1/caller_id_rules', answer: 'json' },
  createCallerIdRule: { method: 'POST', path: '/v1/caller_id_rule', answer: 'json', record: true },
  getCallerIdRule: { method: 'GET', path: '/v1/caller_id_rule/{id}', answer: 'json' },
  putCallerIdRule: { method: 'PUT', path: '/v1/caller_id_rule/{id}', answer: 'json', record: true },
  patchCallerIdRule: { method: 'PATCH', path: '/v1/caller_id_rule/{id}', answer: 'json', record: true },
  deleteCallerIdRule: { method: 'DELETE', path: '/v1/caller_id_rule/{id}', answer: 'json' },
  listVoicemails: { method: 'GET', path: '/v1/voicemails', answer: 'json' },
  getVoicemail: { method: 'GET', path: '/v1/voicemail/{id}', answer: 'json' },
  deleteVoicemail: { method: 'DELETE', path: '/v1/voicemail/{id}', answer: 'json' },
  getVoicemailAudio: { method: 'GET', path: '/v1/voicemail/{id}/audio', answer: 'response' },
  markVoicemailHeard: { method: 'POST', path: '/v1/voicemail/{id}/heard', answer: 'json', record: true },
  markVoicemailUnheard: { method: 'POST', path: '/v1/voicemail/{id}/unheard', answer: 'json', record: true },
  listCallRecordings: { method: 'GET', path: '/v1/call/recordings', answer: 'json' },
  getCallRecording: { method: 'GET', path: '/v1/call/recording/{id}', answer: 'json' },
  deleteCallRecording: { method: 'DELETE', path: '/v1/call/recording/{id}', answer: 'json' },
  getCallRecordingAudio: { method: 'GET', path: '/v1/call/recording/{id}/audio', answer: 'response' },
  listSmsTemplates: { method: 'GET', path: '/v1/sms_templates', answer: 'json' },
  createSmsTemplate: { method: 'POST', path: '/v1/sms_template', answer: 'json', record: true },
  getSmsTemplate: { method: 'GET', path: '/v1/sms_template/{id}', answer: 'json' },
  putSmsTemplate: { method: 'PUT', path: '/v1/sms_template/{id}', answer: 'json', record: true },
  patchSmsTemplate: { method: 'PATCH', path: '/v1/sms_template/{id}', answer: 'json', record: true },
  deleteSmsTemplate: { method: 'DELETE', path: '/v1/sms_template/{id}', answer: 'json' },
  listSms: { method: 'GET', path: '/v1/sms', answer: 'json' },
  createSms: { method: 'POST', path: '/v1/sms', answer: 'json', record: true },
  getSms: { method: 'GET', path: '/v1/sms/{id}', answer: 'json' },
  reportSms: { method: 'POST', path: '/v1/sms/{id}/delivery', answer: 'json', record: true },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', answer: 'json' },
  createWebhook: { method: 'POST', path: '/v1/webhook', answer: 'json', record: true },
  getWebhook: { method: 'GET', path: '/v1/webhook/{id}', answer: 'json' },
  putWebhook: { method: 'PUT', path: '/v1/webhook/{id}', answer: 'json', record: true },
  patchWebhook: { method: 'PATCH', path: '/v1/webhook/{id}', answer: 'json', record: true },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhook/{id}', answer: 'json' },
  renewWebhookSecret: { method: 'POST', path: '/v1/webhook/{id}/secret', answer: 'json', record: true },
  testWebhook: { method: 'POST', path: '/v1/webhook/{id}/test', answer: 'json' },
  listDeliveries: { method: 'GET', path: '/v1/webhook/{id}/deliveries', answer: 'json' },
  getDelivery: { method: 'GET', path: '/v1/webhook/{id}/delivery/{delivery}', answer: 'json' },
  replayWebhook: { method: 'POST', path: '/v1/webhook/{id}/replay', answer: 'json' },
  exportCallRecords: { method: 'GET', path: '/v1/call/records.csv', answer: 'response' },
  exportCallWorkbook: { method: 'GET', path: '/v1/call/records.xlsx', answer: 'response' },
  exportStatistics: { method: 'GET', path: '/v1/statistics.csv', answer: 'response' },
  exportStatisticsWorkbook: { method: 'GET', path: '/v1/statistics.xlsx', answer: 'response' },
  getReport: { method: 'GET', path: '/v1/report', answer: 'json' },
  sendReport: { method: 'POST', path: '/v1/report/send', answer: 'json' },
  sendTestMail: { method: 'POST', path: '/v1/mail/test', answer: 'json' },
  getConfiguration: { method: 'GET', path: '/v1/configuration', answer: 'json' },
  patchConfiguration: { method: 'PATCH', path: '/v1/configuration', answer: 'json', record: true },
  getIvrStatistics: { method: 'GET', path: '/v1/ivr/{id}/statistics', answer: 'json' },
  getStatistics: { method: 'GET', path: '/v1/statistics', answer: 'json' },
  listIvrStatistics: { method: 'GET', path: '/v1/statistics/ivrs', answer: 'json' },
  listLiveCalls: { method: 'GET', path: '/v1/live_calls', answer: 'json' },
  followCalls: { method: 'GET', path: '/v1/live_calls/events', answer: 'response' },
  getLiveState: { method: 'GET', path: '/v1/live_state', answer: 'json' },
  followLiveState: { method: 'GET', path: '/v1/live_state/events', answer: 'response' },
  getHealth: { method: 'GET', path: '/v1/health', answer: 'json' },
  getPrompts: { method: 'GET', path: '/v1/prompts', answer: 'json' },
  hangUpCall: { method: 'POST', path: '/v1/call/hangup', answer: 'json' },
  transferCall: { method: 'POST', path: '/v1/call/transfer', answer: 'json' },
  completeTransfer: { method: 'POST', path: '/v1/call/transfer/complete', answer: 'json' },
  cancelTransfer: { method: 'POST', path: '/v1/call/transfer/cancel', answer: 'json' },
  listenIn: { method: 'POST', path: '/v1/call/listen', answer: 'json' },
  addParty: { method: 'POST', path: '/v1/call/add', answer: 'json' },
  placeCall: { method: 'POST', path: '/v1/call', answer: 'json' },
  clickToCall: { method: 'POST', path: '/v1/click_to_call', answer: 'json' },
  getIceServers: { method: 'GET', path: '/v1/ice_servers', answer: 'json' },
  createPhoneSession: { method: 'POST', path: '/v1/phone_session', answer: 'json' },
  listPhoneSessions: { method: 'GET', path: '/v1/phone_sessions', answer: 'json' },
  deletePhoneSession: { method: 'DELETE', path: '/v1/phone_session/{id}', answer: 'json' },
  createButtonSession: { method: 'POST', path: '/v1/call_button/{key}/session', answer: 'json' },
  listNodes: { method: 'GET', path: '/v1/nodes', answer: 'json' },
  drainNode: { method: 'POST', path: '/v1/node/{id}/drain', answer: 'json' },
  resumeNode: { method: 'POST', path: '/v1/node/{id}/resume', answer: 'json' },
  listReferences: { method: 'GET', path: '/v1/references/{kind}/{id}', answer: 'json' },
  listDeletedRecords: { method: 'GET', path: '/v1/deleted_records', answer: 'json' },
  restoreDeletedRecord: { method: 'POST', path: '/v1/deleted_record/{id}/restore', answer: 'json' },
  eraseDeletedRecord: { method: 'DELETE', path: '/v1/deleted_record/{id}', answer: 'json' },
  getDraft: { method: 'GET', path: '/v1/draft', answer: 'json' },
  discardDraft: { method: 'DELETE', path: '/v1/draft', answer: 'json' },
  checkDraft: { method: 'POST', path: '/v1/draft/check', answer: 'json' },
  simulateDraft: { method: 'POST', path: '/v1/draft/simulate', answer: 'json' },
  publishDraft: { method: 'POST', path: '/v1/draft/publish', answer: 'json' },
  discardDrafted: { method: 'DELETE', path: '/v1/draft/{kind}/{id}', answer: 'json' },
  listPublications: { method: 'GET', path: '/v1/publications', answer: 'json' },
  rollBack: { method: 'POST', path: '/v1/publication/{id}/roll_back', answer: 'json' },
  listAudit: { method: 'GET', path: '/v1/audit', answer: 'json' },
  listCallRecords: { method: 'GET', path: '/v1/call/records', answer: 'json' },
  getCallRecord: { method: 'GET', path: '/v1/call/record/{id}', answer: 'json' },
  listTokens: { method: 'GET', path: '/v1/tokens', answer: 'json' },
  createToken: { method: 'POST', path: '/v1/token', answer: 'json', record: true },
  revokeToken: { method: 'DELETE', path: '/v1/token/{id}', answer: 'json' },
  listNotifications: { method: 'GET', path: '/v1/notifications', answer: 'json' },
  getWallboard: { method: 'GET', path: '/v1/wallboard', answer: 'json' },
  putWallboard: { method: 'PUT', path: '/v1/wallboard', answer: 'json' },
  getSession: { method: 'GET', path: '/v1/session', answer: 'json' },
  createSession: { method: 'POST', path: '/v1/session', answer: 'json' },
  deleteSession: { method: 'DELETE', path: '/v1/session', answer: 'json' },
  createSignInLink: { method: 'POST', path: '/v1/session/link', answer: 'json' },
  deleteSessions: { method: 'DELETE', path: '/v1/sessions', answer: 'json' },
  putCurrentSession: { method: 'POST', path: '/v1/session/current', answer: 'json' },
  listUsers: { method: 'GET', path: '/v1/users', answer: 'json' },
  createUser: { method: 'POST', path: '/v1/user', answer: 'json' },
  patchUser: { method: 'PATCH', path: '/v1/user/{id}', answer: 'json' },
  deleteUser: { method: 'DELETE', path: '/v1/user/{id}', answer: 'json' },
  createUserLink: { method: 'POST', path: '/v1/user/{id}/link', answer: 'json' },
  endUserSessions: { method: 'DELETE', path: '/v1/user/{id}/sessions', answer: 'json' },
  createOwner: { method: 'POST', path: '/v1/owner', answer: 'json' },
  readUserLink: { method: 'POST', path: '/v1/user_link', answer: 'json' },
  acceptUserLink: { method: 'POST', path: '/v1/user_link/accept', answer: 'json' },
  requestReset: { method: 'POST', path: '/v1/password_reset', answer: 'json' },
  getOwnUser: { method: 'GET', path: '/v1/me', answer: 'json' },
  putOwnName: { method: 'PUT', path: '/v1/me/name', answer: 'json' },
  putOwnPassword: { method: 'PUT', path: '/v1/me/password', answer: 'json' },
  endOwnSession: { method: 'DELETE', path: '/v1/me/session/{id}', answer: 'json' },
  beginTotp: { method: 'POST', path: '/v1/me/totp', answer: 'json' },
  confirmTotp: { method: 'POST', path: '/v1/me/totp/confirm', answer: 'json' },
  deleteTotp: { method: 'POST', path: '/v1/me/totp/off', answer: 'json' },
  resetSecondFactor: { method: 'DELETE', path: '/v1/user/{id}/second_factor', answer: 'json' },
  beginPasskey: { method: 'POST', path: '/v1/me/passkey/challenge', answer: 'json' },
  createPasskey: { method: 'POST', path: '/v1/me/passkey', answer: 'json' },
  deletePasskey: { method: 'DELETE', path: '/v1/me/passkey/{id}', answer: 'json' },
  beginPasskeySignIn: { method: 'POST', path: '/v1/session/passkey/challenge', answer: 'json' },
  signInByPasskey: { method: 'POST', path: '/v1/session/passkey', answer: 'json' },
  getTelephony: { method: 'GET', path: '/v1/telephony', answer: 'json' },
  listPhones: { method: 'GET', path: '/v1/agent/{eid}/phones', answer: 'json' },
  getSettings: { method: 'GET', path: '/v1/settings', answer: 'json' },
  putSettings: { method: 'PUT', path: '/v1/settings', answer: 'json', record: true },
  patchSettings: { method: 'PATCH', path: '/v1/settings', answer: 'json', record: true },
  getLimits: { method: 'GET', path: '/v1/limits', answer: 'json' },
  healthz: { method: 'GET', path: '/healthz', answer: 'json' },
  readyz: { method: 'GET', path: '/readyz', answer: 'json' },
  metrics: { method: 'GET', path: '/metrics', answer: 'text' },
  openApi: { method: 'GET', path: '/openapi.json', answer: 'json' },
  docs: { method: 'GET', path: '/docs', answer: 'text' },
  docsErrors: { method: 'GET', path: '/docs/errors', answer: 'text' },
  docsAsset: { method: 'GET', path: '/docs/{file}', answer: 'text' },
  listContacts: { method: 'GET', path: '/v1/contacts', answer: 'json' },
  createContact: { method: 'POST', path: '/v1/contact', answer: 'json', record: true },
  getContact: { method: 'GET', path: '/v1/contact/{id}', answer: 'json' },
  putContact: { method: 'PUT', path: '/v1/contact/{id}', answer: 'json', record: true },
  patchContact: { method: 'PATCH', path: '/v1/contact/{id}', answer: 'json', record: true },
  deleteContact: { method: 'DELETE', path: '/v1/contact/{id}', answer: 'json' },
} as const;
