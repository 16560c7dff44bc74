// Text messages of a call: whether one is sent, and what of the call stands in it (call rule 3).

import { noteUnset, variableOf } from './filling.ts';
import type { Ref } from './node.ts';
import { isTextable } from './textable.ts';
import type { Turn } from './turn.ts';
import { variablesIn } from './variables.ts';

export interface WantedText {
  readonly template: string;
  /** Null if there is no number. */
  readonly to: string | null;
  readonly shownTo?: string;
  /** What happened in the call decides the number: the caller may have typed it. */
  readonly chosen?: boolean;
  readonly keys: string;
  readonly destination: Ref;
}

export function queueText(turn: Turn, node: Ref, wanted: WantedText): void {
  const { template, to, shownTo = to, keys, destination } = wanted;
  const why = reasonAgainst(turn, template, to, shownTo);
  if (why !== null || to === null) {
    turn.note(node, 'sms-skipped', `SMS template ${templateName(turn, template)} is not used: ${why}.`);
    return;
  }
  // The text is stored and sent; the sign of a hidden key would make it a longer one, in another alphabet.
  const visible = turn.shown(keys) === keys ? keys : '';
  const variables = valuesFor(turn, node, template);
  const plain = { type: 'queue-sms', node, template, to, keys: visible, destination } as const;
  const action = wanted.chosen ? ({ ...plain, chosen: true } as const) : plain;
  turn.act(variables ? { ...action, variables } : action);
  turn.note(node, 'sms-queued', `SMS template ${templateName(turn, template)} is queued for ${shownTo}.`);
}

/** What the SMS itself knows without the call's variables: kinds/sms-text.ts. */
const OWN = new Set(['caller', 'name', 'dialled', 'option', 'ivr', 'destination', 'agent']);

/** The values of the template's variables; sensitive ones stay empty, since the text is stored. */
function valuesFor(turn: Turn, node: Ref, template: string): Readonly<Record<string, string>> | null {
  const text = turn.flow.templates?.get(template)?.text ?? '';
  const names = variablesIn(text).filter((name) => !OWN.has(name));
  if (names.length === 0) return null;
  const values: [string, string][] = names.map((name) => {
    const found = variableOf(turn, name);
    if (!found) noteUnset(turn, node, name);
    return [name, found && !found.sensitive ? found.value : ''];
  });
  return Object.fromEntries(values);
}

function templateName({ flow }: Turn, template: string): string {
  const found = flow.templates?.get(template);
  return found ? `“${found.name}”` : template;
}

function reasonAgainst(
  { flow }: Turn,
  template: string,
  to: string | null,
  shownTo: string | null,
): string | null {
  if (!flow.settings.smsTemplates) return 'the setting is off';
  if (to === null) return 'the caller has no number';
  if (!isTextable(to)) return `${shownTo} is not a number that can receive an SMS`;
  if (flow.templates === null) return null;
  const found = flow.templates.get(template);
  if (!found) return 'it does not exist';
  return found.active ? null : 'it is inactive';
}
