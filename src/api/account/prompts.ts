// The built-in prompts in a language: what each says in English, and what the account has in its place.
import { BUILT_IN_PROMPTS, PROMPT_NAMES } from '../../domain/built-in-prompts.ts';
import { isShipped, promptRecordingId } from '../../domain/prompt-language.ts';
import { optional } from '../../kinds/field.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { Handler } from '../http/handler.ts';
import { readQuery } from '../http/page.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { LANGUAGE } from '../schemas/account.ts';
import { object, string } from '../schemas/output.ts';

const QUERY = { language: optional(LANGUAGE, null) } as const;
const orNull = (type: string) => ({ type: [type, 'null'] });

export const PROMPT_SCHEMAS = {
  BuiltInPrompts: object({
    language: string,
    shipped: { type: 'boolean' },
    missing: { type: 'integer', minimum: 0 },
    data: { type: 'array', items: { $ref: '#/components/schemas/BuiltInPrompt' } },
  }),
  BuiltInPrompt: object({
    name: string,
    text: string,
    recording_id: string,
    recording_version: orNull('integer'),
    translation: orNull('string'),
    voice: orNull('string'),
  }),
};

const getPrompts: Handler = async (request) => {
  const query = readQuery(QUERY, request);
  if (isProblem(query)) return query;
  const language = query.language ?? request.account.settings.language;
  const { recordings } = await request.directory();
  const data = PROMPT_NAMES.map((name) => {
    const recording_id = promptRecordingId(language, name);
    const stored = recordings.get(recording_id);
    return {
      name,
      text: BUILT_IN_PROMPTS[name] ?? '',
      recording_id,
      recording_version: stored?.version ?? null,
      translation: stored?.data.text ?? null,
      voice: stored?.data.voice ?? null,
    };
  });
  const shipped = isShipped(language);
  const missing = shipped ? 0 : data.filter(({ recording_version }) => recording_version === null).length;
  return { status: 200, json: { language, shipped, missing, data } };
};

// biome-ignore format: a table is read by its columns
export const PROMPT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/prompts', scope: 'read', id: 'getPrompts', summary: 'The built-in prompts, and what the account has of them in a language',
    query: QUERY, handler: getPrompts, responses: [responses.record('BuiltInPrompts')] },
];
