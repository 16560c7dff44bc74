// Prefer: return=representation (RFC 7240): a creation or change is answered with the record, as a GET shows it.
import { isProblem } from '../../kinds/problem.ts';
import { type ApiRequest, type ApiResponse, type Handler, header } from './handler.ts';

export const APPLIED = { 'preference-applied': 'return=representation' } as const;

const MAX_HEADER = 1000;

/** RFC 7240 §2: of a preference that is sent twice the first counts; parameters and preferences that we do not know are ignored. */
export function wantsRecord(request: Pick<ApiRequest, 'headers'>): boolean {
  const sent = header(request, 'prefer');
  if (sent === undefined || sent.length > MAX_HEADER) return false;
  for (const preference of sent.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=');
    if (name.trim().toLowerCase() === 'return') return /^"?representation"?$/i.test(value.trim());
  }
  return false;
}

/** For what is no record of configuration: written as before, then read by the operation that shows it. */
export function represented(write: Handler, read: Handler): Handler {
  return async (request, context) => {
    const outcome = await write(request, context);
    if (isProblem(outcome) || !wantsRecord(request)) return outcome;
    const id = request.params['id'] ?? idIn(outcome);
    const headers = { ...request.headers, 'if-none-match': undefined };
    const shown = await read({ ...request, headers, params: { ...request.params, id } }, context);
    if (isProblem(shown)) return outcome;
    return {
      ...shown,
      status: outcome.status,
      headers: { ...outcome.headers, ...shown.headers, ...APPLIED },
    };
  };
}

const idIn = ({ json }: ApiResponse): string => String((json as { id?: unknown } | undefined)?.id ?? '');
