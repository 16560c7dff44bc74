// The one check of the names in a request, for every operation: before its handler, from its row in the route table.

import { type Fields, inputSchema, readFields } from '../../kinds/field.ts';
import { merged, noteUnknown, type Shape, shapeOf } from '../../kinds/known-names.ts';
import { Faults, isProblem, type Problem } from '../../kinds/problem.ts';
import { SCHEMAS } from '../openapi.ts';
import type { Route } from '../route.ts';
import type { ApiRequest } from './handler.ts';
import { ACCOUNT_HEADER } from './session-cookie.ts';

const NOTHING: Shape = { members: new Map(), suggested: [] };
type Names = Pick<ApiRequest, 'query'> & { readonly body: ApiRequest['body']['value'] };

/** Null if every name is known, or the operation tolerates others. */
export type NamesCheck = (names: Names) => Problem | null;

export function namesCheck(route: Route, routes: readonly Route[]): NamesCheck {
  // Pages and probes are opened by browsers and load balancers, which add parameters of their own.
  if (route.tolerant || !route.path.startsWith('/v')) return () => null;
  const parameters = queryShape(route);
  const members = bodyShape(route, routes);
  return ({ query, body }) => {
    const faults = new Faults();
    noteUnknown(parameters, query, faults, 'unknown_parameter');
    const inQuery = faults.list.length;
    noteUnknown(members, body, faults);
    if (faults.list.length === 0) return null;
    const inBody = faults.list.length - inQuery;
    // The handler does not see this request: what else is wrong with it is said here.
    readFields(route.query ?? {}, query, faults, 'query');
    const before = faults.list.length;
    noteFaults(route, body, faults);
    return faults.toProblem(inBody + faults.list.length - before > 0 ? 'fields_invalid' : 'query_invalid');
  };
}

function noteFaults(route: Route, body: Names['body'], faults: Faults): void {
  const { body: fields = {}, method, check } = route;
  const found = check?.(body);
  if (found && !isProblem(found)) return;
  if (found?.faults)
    for (const { pointer, code, message } of found.faults) faults.add(pointer, code, message);
  else readFields(method === 'PATCH' ? sentOf(fields, body) : fields, body, faults);
}

const sentOf = (fields: Fields, body: Names['body']): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => body[name] !== undefined));

/** A page of the console names its account in the address of a sound, where it can send no header (auth.ts). */
function queryShape({ method, query = {} }: Route): Shape {
  const own = shapeOf(inputSchema(query)) ?? NOTHING;
  return (method === 'GET' && merged(own, shapeOf({ properties: { [ACCOUNT_HEADER]: {} } }))) || own;
}

/** What GET shows of a record may be sent back with a change: members that cannot be set are ignored. */
function bodyShape(route: Route, routes: readonly Route[]): Shape {
  const own = shapeOf(inputSchema(route.body ?? {})) ?? NOTHING;
  if (!route.body || (route.method !== 'PUT' && route.method !== 'PATCH')) return own;
  const reading = routes.find(({ method, path }) => method === 'GET' && path === route.path);
  const shown = reading?.responses[0]?.schema;
  return merged(own, shapeOf(SCHEMAS[shown ?? ''] ?? {})) ?? own;
}
