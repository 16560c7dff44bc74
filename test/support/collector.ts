// An OpenTelemetry collector as far as traces go: takes OTLP/HTTP JSON and refuses what opentelemetry-proto's JSON mapping does not allow.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

type Json = Record<string, unknown>;

const check = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};
const only = (value: unknown, names: readonly string[], where: string): Json => {
  check(typeof value === 'object' && value !== null, `${where} is no object`);
  const unknown = Object.keys(value as Json).filter((name) => !names.includes(name));
  check(unknown.length === 0, `${where} has ${unknown.join(', ')}`);
  return value as Json;
};
const list = (value: unknown, where: string): readonly unknown[] => {
  check(Array.isArray(value), `${where} is no list`);
  return value as readonly unknown[];
};

function attributesOf(value: unknown, where: string): Record<string, string | number | boolean> {
  const found: Record<string, string | number | boolean> = {};
  for (const each of list(value, where)) {
    const { key, value: any } = only(each, ['key', 'value'], where);
    check(typeof key === 'string' && key !== '' && !(key in found), `${where}: key ${String(key)}`);
    const entries = Object.entries(only(any, ['stringValue', 'intValue', 'doubleValue', 'boolValue'], where));
    check(entries.length === 1, `${where}: ${String(key)} has ${entries.length} values`);
    const [type, content] = entries[0] ?? ['', ''];
    // Integers of 64 bits are text in proto3's JSON.
    if (type === 'intValue')
      check(typeof content === 'string' && /^-?\d+$/.test(content), `${String(key)} as intValue`);
    if (type === 'stringValue') check(typeof content === 'string', `${String(key)} as stringValue`);
    if (type === 'doubleValue') check(typeof content === 'number', `${String(key)} as doubleValue`);
    found[String(key)] = type === 'intValue' ? Number(content) : (content as string | number | boolean);
  }
  return found;
}

function timeOf(value: unknown, where: string): number {
  check(typeof value === 'string' && /^\d{16,20}$/.test(value), `${where}: ${String(value)}`);
  return Number(value) / 1e6;
}

function spanOf(value: unknown, resource: CollectedSpan['resource']): CollectedSpan {
  const names = ['traceId', 'spanId', 'parentSpanId', 'name', 'kind', 'attributes', 'status'];
  const span = only(value, [...names, 'startTimeUnixNano', 'endTimeUnixNano'], 'span');
  const { traceId, spanId, parentSpanId, name, kind } = span;
  check(typeof traceId === 'string' && /^(?!0+$)[0-9a-f]{32}$/.test(traceId), 'traceId');
  for (const id of [spanId, parentSpanId ?? spanId])
    check(typeof id === 'string' && /^(?!0+$)[0-9a-f]{16}$/.test(id), `spanId ${String(id)}`);
  check(typeof name === 'string' && name !== '', 'name');
  check(Number.isInteger(kind) && Number(kind) >= 1 && Number(kind) <= 5, 'kind');
  const { code = 0 } = only(span['status'] ?? {}, ['code', 'message'], 'status');
  const startMs = timeOf(span['startTimeUnixNano'], 'start');
  const endMs = timeOf(span['endTimeUnixNano'], 'end');
  check(endMs >= startMs, `${String(name)} ends before it starts`);
  return {
    traceId: traceId as string,
    spanId: spanId as string,
    parentSpanId: parentSpanId as string | undefined,
    name: name as string,
    kind: kind as number,
    startMs,
    endMs,
    isError: code === 2,
    attributes: attributesOf(span['attributes'], 'attributes'),
    resource,
  };
}

export function readTraces(text: string): CollectedSpan[] {
  const { resourceSpans } = only(JSON.parse(text), ['resourceSpans'], 'request');
  return list(resourceSpans, 'resourceSpans').flatMap((each) => {
    const { resource, scopeSpans } = only(each, ['resource', 'scopeSpans'], 'resourceSpans');
    const attributes = attributesOf(only(resource, ['attributes'], 'resource')['attributes'], 'resource');
    return list(scopeSpans, 'scopeSpans').flatMap((scoped) => {
      const { scope, spans } = only(scoped, ['scope', 'spans'], 'scopeSpans');
      only(scope, ['name', 'version'], 'scope');
      return list(spans, 'spans').map((span) => spanOf(span, attributes));
    });
  });
}

export class Collector {
  readonly spans: CollectedSpan[] = [];
  readonly faults: string[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
  /** The status of the next answers. */
  status = 200;
  readonly #server: Server;

  static async open(): Promise<Collector> {
    const collector = new Collector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  private constructor() {
    this.#server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      this.requests.push({ path: `${request.method} ${request.url}`, headers: request.headers });
      try {
        if (this.status === 200) this.spans.push(...readTraces(text));
      } catch (error) {
        this.faults.push((error as Error).message);
      }
      response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
