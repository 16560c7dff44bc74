// What the operator has set by request: it completes the environment at the start, and is compared with what runs afterwards.
import type { RunningConfiguration, ShownSetting } from '../api/account/operator.ts';
import { type Config, completeConfig } from '../config/config.ts';
import { effectiveValue, faultIn } from '../config/settable.ts';
import { type ShownVariable, shownWith } from '../config/shown.ts';
import {
  isSettable,
  openVariables,
  type SettableVariable,
  type VariableValues,
} from '../domain/service-variable.ts';
import { makeSealer } from '../kit/sealing.ts';
import type { Storage } from '../storage/storage.ts';

export interface StoredConfig {
  readonly config: Config;
  /** Stored values that are left out: sealed with another key, or not usable in this version. */
  readonly unreadable: readonly SettableVariable[];
  readonly unusable: readonly SettableVariable[];
}

/** Before any other part opens: every part reads one configuration. */
export async function withStoredVariables(
  config: Config,
  storage: Pick<Storage, 'listVariables'>,
): Promise<StoredConfig> {
  const rows = await storage.listVariables();
  const { values, unreadable } = openVariables(rows, makeSealer(config));
  const isOpen = (name: SettableVariable): boolean => config.environment[name] === undefined;
  return { ...completeConfig(config, values), unreadable: unreadable.filter(isOpen) };
}

/** For the API: what this process runs with, beside what it would run with after a start. */
export function runningConfiguration(config: Config): RunningConfiguration {
  const { environment, stored: running, shown } = config;
  return {
    shown: (stored) => {
      const next = completeConfig(config, stored).config;
      const after = shownWith(shown, environment, next.stored);
      const compared = (variable: ShownVariable, index: number, group: readonly ShownVariable[]) =>
        settingOf(variable, group[index] ?? variable, isPending(variable.name, next.stored));
      return {
        mail: shown.mail.map((each, index) => compared(each, index, after.mail)),
        sms: shown.sms.map((each, index) => compared(each, index, after.sms)),
        speech: shown.speech.map((each, index) => compared(each, index, after.speech)),
        network: shown.network.map((each, index) => compared(each, index, after.network)),
      };
    },
    isFixed: (name) => environment[name] !== undefined,
    faultIn,
  };

  function isPending(name: string, stored: VariableValues): boolean {
    return (
      isSettable(name) &&
      effectiveValue(name, environment, stored) !== effectiveValue(name, environment, running)
    );
  }
}

function settingOf(now: ShownVariable, after: ShownVariable, pending: boolean): ShownSetting {
  return { ...now, next_value: after.value, next_source: after.source, pending_restart: pending };
}
