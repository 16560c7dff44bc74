// Every place in a record that points to another one by `kind||id`, tests included. One walk serves them all: following
// references, writing them by name, reading them back.
import { referenceText, splitReference } from '../kinds/reference.ts';

/** Given the reference and where it stands (RFC 6901, into the record), answers what stands there from now on. */
export type MapReference = (text: string, pointer: string) => string;

type Members = { readonly [name: string]: unknown };

const SINGLE = [
  'recording',
  'invalid_recording',
  'timeout_retry_recording',
  'timeout_recording',
  'recording_invalid',
  'invalid_destination',
  'timeout_destination',
  'failover_destination',
  'forward_always',
  'forward_busy',
  'forward_no_answer',
  'full_destination',
  'open_destination',
  'closed_destination',
  'greeting',
  'pin_recording',
  'music_on_hold',
  'callback_recording',
  'announce_recording',
  'callback_hours',
  'next_destination',
  'failed_destination',
  'otherwise_destination',
  'after_call_destination',
  'wait_recording',
  'disclosure_recording',
  'trunk',
  'agent',
  'department',
] as const;
/** Lists of objects, each with a destination. */
const WITH_DESTINATIONS = ['rules', 'choices'] as const;
/** Members of a test that are objects by reference. */
const BY_REFERENCE = [
  'agents',
  'idle_since',
  'last_rung',
  'waiting',
  'signed_out',
  'requests',
  'streams',
] as const;
/** Those of them whose values are references, too. */
const TO_REFERENCES: readonly string[] = ['last_rung', 'signed_out'];

/**
 * The record with its references replaced. It may be unchecked: what is not text where a reference
 * should be is left for the check to find.
 */
export function mapReferences<T extends object>(record: T, map: MapReference): T {
  const changed: Record<string, unknown> = Object.fromEntries(Object.entries(record));
  const set = (holder: Record<string, unknown>, name: string, pointer: string): void => {
    if (holder[name] !== undefined) holder[name] = mapped(holder[name], pointer, map);
  };
  for (const name of SINGLE) set(changed, name, `/${name}`);
  for (const name of WITH_DESTINATIONS) {
    const items = changed[name];
    if (!Array.isArray(items)) continue;
    changed[name] = items.map((item: unknown, index) => {
      if (!isObject(item)) return item;
      const copy: Record<string, unknown> = { ...item };
      set(copy, 'destination', `/${name}/${index}/destination`);
      return copy;
    });
  }
  // A list in a menu, one reference in a number.
  set(changed, 'destination', '/destination');
  set(changed, 'webhook', '/webhook');
  set(changed, 'destinations', '/destinations');
  // Ids alone: they are given out, and taken back, as references.
  const sms = changed['sms_template'];
  if (sms !== undefined)
    changed['sms_template'] = mapped(
      sms,
      '/sms_template',
      (id, pointer) => splitReference(map(referenceText('sms_template', id), pointer)).id,
    );
  const tests = changed['tests'];
  if (Array.isArray(tests)) {
    changed['tests'] = tests.map((test: unknown, index) =>
      isObject(test) ? mapTest(test, `/tests/${index}`, map) : test,
    );
  }
  return changed as T;
}

function mapTest(test: Members, at: string, map: MapReference): Members {
  const changed: Record<string, unknown> = { ...test };
  for (const name of BY_REFERENCE) {
    const items = test[name];
    if (!isObject(items)) continue;
    changed[name] = Object.fromEntries(
      Object.entries(items).map(([key, value]) => {
        const pointer = `${at}/${name}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        return [map(key, pointer), mappedValue(name, value, pointer, map)];
      }),
    );
  }
  const { expect } = test;
  if (isObject(expect)) {
    changed['expect'] = Object.fromEntries(
      Object.entries(expect).map(([name, value]) => [
        name,
        name === 'destination' || name === 'visited' ? mapped(value, `${at}/expect/${name}`, map) : value,
      ]),
    );
  }
  return changed;
}

/** Whose value is a reference, or has one. */
function mappedValue(
  name: (typeof BY_REFERENCE)[number],
  value: unknown,
  pointer: string,
  map: MapReference,
): unknown {
  if (TO_REFERENCES.includes(name)) return mapped(value, pointer, map);
  if (name !== 'streams' || !isObject(value) || value['transfer'] === undefined) return value;
  return { ...value, transfer: mapped(value['transfer'], `${pointer}/transfer`, map) };
}

function mapped(value: unknown, pointer: string, map: MapReference): unknown {
  if (typeof value === 'string') return map(value, pointer);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) =>
    typeof item === 'string' ? map(item, `${pointer}/${index}`) : item,
  );
}

export interface PlacedReference {
  readonly kind: string;
  readonly id: string;
  readonly pointer: string;
}

export function placedReferences(record: object): PlacedReference[] {
  const found: PlacedReference[] = [];
  mapReferences(record, (text, pointer) => {
    found.push({ ...splitReference(text), pointer });
    return text;
  });
  return found;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
