// A simulated call in one line, for tests.

import type { Flow } from '../flow.ts';
import { simulate } from '../simulate.ts';
import type { Scenario } from '../simulation/scenario.ts';
import { parseScript } from '../simulation/script.ts';
import type { Trace } from '../simulation/trace.ts';

/** Calls `ivr||main`, unless the scenario says otherwise. */
export function runScript(flow: Flow, script: string, scenario: Partial<Scenario> = {}): Trace {
  const reading = parseScript(script);
  if (!reading.ok) throw new Error(reading.fault.message);
  return simulate(flow, { entry: 'ivr||main', script: reading.steps, ...scenario });
}

export function codesOf(trace: Trace): string[] {
  return trace.steps.map(({ code }) => code);
}
