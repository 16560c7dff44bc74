// The trace of a simulated call as JSON, no longer than one answer may be.
import { type Trace, traceJson } from '../flow/simulation/trace.ts';

/** Steps of one trace, as JSON: a department of a thousand agents that rings again and again has long ones. */
const MAX_TRACE_BYTES = 1024 * 1024;

export function boundedTrace(trace: Trace): object {
  const { steps, ...rest } = traceJson(trace);
  let bytes = 0;
  const over = steps.findIndex((step) => {
    bytes += JSON.stringify(step).length;
    return bytes > MAX_TRACE_BYTES;
  });
  return over < 0
    ? { ...rest, steps }
    : { ...rest, steps: steps.slice(0, over), steps_left_out: steps.length - over };
}
