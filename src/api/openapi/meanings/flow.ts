// What the members of menus, prompts, hours and simulated calls mean. Keys are schemas of the document, then paths within them.
import type { Catalogue } from '../describe.ts';

const finding = {
  code: 'Which rule of the linter found it: docs/lint.md explains each.',
  severity:
    '`error`: callers will not get where they should, or do not hear what they should; `warning`: it works, but is likely not meant.',
  node: 'The record that it is about, such as `ivr||main`.',
  pointer: 'The member of that record, as a JSON pointer (RFC 6901).',
  message: 'What is wrong and what to do, in one sentence.',
};
const within = (list: string, members: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(members).map(([name, text]) => [`${list}[].${name}`, text]));

const step = {
  at_ms: 'Milliseconds since the call began.',
  code: 'What happened, as a stable word such as `option-matched`.',
  text: 'What happened and why, in one sentence.',
  node: 'Where in the flow it happened, such as `ivr||main`.',
  node_name: 'In a simulation: the name of that record.',
  keys: 'The keys that the caller pressed; `•` for each in a sensitive menu.',
  destination: 'Where the call goes next.',
  recording: 'The id of the recording that is played.',
  rung: 'The destinations whose phones ring.',
};

const trace = {
  entry: 'Where the call begins, such as `ivr||main`.',
  started_at: 'The moment at which the simulated call begins.',
  duration_ms: 'How long the simulated call lasts, in milliseconds.',
  outcome: 'How the simulated call ends.',
  'outcome.kind': 'What ended the call: a stable word.',
  'outcome.destination': 'The destination that the call ends at; null where it ends without one.',
  'outcome.reason': 'Why it ends, as a stable word such as `caller-hung-up`.',
  'outcome.cause': 'The ITU-T Q.850 cause that the telephone network is given.',
  'outcome.word': 'The name of that cause.',
  'outcome.text': 'Why it ends, in one sentence.',
  steps: 'Everything that happens in the call, in order.',
  ...within('steps', step),
  heard: 'When the caller hears each prompt.',
  'heard[].at_ms': 'When it begins, in milliseconds since the call began.',
  'heard[].ms': 'How long it is heard, in milliseconds.',
  visited: 'Each destination that the call comes to, in order.',
  sms: 'The ids of SMS templates that are sent in the call.',
  variables: 'The variables of the call at its end, by name.',
  unused_steps: 'The rest of the script, which the call did not get to.',
  steps_left_out: 'How many steps are missing since they would make the answer larger than 1 MiB.',
};

const test = {
  name: 'The name of the test, as the menu has it.',
  passed: 'Whether everything under `expect` came true.',
  differences: 'What came out otherwise than expected, one sentence each; empty where it passed.',
};

const scenario = {
  script:
    'What the caller and the called do, step by step. Example: `9,wait,1,answer 4s` presses 9, waits, presses 1, and the agent answers after 4 s. docs/call-flow.md lists the words.',
  at: 'The moment at which the call begins, for time groups. Without it: now.',
  caller: 'The number that calls; null for a withheld number.',
  seed: 'A number from which random choices are made: the same seed gives the same call.',
  agents:
    'What each agent does when rung, by reference. Example: `{"extension||100001": "busy"}`. Words: `answer`, `answer 5s`, `busy`, `busy 30s`, `unreachable`, `no-answer`, `blocked`.',
  idle_since: 'Since when each agent has no call, in epoch milliseconds, by reference; for `longest_idle`.',
  last_rung: 'Which agent each department rang last, by reference; for `round_robin`.',
  waiting: 'How many callers wait in each department before this one, by reference.',
  signed_out:
    'Which agents are signed out of each department, by reference: its calls are not offered to them. Example: `{"department||1": ["extension||100001"]}`.',
  requests:
    'What your system answers to each request, by reference: `{ "answer": {…} }`, `{ "status": 500 }` or `{ "failure": "timeout" }`, each with `after_ms`. Others get an empty answer.',
  streams:
    'What the voice bot of each stream does, by reference: `{ "variables": {…}, "transfer": "extension||7", "after_ms": 2000 }` or `{ "failure": "broken" }`. Others talk for three seconds and hang up.',
  variables: 'Variables that the call begins with, by name.',
  dialled: 'The number that the caller dialled, for the variable of that name.',
};

export const SPOKEN =
  'A text that is spoken instead of `recording`, with the variables of the call: `{name}` is replaced. The sound is kept, and spoken again only when the text differs. Where it is not spoken within 4 seconds, `recording` is played, or a short tone, and the trail says so. Null: `recording` alone.';

export const FLOW: Catalogue = {
  Ivr: {
    name: 'The name of the menu, as console, records and SMS show it. Two menus may have the same name.',
    description: 'A note for people who configure the menu. Callers do not hear it.',
    recording:
      'The prompt that callers hear first and again at each retry. Keys count from its first moment on and stop it.',
    text: SPOKEN,
    timeout:
      'Seconds to wait for the first key after the prompt has ended. Example: with 5, silence for 5 s counts as one time-out; 0 does not wait.',
    option:
      'The keys that callers may press. Example: `["1", "2", "01"]`. Item *i* leads to item *i* of `destination`. No two may be the same.',
    destination:
      'Where each option leads, in the order of `option`. Example: `["extension||100001", "department||support"]`.',
    incorrect_count:
      'How many wrong entries are forgiven. Each of them plays `invalid_recording` and then the menu again; the next one leads to `invalid_destination`. Example: with 2, the third wrong entry ends the menu; with 0, the first.',
    invalid_recording: 'The prompt after a wrong entry that is forgiven, before the menu is played again.',
    invalid_destination: 'Where the call goes after more wrong entries than `incorrect_count`.',
    timeout_retry_recording: 'The prompt after silence that is forgiven, before the menu is played again.',
    timeout_recording: 'The prompt after the last silence, before the call goes to `timeout_destination`.',
    timeout_destination: 'Where the call goes after more silences than `timeout_tries`.',
    timeout_tries:
      'How often silence is forgiven. Each time plays `timeout_retry_recording` and then the menu again; the next silence leads to `timeout_destination`. Example: with 1, the second silence ends the menu.',
    timeout_retries: 'Accepted for clients that send it, and stored without effect: `timeout_tries` counts.',
    recording_invalid:
      'The prompt after the last wrong entry, before the call goes to `invalid_destination`. Null: `invalid_recording` is played there too.',
    sms_template:
      'The id of the SMS template that a caller is sent who chooses an option, in the order of `option`. Sent only where the setting `sms_templates` is on.',
    record_calls: 'Whether calls that come through this menu are recorded once two sides are connected.',
    sensitive:
      'Whether keys that are pressed here, such as a PIN, are hidden in records, webhooks and live events.',
    option_priority:
      'The priority in queues, from 0 to 100, of callers who choose an option, in the order of `option`: it replaces the one that they had. Null: they keep it.',
    webhook: 'The webhook that receives `call.option` when an option is chosen, in the order of `option`.',
    tests: 'Tests of the menu. A change is refused with 409 `tests_failed` while one of them fails.',
    'tests[].name': 'The name of the test, for messages.',
    'tests[].expect': 'What must come of the call. What is not named here may be anything.',
    'tests[].expect.outcome': 'What must end the call: the `outcome.kind` of a trace.',
    'tests[].expect.destination': 'Where the call must end, such as `department||sales`.',
    'tests[].expect.reason': 'Why the call must end, as a stable word such as `no-answer`.',
    'tests[].expect.cause': 'The ITU-T Q.850 cause that the call must end with.',
    'tests[].expect.heard':
      'Recordings that the caller must hear, in this order; others may lie between them.',
    'tests[].expect.visited':
      'Destinations that the call must come to, in this order; others may lie between them.',
    'tests[].expect.variables':
      'Variables that the call must have at its end, by name. One that is not set is empty.',
    'tests[].expect.sms': 'The SMS templates that must be sent: all of them, in order.',
    'tests[].expect.within_ms': 'How long the call may last at most, in milliseconds.',
    ...Object.fromEntries(Object.entries(scenario).map(([name, text]) => [`tests[].${name}`, text])),
    'tests[].at':
      'The moment at which the call begins, for time groups. Without it: Monday, 5 January 2026, 10:00 UTC, so that a test says the same each day.',
    warnings: 'What the linter says of the menu.',
    ...within('warnings', finding),
  },
  SimulateIvrInput: scenario,
  SimulateUnsavedInput: { ...scenario, ivr: 'The menu to call, as POST /v1/ivr takes it. It is not stored.' },
  SimulateDraftInput: { ...scenario, entry: 'Where the call begins, as a destination such as `ivr||main`.' },
  Findings: { data: 'What was found, the gravest first.', ...within('data', finding) },
  Trace: trace,
  TestResults: {
    data: 'One result for each test of the menu, in order.',
    ...within('data', test),
    'data[].trace':
      'The whole simulated call, for the test that `trace` names; left out where the test types a PIN that the user may not see.',
    ...Object.fromEntries(Object.entries(trace).map(([path, text]) => [`data[].trace.${path}`, text])),
  },
  Announcement: {
    name: 'The name of the announcement, as the console shows it.',
    recording: 'The prompt that is played once, to its end. Null: `text` is spoken.',
    text: SPOKEN,
    destination: 'Where the call goes when the prompt has ended.',
  },
  TimeGroup: {
    name: 'The name of the time group, as the console and agents show it.',
    timezone: 'Whose wall clock the times are, in summer and winter.',
    weekly: 'When it is open in an ordinary week. Empty: never, but for exceptions.',
    'weekly[].days': 'The days on which this time begins.',
    'weekly[].from': 'When it opens.',
    'weekly[].to': 'When it closes. At or before `from`: on the next day.',
    exceptions:
      'Holidays and other dates on which the week does not count. Of several that cover a day the first decides.',
    'exceptions[].name': 'Why the day is different, such as `Christmas`.',
    'exceptions[].from': 'The first day: `2026-12-30`, or `12-24` for every year.',
    'exceptions[].to': 'The last day, included. Without it: one day.',
    'exceptions[].hours': 'When it is open on those days. Empty: closed all day.',
    'exceptions[].hours[].from': 'When it opens on those days.',
    'exceptions[].hours[].to': 'When it closes on those days. At or before `from`: on the next day.',
    open_destination:
      'Where calls to `timegroup||<id>` go while it is open. Null where the group only serves as the hours of agents.',
    closed_until:
      'Closed until then, whatever the week and the exceptions say: for a meeting or an illness. Null, or a time that has passed: the week and the exceptions decide.',
    closed_destination: 'Where calls to `timegroup||<id>` go while it is closed.',
    open_now: 'Whether it is open at this moment, or at `at`.',
    exception_now: 'The name of the exception that decides today; null: the week does.',
    next_change: 'When it next opens or closes; null: not within 400 days.',
  },
  Recording: {
    name: 'The name of the recording, as the console shows it. Without it: made from the file, the URL or the text.',
    description: 'A note for people who configure menus. Callers do not hear it.',
    url: 'Where the sound is fetched from, once, when the request arrives. Example: `https://example.com/welcome.mp3`.',
    text: 'A text that the service synthesizes to speech.',
    voice: 'The voice of espeak-ng that speaks `text`, such as `en`, `de` or `en-us+f3`.',
    speed: 'How fast `text` is spoken, in words per minute.',
    copy_of:
      'A recording of this account whose sound is copied, with where it came from. Needs a `name`; later changes of the other recording do not reach the copy. Example: `recording||welcome`.',
    file: 'The sound itself, as a file: WAV, FLAC, MP3, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis). Its first bytes say which, not its name.',
    source: 'Where the sound came from: a `file`, a `url` or a `text`; null: not known.',
    sha256: 'The SHA-256 of the converted sound, in hexadecimal digits.',
    duration_ms: 'How long callers hear it, in milliseconds.',
    format:
      'What was sent, such as `WAV, 44100 Hz, 2 channels, 16 bit`. Null: stored before this was measured.',
    peak_db: 'The loudest sample of what was sent, in dB relative to full scale. Null: not measured.',
    gain_db: 'By how many dB the sound was raised or lowered. Null: not measured.',
    clipped_samples: 'How many samples of what was sent are cut off at full scale. Null: not measured.',
    leading_silence_ms: 'Silence at the beginning, in milliseconds. Null: not measured.',
    trailing_silence_ms: 'Silence at the end, in milliseconds. Null: not measured.',
    damaged: 'Whether parts of the file were missing or broken; the rest is played. Null: not known.',
    warnings: 'What callers may dislike about the sound, such as `clipped`, `quiet` or `silence-at-end`.',
  },
  Waveform: {
    duration_ms: 'How long the recording is, in milliseconds.',
    peaks: 'The loudest sample of each of `points` equal parts, from 0 to 1.',
  },
};
