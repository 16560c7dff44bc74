// 405 with Allow for every path of the table and every method that it does not have; 404 for any other path.
import type { FastifyInstance } from 'fastify';
import { type Problem, problem } from '../../kinds/problem.ts';
import { ROUTES } from '../routes.ts';
import { fail } from './respond.ts';

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];

export const isMethod = (method: string): boolean => METHODS.includes(method);

export const PATH_UNKNOWN = problem(
  'path_unknown',
  'There is nothing at this address; GET /docs lists what there is.',
);

const ALLOWED = new Map<string, string[]>();
for (const { path, method } of ROUTES) {
  ALLOWED.set(
    path,
    [...(ALLOWED.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])].sort(),
  );
}

/** Their OPTIONS are preflights. */
const CORS = new Set(ROUTES.filter(({ cors }) => cors).map(({ path }) => path));

function methodNotAllowed(allowed: readonly string[]): Problem {
  const allow = allowed.join(', ');
  return problem('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } });
}

export function refuseOtherMethods(server: FastifyInstance): void {
  for (const [path, allowed] of ALLOWED) {
    server.route({
      method: METHODS.filter(
        (method) => !allowed.includes(method) && !(method === 'OPTIONS' && CORS.has(path)),
      ),
      url: routerPath(path),
      onRequest: (request, reply) => {
        fail(reply, methodNotAllowed(allowed), request.id);
      },
      handler: () => undefined,
    });
  }
}

/** For a method that the router does not know (PROPFIND, QUERY, …), on any path. */
export function unknownMethod(url: string): Problem {
  const parts = (url.split('?')[0] ?? '').split('/');
  const fits = (path: string): boolean => {
    const pattern = path.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith('{') || part === parts[index])
    );
  };
  const path = [...ALLOWED.keys()].find(fits);
  return path === undefined ? PATH_UNKNOWN : methodNotAllowed(ALLOWED.get(path) ?? []);
}

/** `/v1/ivr/{id}` → `/v1/ivr/:id`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');
