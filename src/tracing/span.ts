// One span, and its form in OTLP/HTTP JSON (opentelemetry-proto, trace/v1, in proto3's JSON mapping).

/** opentelemetry.proto.trace.v1.Span.SpanKind. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3 } as const;

export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: keyof typeof SPAN_KIND;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly isError?: boolean;
}

const STATUS_ERROR = 2;
const MAX_TEXT = 256;

/** Numbers of 64 bits are text in JSON. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

function otlpValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, MAX_TEXT) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

export function otlpAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: otlpValue(value) }],
  );
}

export function otlpSpan(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: SPAN_KIND[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(Math.max(span.startMs, span.endMs)),
    attributes: otlpAttributes(span.attributes),
    ...(span.isError ? { status: { code: STATUS_ERROR } } : {}),
  };
}
