// What each star code does.
import type { PresenceChange } from '../../domain/agent-presence.ts';
import { referenceTo } from '../../flow/node.ts';
import { splitReference } from '../../kinds/reference.ts';
import { pickUpAgents } from '../parking/pickups.ts';
import { entryOf } from '../routing/dialling.ts';
import type { FeatureName } from '../routing/star-codes.ts';
import {
  callWaitingOff,
  callWaitingOn,
  doNotDisturbOff,
  doNotDisturbOn,
  forwardOff,
  forwardTo,
  intercom,
} from './agent-features.ts';
import {
  type Feature,
  type FeatureAsked,
  type FeatureOutcome,
  type FeaturePrompt,
  failed,
  prompt,
  spokenDigits,
} from './feature.ts';

const ownNumber: Feature = ({ agent: { intercom } }) =>
  intercom === ''
    ? failed('The agent has no intercom number.')
    : { says: spokenDigits(intercom), done: `Said the intercom number ${intercom}.` };

const pause: Feature = (asked) => {
  const reason = reasonOf(asked);
  if (reason === null) return failed(`There is no reason ${asked.dialled.digits} to pause.`);
  const done = `The agent is paused${reason === '' ? '' : `: ${reason}`}.`;
  return changed(asked, { type: 'pause', reason }, 'agent-paused', done);
};

/** By its number in the account's list; without a list the digits are the reason. */
function reasonOf({ context, dialled: { digits } }: FeatureAsked): string | null {
  const { pause_reasons: reasons } = context.account.settings;
  if (digits === '' || reasons.length === 0) return digits;
  return reasons[Number(digits) - 1] ?? null;
}

const resume: Feature = (asked) =>
  changed(asked, { type: 'resume' }, 'agent-resumed', 'The pause has ended.');

const signIn: Feature = (asked) => {
  const departments = departmentsOf(asked);
  if (departments.length === 0) return failed(NO_DEPARTMENT);
  return changed(
    asked,
    { type: 'sign-in', departments },
    'signed-in',
    `Signed in to ${named(asked, departments)}.`,
  );
};

const signOut: Feature = (asked) => {
  const departments = departmentsOf(asked);
  if (departments.length === 0) return failed(NO_DEPARTMENT);
  return changed(
    asked,
    { type: 'sign-out', departments },
    'signed-out',
    `Signed out of ${named(asked, departments)}.`,
  );
};

const NO_DEPARTMENT = 'The agent is in no such department.';

/** Ids of the departments that the agent is in: the one that the number leads to, or all. */
function departmentsOf({ context, agent, dialled }: FeatureAsked): string[] {
  const { account } = context;
  const own = referenceTo('agent', agent.eid);
  const only = dialled.digits === '' ? null : (entryOf(account, dialled.digits) ?? '');
  const ids: string[] = [];
  for (const node of account.flow.nodes.values())
    if (node.kind === 'department' && node.agents.includes(own) && (only ?? node.ref) === node.ref)
      ids.push(splitReference(node.ref).id);
  return ids;
}

const named = ({ context }: FeatureAsked, departments: readonly string[]): string =>
  departments
    .map((id) => context.account.flow.nodes.get(referenceTo('department', id))?.name ?? id)
    .join(', ')
    .slice(0, 500);

async function changed(
  { context, agent }: FeatureAsked,
  change: PresenceChange,
  says: FeaturePrompt,
  done: string,
): Promise<FeatureOutcome> {
  try {
    await context.services.presences.change(context.account.id, agent.eid, change);
  } catch {
    return failed('The change could not be stored.');
  }
  return { says: [prompt(says)], done };
}

const pickup: Feature = ({ context, agentId, dialled }) => ({
  picksUpAt: pickUpAgents(context.account, agentId, dialled),
});

export const FEATURES: Readonly<Record<FeatureName, Feature>> = {
  'sign-out': signOut,
  'sign-in': signIn,
  pause,
  resume,
  'own-number': ownNumber,
  'do-not-disturb-on': doNotDisturbOn,
  'do-not-disturb-off': doNotDisturbOff,
  'forward-always': forwardTo('forward_always'),
  'forward-always-off': forwardOff('forward_always'),
  'forward-busy': forwardTo('forward_busy'),
  'forward-busy-off': forwardOff('forward_busy'),
  'forward-no-answer': forwardTo('forward_no_answer'),
  'forward-no-answer-off': forwardOff('forward_no_answer'),
  'call-waiting-on': callWaitingOn,
  'call-waiting-off': callWaitingOff,
  intercom,
  pickup,
  'pickup-group': pickup,
};
