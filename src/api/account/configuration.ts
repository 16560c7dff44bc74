// How the service runs, for the operator alone, without secrets: what the environment fixes, what is stored, and what may be set by request.

import type { Sealer } from '../../domain/sealer.ts';
import {
  openVariables,
  SETTABLE_VARIABLES,
  type SettableVariable,
  storedForm,
  type VariableValues,
} from '../../domain/service-variable.ts';
import { readRecord } from '../../kinds/field.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { DEAD_AFTER_MS } from '../../storage/ports/nodes.ts';
import { type ApiContext, done, type Handler } from '../http/handler.ts';
import { sealFor } from '../records/seal.ts';
import { CONFIGURATION_FIELDS, memberOf } from '../schemas/configuration.ts';
import type { ShownSetting, ShownSettings } from './operator.ts';

const OPERATOR_ONLY = problem(
  'operator_only',
  'Only tokens of the operator’s account, which is the first one of the installation, may do this.',
);

export const getConfiguration: Handler = async (request, context) => {
  const { operator, capabilities, configuration } = context;
  if (!(await operator.is(request.account.id))) return OPERATOR_ONLY;
  const { mail, sms, speech, network } = configuration.shown(await storedValues(context));
  return {
    status: 200,
    json: {
      mail: { ready: capabilities.email, variables: mail },
      sms: { ready: capabilities.sms, variables: sms },
      speech: { ready: capabilities.speech, variables: speech },
      network: { ready: true, variables: network },
    },
  };
};

interface Change {
  readonly name: SettableVariable;
  /** Null if the default holds again. */
  readonly value: string | null;
}

/** A variable that is not sent keeps its value; null and "" remove the stored one. It holds from the next start on. */
export const patchConfiguration: Handler = async (request, context) => {
  const { storage, operator, configuration } = context;
  const { account, body, nowMs } = request;
  if (!(await operator.is(account.id))) return OPERATOR_ONLY;
  const given = readRecord(CONFIGURATION_FIELDS, body.value);
  if (isProblem(given)) return given;
  const members: Readonly<Record<string, string | null>> = given;
  const changes = SETTABLE_VARIABLES.filter((name) => body.value[memberOf(name)] !== undefined).map(
    (name): Change => ({ name, value: members[memberOf(name)]?.trim() || null }),
  );
  const refused = await refusalOf(changes, context);
  if (refused) return refused;
  if (changes.length === 0) return done(200, 'Nothing was sent: nothing changed');
  const values = await storedValues(context);
  const [before, after] = [values, changed(values, changes)].map((each) =>
    sentOf(changes, configuration.shown(each)),
  ) as [ShownSetting[], ShownSetting[]];
  const seal: Sealer['seal'] = (secret, place) => sealFor(context, place, secret);
  await storage.changeVariables({
    accountId: account.id,
    changes: changes.map(({ name, value }) => ({
      name,
      value: value === null ? null : storedForm(name, value, seal),
    })),
    atMs: nowMs,
    before: audited(before),
    after: audited(after),
  });
  const pending = after.filter(({ pending_restart }) => pending_restart).map(({ name }) => name);
  return done(200, pending.length === 0 ? 'Stored' : `Stored. After the next start: ${pending.join(', ')}`);
};

async function storedValues({ storage, sealer }: ApiContext): Promise<VariableValues> {
  return openVariables(await storage.listVariables(), sealer).values;
}

function changed(values: VariableValues, changes: readonly Change[]): VariableValues {
  const all: Partial<Record<SettableVariable, string>> = { ...values };
  for (const { name, value } of changes)
    if (value === null) delete all[name];
    else all[name] = value;
  return all;
}

const sentOf = (changes: readonly Change[], { mail, sms, network }: ShownSettings): ShownSetting[] =>
  [...mail, ...sms, ...network].filter(({ name }) => changes.some((change) => change.name === name));

/** What may be shown of each: no password comes into the audit. */
const audited = (settings: readonly ShownSetting[]): object =>
  Object.fromEntries(settings.map(({ name, next_value }) => [memberOf(name), next_value]));

async function refusalOf(
  changes: readonly Change[],
  { configuration, storage }: ApiContext,
): Promise<Problem | null> {
  const faults = new Faults();
  for (const { name, value } of changes) {
    const member = memberOf(name);
    const at = `/${member}`;
    if (configuration.isFixed(name)) {
      const message = `${member} is fixed by the environment of the service: change ${name} where it runs.`;
      faults.add(at, 'variable_fixed', message);
      continue;
    }
    const allowed = value === null ? null : configuration.faultIn(name, value);
    // The value is not repeated: it may hold a password.
    if (allowed !== null)
      faults.add(
        at,
        'text_malformed',
        `${member} must be ${allowed}; it was ${value?.length} characters long.`,
      );
    else if (name === 'ADVERTISED_ADDRESS' && value !== null && (await nodesAlive(storage)) > 1)
      faults.add(
        at,
        'value_not_allowed',
        `${member} must be set where each node runs: it differs between nodes.`,
      );
  }
  return faults.list.length > 0 ? faults.toProblem() : null;
}

/** 0 with an embedded database, which lists none. */
async function nodesAlive(storage: ApiContext['storage']): Promise<number> {
  const nodes = await storage.listNodes();
  return nodes.filter(
    ({ state, silentMs }) => state !== 'dead' && state !== 'left' && silentMs < DEAD_AFTER_MS,
  ).length;
}
