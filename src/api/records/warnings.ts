// What a person should know about a record that is stored all the same; about missing references a strict account refuses it.
import { type Fault, type Problem, problem } from '../../kinds/problem.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';

export interface Warning {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

export const REFERENCE_CODES: ReadonlySet<string> = new Set([
  'reference_unknown',
  'recording-missing',
  'destination-missing',
  'webhook-missing',
  'sms-template-missing',
]);

export function refuseIfStrict(
  { account: { settings } }: ApiRequest,
  { checkedReferences }: ApiContext,
  warnings: readonly Warning[],
): Problem | null {
  if (!settings.strict_references || checkedReferences) return null;
  const faults = warnings
    .filter(({ code }) => REFERENCE_CODES.has(code))
    .map(({ pointer, message }): Fault => ({ pointer, code: 'reference_unknown', message }));
  if (faults.length === 0) return null;
  return problem('fields_invalid', faults.map(({ message }) => message).join(' '), { faults });
}

export function inWords(what: string, warnings: readonly Warning[]): string {
  if (warnings.length === 0) return `${what}.`;
  const count = warnings.length === 1 ? 'one warning' : `${warnings.length} warnings`;
  const said = warnings.map(({ pointer, message }) =>
    pointer === '' ? message : `${pointer.slice(1).replaceAll('/', ' ')}: ${message}`,
  );
  return `${what}, with ${count}: ${said.join(' ')}`;
}
