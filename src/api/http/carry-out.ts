// An operation within another one: the tools of /mcp are operations of the API, carried out for the sender of the request by the same
// handlers, behind the same checks.
import { isProblem, type Problem } from '../../kinds/problem.ts';
import type { Route } from '../route.ts';
import { notAllowed } from './admission.ts';
import { apiRequestOf, type RequestParts, refuseRequest } from './api-request.ts';
import type { ApiContext, ApiRequest, ApiResponse, Body, InnerRequest } from './handler.ts';
import { PATH_UNKNOWN } from './methods.ts';

export interface Performer {
  readonly route: Route;
  /** The handler, behind what is checked after the admission. */
  perform(request: ApiRequest): Promise<ApiResponse | Problem>;
}

export async function carryOut(
  performer: Performer | undefined,
  context: ApiContext,
  outer: ApiRequest,
  { params = {}, query = {}, body, headers = {} }: InnerRequest,
): Promise<ApiResponse | Problem> {
  if (!performer) return PATH_UNKNOWN;
  const { route, perform } = performer;
  // Again for each operation: the token may have been revoked, and what the one before has written must be seen.
  const identity = await context.access.identify(outer.headers.authorization);
  if (isProblem(identity)) return identity;
  const refusal = notAllowed(identity, route);
  if (refusal) return refusal;
  const parts: RequestParts = {
    params,
    query,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && bodyOf(body),
    method: route.method,
    id: outer.requestId,
    ip: outer.address,
  };
  return refuseRequest(parts, route) ?? perform(apiRequestOf(parts, identity, context, outer.whileConnected));
}

/** The body of the outer request has been read with its limits; this one is a part of it. */
const bodyOf = (value: Body['value']): Body => ({ value, bytes: Buffer.from(JSON.stringify(value)) });
