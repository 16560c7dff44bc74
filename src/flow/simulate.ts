// A whole call without a phone: a script against step() on a virtual clock. Hours of call take milliseconds,
// and the same scenario always gives the same trace.

import type { Flow } from './flow.ts';
import type { Scenario } from './simulation/scenario.ts';
import { SimulatedCall } from './simulation/simulated-call.ts';
import type { Trace } from './simulation/trace.ts';

export function simulate(flow: Flow, scenario: Scenario): Trace {
  const call = new SimulatedCall(flow, scenario);
  while (call.next());
  return call.trace();
}
