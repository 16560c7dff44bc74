// What was sent to capture servers and collectors, and what was dropped because they did not take it.
import { Counter, type Registry } from 'prom-client';

export interface ExportCounts {
  readonly sent: number;
  readonly dropped: number;
}

const METRICS = {
  hep: ['dialtree_hep_messages_total', 'SIP messages for the capture server (HEP_URL).'],
  traces: ['dialtree_trace_spans_total', 'Spans for the OpenTelemetry collector.'],
} as const;

/** `labels`: of the thread, where more than one exports. */
export function watchExports(
  registry: Registry,
  what: keyof typeof METRICS,
  counts: ExportCounts,
  labels: Readonly<Record<string, string>> = {},
): void {
  const [name, help] = METRICS[what];
  new Counter({
    name,
    help,
    labelNames: ['outcome', ...Object.keys(labels)],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ ...labels, outcome: 'sent' }, counts.sent);
      this.inc({ ...labels, outcome: 'dropped' }, counts.dropped);
    },
  });
}
