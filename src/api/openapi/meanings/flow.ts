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

export const FLOW: Catalogue = {
  // Beside what kinds/ivr.ts says.
  Ivr: {
    ...Object.fromEntries(Object.entries(scenario).map(([name, text]) => [`tests[].${name}`, text])),
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
  Waveform: {
    duration_ms: 'How long the recording is, in milliseconds.',
    peaks: 'The loudest sample of each of `points` equal parts, from 0 to 1.',
  },
};
