// Destinations outside: a record may lead to a telephone number only if a trunk's rules allow it (threat T1). Whether they still
// do is asked again when a call gets there.
import { Numbering } from '../../domain/numbering.ts';
import { routeOut } from '../../domain/trunk.ts';
import { named } from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { ApiRequest } from '../http/handler.ts';

interface FoundNumber {
  readonly pointer: string;
  readonly reference: string;
}

export async function refuseForbiddenNumbers(data: object, request: ApiRequest): Promise<Problem | null> {
  const found = numbersIn(data);
  // Asked on every creation, and true of most.
  if (found.length === 0) return null;
  const { trunks } = await request.directory();
  const numbering = new Numbering(request.account.settings);
  const faults = new Faults();
  for (const { pointer, reference } of found) {
    if (routeOut(trunks.values(), splitReference(reference).id, numbering) !== null) continue;
    const message = `${named(pointer)} is ${reference}, which no trunk has an outbound prefix for.`;
    faults.add(pointer, 'number_not_allowed', message);
  }
  return faults.list.length > 0 ? faults.toProblem() : null;
}

/** In whichever member is a destination or a list of them. */
function numbersIn(data: object): FoundNumber[] {
  const found: FoundNumber[] = [];
  const look = (value: unknown, pointer: string): void => {
    if (typeof value === 'string' && value.startsWith('number||')) found.push({ pointer, reference: value });
  };
  for (const [name, value] of Object.entries(data)) {
    if (!name.endsWith('destination') && !name.startsWith('forward_')) continue;
    if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, `/${name}/${index}`);
    else look(value, `/${name}`);
  }
  return found;
}
