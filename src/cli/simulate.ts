// dialtree simulate: a call without a phone, of a file or of a stored menu.
import { wantsColour } from '../config/config.ts';
import type { Ref } from '../flow/node.ts';
import { simulate } from '../flow/simulate.ts';
import { readScenario, type Scenario } from '../flow/simulation/scenario.ts';
import { traceJson } from '../flow/simulation/trace.ts';
import { renderTimeline } from '../flow/timeline.ts';
import { referenceText, splitReference } from '../kinds/reference.ts';
import { withAccount } from './account-api.ts';
import { agentRefs, simulateInAccount, type Trace } from './account-flow.ts';
import { type Command, parseWords, UsageError } from './command.ts';
import { io, print, remark } from './io.ts';
import { faultLines, readMenuFile } from './menu-file.ts';
import { EITHER_DETAILS, REMOTE_OPTIONS } from './remote.ts';
import { assumptionLine, type Subject, subjectOf } from './subject.ts';

const OPTIONS = {
  ...REMOTE_OPTIONS,
  id: { type: 'string' },
  keys: { type: 'string' },
  at: { type: 'string' },
  agent: { type: 'string', multiple: true },
  caller: { type: 'string' },
  seed: { type: 'string' },
  waiting: { type: 'string', multiple: true },
  entry: { type: 'string' },
  account: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values'];

/** What a fault of a scenario is called where it was typed. */
const TYPED_AS: Readonly<Record<string, string>> = { script: 'keys', agents: 'agent' };

export const simulateCommand: Command = {
  usage: [['simulate <file> | --id <ivr id> [--keys "9,wait,1"] [--json]', 'try a menu without a phone']],
  details: [
    'A file is the payload of POST /v1/ivr, or what "dialtree export" wrote.',
    '',
    '  --keys "9,wait,1"         what the caller does: see docs/call-flow.md',
    '  --at <time>               the date and time of the call, such as 2026-12-24T18:00:00Z; without it now, and of a file always',
    '                            Monday, 5 January 2026, 10:00 UTC',
    '  --agent <ref>=<does>      answer, answer 5s, busy, busy 30s, unreachable, no-answer, paused or blocked; may be repeated:',
    '                            --agent "extension||100001=busy"',
    '  --waiting <ref>=<n>       callers in the queue before this one: --waiting "department||Sales=2"',
    '  --caller <number>         the number of the caller',
    '  --seed <n>                the same seed makes the same random choices',
    '  --entry <name>            which menu of an export file is called',
    '  --account <a>             whose menu --id is, by name or id',
    '  --json                    the trace as JSON',
    '',
    ...EITHER_DETAILS,
  ],
  options: OPTIONS,
  examples: ['simulate menu.json --keys "9,wait,1"', 'simulate --id main --at 2026-12-24T18:00:00Z'],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [file, ...more] = positionals;
    if (more.length > 0 || (file === undefined) === (values.id === undefined))
      throw new UsageError('Say which menu: a file, or --id <ivr id> for a stored one.');
    const scenario = scenarioOf(values);
    const { id = '', json = false } = values;
    if (file !== undefined) return simulateFile(file, scenario, values);
    if (values.entry !== undefined)
      throw new UsageError('--entry is for export files; --id says which menu it is.');
    return withAccount(config, values, async (dialtree) => {
      if (values.agent) refuseUnknownAgents(await agentRefs(dialtree), scenario);
      print(shown(await simulateInAccount(dialtree, id, typedScenario(values)), json));
      return 0;
    });
  },
};

function simulateFile(
  file: string,
  scenario: Omit<Scenario, 'entry'>,
  { entry, json = false }: Values,
): number {
  const read = readMenuFile(file);
  if (read.kind === 'faulty') {
    remark(faultLines(read));
    return 1;
  }
  const subject = subjectOf(read);
  const { flow } = subject;
  const agents = [...flow.nodes.values()].filter(({ kind }) => kind === 'agent').map(({ ref }) => ref);
  refuseUnknownAgents(agents, scenario);
  remark(assumptionLine(subject));
  // A file says nothing of a day: the same one each time.
  const trace = simulate(flow, { ...scenario, entry: entryOf(subject, entry) });
  print(shown({ shown: trace, json: traceJson(trace) }, json));
  if (trace.sms.length > 0) remark('Whether an account sends SMS is its setting; here it does.\n');
  return 0;
}

/** As it was typed: the service reads it again. */
function typedScenario({ keys, at, caller, seed, agent = [], waiting = [] }: Values): object {
  return {
    ...(keys === undefined ? {} : { script: keys }),
    ...(at === undefined ? {} : { at }),
    ...(caller === undefined ? {} : { caller }),
    ...(seed === undefined ? {} : { seed: /^-?\d{1,15}$/.test(seed) ? Number(seed) : Number.NaN }),
    agents: Object.fromEntries(agent.map(behaviourOf)),
    waiting: Object.fromEntries(waiting.map(countOf)),
  };
}

function scenarioOf(values: Values): Omit<Scenario, 'entry'> {
  const reading = readScenario(typedScenario(values));
  if (reading.ok) return reading.scenario;
  const said = reading.faults.map(({ pointer, message }) => {
    const [, member = '', ...rest] = pointer.split('/');
    return `--${TYPED_AS[member] ?? member}${rest.length > 0 ? ` ${rest.join('/')}` : ''}: ${message}`;
  });
  throw new UsageError(said.join('\n'));
}

function countOf(text: string): [Ref, number] {
  const sign = text.lastIndexOf('=');
  const count = text.slice(sign + 1).trim();
  if (sign < 1 || !/^\d{1,4}$/.test(count))
    throw new UsageError(`--waiting is written like "department||Sales=2", not "${text}".`);
  const { kind, id } = splitReference(text.slice(0, sign).trim());
  return [referenceText(kind, id), Number(count)];
}

/** `extension||100001=busy`. A name may hold "=", a state never does. */
function behaviourOf(text: string): [Ref, string] {
  const sign = text.lastIndexOf('=');
  if (sign < 1) throw new UsageError(`--agent is written like "extension||100001=busy", not "${text}".`);
  const { kind, id } = splitReference(text.slice(0, sign).trim());
  return [referenceText(kind, id), text.slice(sign + 1).trim()];
}

function refuseUnknownAgents(known: readonly Ref[], { agents = {} }: Omit<Scenario, 'entry'>): void {
  const unknown = Object.keys(agents).find((ref) => !known.some((each) => each === ref));
  if (unknown !== undefined)
    throw new UsageError(`--agent ${unknown}: there is no such agent here. There are: ${listed(known)}.`);
}

/** The menu that is called: the one named, the only one, or the only one that a number leads to. */
function entryOf({ menus, numbers }: Subject, name: string | undefined): Ref {
  const candidates = name === undefined ? menus : menus.filter(({ ivr }) => ivr.name === name);
  const entries = new Set(numbers?.map(({ destination }) => destination));
  const dialled = candidates.filter(({ ref }) => entries.has(ref));
  const [one, ...others] = candidates.length > 1 && dialled.length > 0 ? dialled : candidates;
  if (one && others.length === 0) return one.ref;
  const names = listed(menus.map(({ ivr }) => `"${ivr.name}"`));
  if (name !== undefined)
    throw new UsageError(`--entry ${name}: there is no such menu. There are: ${names}.`);
  throw new UsageError(`Say which menu is called with --entry <name>. There are: ${names}.`);
}

const MOST_LISTED = 20;

function listed(items: readonly string[]): string {
  const more = items.length > MOST_LISTED ? ` and ${items.length - MOST_LISTED} more` : '';
  return items.length === 0 ? 'none' : items.slice(0, MOST_LISTED).join(', ') + more;
}

function shown({ shown: trace, json: data }: Trace, json: boolean): string {
  if (json) return `${JSON.stringify(data, null, 2)}\n`;
  return renderTimeline(trace, { colour: wantsColour(io().isTerminal, io().environment) });
}
