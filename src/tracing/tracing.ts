// Traces of calls and of API requests, where a collector is configured (OTEL_EXPORTER_OTLP_ENDPOINT). Each thread has its own.
import type { AnsweredRequest } from '../api/http/running.ts';
import type { CallCounters } from '../calls/call-log.ts';
import { spansOfCall } from './call-spans.ts';
import { type ExporterOptions, SpanExporter } from './exporter.ts';
import {
  contextOfCall,
  isSampled,
  newSpanId,
  newTraceId,
  readTraceparent,
  traceparentOf,
} from './trace-context.ts';

export interface TracingOptions extends ExporterOptions {
  /** The part of traces that is kept, 0 to 1. */
  readonly ratio: number;
}

export class Tracing {
  readonly exporter: SpanExporter;
  readonly #ratio: number;

  constructor(options: TracingOptions) {
    this.exporter = new SpanExporter(options);
    this.#ratio = options.ratio;
  }

  /** The caller's trace goes on; it also decides whether the span is kept. A stranger decides nothing, nor names the trace. */
  readonly requestAnswered = (request: AnsweredRequest): void => {
    const parent = request.accountId === undefined ? null : readTraceparent(request.traceparent);
    const traceId = parent?.traceId ?? newTraceId();
    if (!(parent ? parent.isSampled : isSampled(traceId, this.#ratio))) return;
    const endMs = Date.now();
    this.exporter.add([
      {
        traceId,
        spanId: newSpanId(),
        parentSpanId: parent?.spanId ?? null,
        name: `${request.method} ${request.route}`,
        kind: 'server',
        startMs: endMs - request.durationMs,
        endMs,
        isError: request.status >= 500,
        attributes: {
          'http.request.method': request.method,
          'http.route': request.route,
          'http.response.status_code': request.status,
          'dialtree.request.id': request.requestId,
          'dialtree.account': request.accountId,
        },
      },
    ]);
  };

  /** The same counters, with the spans of each call when it is over. */
  counting(counters: CallCounters): CallCounters {
    return {
      callBegan: (direction) => counters.callBegan(direction),
      callRefused: (status) => counters.callRefused(status),
      callEnded: (facts, result, outcome) => {
        counters.callEnded(facts, result, outcome);
        const context = contextOfCall(facts.id, this.#ratio);
        if (context.isSampled) this.exporter.add(spansOfCall(facts, result, outcome, context));
      },
    };
  }

  /** For a webhook about this call: its receiver's spans belong to the trace of the call. */
  readonly traceparentOfCall = (callId: string): string => traceparentOf(contextOfCall(callId, this.#ratio));

  close(): Promise<void> {
    return this.exporter.close();
  }
}
