// Star codes by which agents say where their calls go: do not disturb, forwarding, call waiting; and calls that a phone answers by itself.
import { referenceTo } from '../../flow/node.ts';
import { dialledByAgent } from '../routing/dialling.ts';
import type { AgentChange } from './agent-settings.ts';
import { type Feature, type FeatureOutcome, failed, prompt, spokenDigits } from './feature.ts';

type Forward = 'forward_always' | 'forward_busy' | 'forward_no_answer';

/** Done when it is stored: the next call goes by it. */
const changes =
  (change: AgentChange, says: 'activated' | 'deactivated', done: string): Feature =>
  async (asked) =>
    store(asked, change, { says: [prompt(says)], done });

export const doNotDisturbOn = changes({ do_not_disturb: true }, 'activated', 'Do not disturb is on.');
export const doNotDisturbOff = changes({ do_not_disturb: false }, 'deactivated', 'Do not disturb is off.');
export const callWaitingOn = changes({ call_waiting: true }, 'activated', 'Call waiting is on.');
export const callWaitingOff = changes({ call_waiting: false }, 'deactivated', 'Call waiting is off.');

const WORDS: Readonly<Record<Forward, string>> = {
  forward_always: 'All direct calls',
  forward_busy: 'Direct calls while busy',
  forward_no_answer: 'Direct calls that are not answered',
};

/** To a number that the agent may dial (docs/threat-model.md T1); whether it still may be dialled is asked with each call. */
export const forwardTo =
  (member: Forward): Feature =>
  async (asked) => {
    const { context, agent, dialled } = asked;
    const to = dialledByAgent(context.account, dialled.digits);
    if ('status' in to) return failed(`${dialled.digits} may not be dialled: nothing is forwarded.`);
    if (to.entry === referenceTo('agent', agent.eid)) return failed('Calls cannot be forwarded to oneself.');
    const says = [prompt('activated'), ...spokenDigits(dialled.digits)];
    return store(
      asked,
      { [member]: to.entry },
      { says, done: `${WORDS[member]} are forwarded to ${to.entry}.` },
    );
  };

export const forwardOff = (member: Forward): Feature =>
  changes({ [member]: null }, 'deactivated', `${WORDS[member]} are not forwarded.`);

/** The colleague's phone answers by itself, and beeps. */
export const intercom: Feature = ({ context, dialled }) => {
  const { account } = context;
  const colleague = account.intercoms.get(dialled.digits);
  if (!account.settings.intercom_auto_answer) return { refusal: { status: 403 } };
  if (!colleague) return { refusal: { status: 404 } };
  const entry = referenceTo('agent', colleague.eid);
  return { to: { account, flow: account.flow, entry, direction: 'internal', autoAnswer: true } };
};

async function store(
  { context, agent }: Parameters<Feature>[0],
  change: AgentChange,
  outcome: FeatureOutcome,
): Promise<FeatureOutcome> {
  try {
    const isDone = await context.services.agentSettings.change(context.account.id, agent.eid, change);
    return isDone ? outcome : failed('The agent does not exist any more, or changes all the time.');
  } catch {
    return failed('The database could not be written.');
  }
}
