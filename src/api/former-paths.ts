// Paths of former versions go on working: the same handler under the former path, marked as deprecated (RFC 9745) with the present
// one as its successor (RFC 8288).

import type { OperationId } from '../domain/roles.ts';
import type { Handler } from './http/handler.ts';
import type { Route } from './route.ts';

/** 16 November 2026, when the first paths got others. */
const SINCE = '@1794787200';

export function withFormerPaths(routes: readonly Route[]): readonly Route[] {
  return routes.flatMap((route) => {
    if (route.formerly === undefined) return [route];
    const { formerly: path, ...row } = route;
    const former: Route = {
      ...row,
      path,
      id: `${row.id as OperationId}AtFormerPath`,
      summary: `${row.summary}. The former path of ${row.path}`,
      handler: pointingTo(row.path, row.handler),
      deprecated: true,
      responses: row.responses.map((one) => ({
        ...one,
        headers: [...(one.headers ?? []), 'Deprecation', 'Link'],
      })),
    };
    return [row, former];
  });
}

function pointingTo(path: string, handler: Handler): Handler {
  return async (request, context) => {
    const outcome = await handler(request, context);
    const present = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(request.params[name] ?? ''),
    );
    const headers = { deprecation: SINCE, link: `<${present}>; rel="successor-version"` };
    return { ...outcome, headers: { ...outcome.headers, ...headers } };
  };
}
