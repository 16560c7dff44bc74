// THE TABLE of tools that assistants have. Each is one or a few operations of the API, by the token's own rights. What they change goes
// into the account's draft; only publish reaches callers, and a person confirms it.

import { MAX_PUBLISH_REASON } from '../domain/draft.ts';
import { oneOf, optional, pattern, text, wholeNumber } from '../kinds/field.ts';
import { listOperation, operationOn, pathKey } from '../kinds/lists.ts';
import { describeKind } from './describe-kind.ts';
import { differenceInWords, readDraft } from './difference.ts';
import { DRAFTABLE, READABLE, type ToolKindName } from './kinds.ts';
import { publish } from './publish.ts';
import { members, type Tool, type ToolContext, type ToolResult, tool } from './tool.ts';

/** The header of operations that read or change records: they work on the draft. */
export const IN_DRAFT = { 'dialtree-draft': 'true' } as const;
const AS_RECORD = { ...IN_DRAFT, prefer: 'return=representation' } as const;

const kind = oneOf(READABLE, 'the kind of record');
const draftable = oneOf(DRAFTABLE, 'a kind of record that leads calls');
const id = text({ min: 1, max: 64, description: 'the id of the record; of an agent, its eid' });
const scenario = {
  script: text({
    min: 0,
    max: 2000,
    description:
      'what the caller and the called do, such as "9,wait,1,answer 4s": keys, wait, answer, busy, hangup',
  }),
  at: optional(
    text({ min: 1, max: 40, description: 'date and time of the call, as 2030-01-31T09:00:00Z' }),
    null,
  ),
  caller: optional(text({ min: 1, max: 40, description: "the caller's number" }), null),
  agents: optional(
    members('what agents do when rung, by reference: {"extension||100001": "answer 5s"}'),
    null,
  ),
  requests: optional(
    members(
      'what systems of the company answer, by reference: {"request||1": {"answer": {"choice": "vip"}}}',
    ),
    null,
  ),
  variables: optional(members('variables that the call begins with'), null),
} as const;

const keyOf = (of: ToolKindName, value: string) => ({ [pathKey(of)]: value });

export const TOOLS: readonly Tool[] = [
  tool('read_account', {
    description:
      'Start here: the settings of the account, what kinds of record there are, and the first names of each, as the draft has them.',
    fields: {},
    readOnly: true,
    run: (_, context) => readAccount(context),
  }),
  tool('list_records', {
    description: 'The records of one kind, in pages, as the draft has them.',
    fields: {
      kind,
      search: optional(text({ min: 1, max: 100, description: 'a part of the name or number' }), null),
      limit: optional(wholeNumber(1, 100), 50),
      cursor: optional(text({ min: 1, max: 500, description: 'next_cursor of the page before' }), null),
    },
    readOnly: true,
    run: ({ kind: of, search, limit, cursor }, { ask }) =>
      ask(listOperation(of), {
        headers: IN_DRAFT,
        query: {
          limit: String(limit),
          ...(search === null ? {} : { q: search }),
          ...(cursor === null ? {} : { cursor }),
        },
      }),
  }),
  tool('read_record', {
    description: 'One record in full, as the draft has it.',
    fields: { kind, id },
    readOnly: true,
    run: ({ kind: of, id: one }, { ask }) =>
      ask(operationOn('get', of), { params: keyOf(of, one), headers: IN_DRAFT }),
  }),
  tool('describe_kind', {
    description:
      'The JSON Schema of the fields that a kind of record takes, with what each means, and an example. Read it before you draft one.',
    fields: { kind },
    readOnly: true,
    run: ({ kind: of }, { ask }) => describeKind(of, ask),
  }),
  tool('draft_create', {
    description:
      'Adds a new record to the draft. Callers notice nothing. Give it an id of your own to refer to it, as in ivr||main; destinations are kind||id.',
    fields: { kind: draftable, record: members('the fields that describe_kind shows, with an id') },
    run: async ({ kind: of, record }, { ask }) =>
      drafted(await ask(operationOn('create', of), { body: record, headers: AS_RECORD, ...untested(of) })),
  }),
  tool('draft_change', {
    description: 'Changes fields of a record in the draft; the others stay. Lists are replaced as a whole.',
    fields: { kind: draftable, id, changes: members('the fields that change') },
    run: async ({ kind: of, id: one, changes }, { ask }) =>
      drafted(
        await ask(operationOn('patch', of), {
          params: keyOf(of, one),
          body: changes,
          headers: AS_RECORD,
          ...untested(of),
        }),
      ),
  }),
  tool('draft_delete', {
    description: 'Deletes a record in the draft. Refused while other records refer to it.',
    fields: { kind: draftable, id },
    run: async ({ kind: of, id: one }, { ask }) =>
      drafted(await ask(operationOn('delete', of), { params: keyOf(of, one), headers: IN_DRAFT })),
  }),
  tool('draft_discard', {
    description: 'Takes the change of one record out of the draft again. Other changes stay.',
    fields: { kind: draftable, id },
    run: async ({ kind: of, id: one }, { ask }) =>
      drafted(await ask('discardDrafted', { params: { kind: of, id: one } })),
  }),
  tool('make_recording', {
    description:
      'Makes a new recording by speaking a text, for menus and announcements to play as recording||id. It is heard once something published plays it.',
    fields: {
      id: pattern(/^[A-Za-z0-9._-]{1,64}$/, '1 to 64 letters, digits, dots, underscores and hyphens'),
      name: text({ min: 1, max: 100 }),
      text: text({ min: 1, max: 1000, controls: 'allowed', description: 'what is spoken' }),
      voice: optional(
        pattern(/^[A-Za-z][A-Za-z0-9+_-]{0,39}$/, 'a voice of espeak-ng, such as en or de'),
        'en',
      ),
    },
    run: (body, { ask }) => ask('createRecording', { body, headers: AS_RECORD }),
  }),
  tool('check_draft', {
    description:
      'Runs the linter over the account as the draft would make it, and the stored tests of all menus. Errors and failed tests must be gone before publishing.',
    fields: {},
    readOnly: true,
    run: (_, { ask }) => ask('checkDraft'),
  }),
  tool('simulate_call', {
    description:
      'A call without a phone, through the account as the draft would make it: what the caller hears, each step with its reason, and how it ends.',
    fields: {
      entry: text({
        min: 1,
        max: 100,
        description: 'where it begins, such as ivr||main or department||sales',
      }),
      ...scenario,
    },
    readOnly: true,
    run: (given, { ask }) => {
      const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
      return ask('simulateDraft', { body });
    },
  }),
  tool('run_tests', {
    description: 'Runs the stored tests of one published menu. check_draft runs those of the draft.',
    fields: { id },
    readOnly: true,
    run: ({ id: one }, { ask }) => ask('testIvr', { params: { id: one } }),
  }),
  tool('show_difference', {
    description:
      'What publishing would change, in words, and the hash of it. Show the words to the person as they are, and ask whether to publish. Not whole: it is too long, and only the console publishes it.',
    fields: {},
    readOnly: true,
    run: showDifference,
  }),
  tool('publish', {
    description:
      'Lets the draft take effect for callers. The person is asked by a dialog of the client and confirms the difference there; a client that has none, or any over HTTP, cannot publish: the person does, in the console, at Draft. Needs the hash that show_difference gave; a draft that changed since is refused, as is one with linter errors or failing tests.',
    fields: {
      hash: pattern(/^[0-9a-f]{64}$/, 'the hash that show_difference gave'),
      reason: text({ min: 1, max: MAX_PUBLISH_REASON, description: 'why, for those who read it later' }),
    },
    goesLive: true,
    run: publish,
  }),
];

/** A drafted menu may lead to what only the draft has: its tests run when the draft is checked, and before it is published. */
const untested = (of: ToolKindName) => (of === 'ivr' ? { query: { skip_tests: 'true' } } : {});

const DRAFT_NOTE =
  'Only the draft changed: nothing changes for callers until it is published. For that, check_draft, show_difference to the person, then publish with its hash; where publish is refused, the person publishes in the console, at Draft.';

/** The API answers as if the record were live: an assistant would tell the person that it is. */
const drafted = ({ ok, value }: ToolResult): ToolResult => ({
  ok,
  value: ok ? { Draft: DRAFT_NOTE, ...(value as object) } : value,
});

async function showDifference(_: object, { ask }: ToolContext): Promise<ToolResult> {
  const shown = await readDraft(ask);
  if ('refused' in shown) return shown.refused;
  const { draft } = shown;
  const { words, isWhole } = differenceInWords(draft);
  return {
    ok: true,
    value: { hash: draft.hash, records: draft.data.length, difference: words, whole: isWhole },
  };
}

const SHOWN_NAMES = 20;

async function readAccount({ ask }: ToolContext): Promise<ToolResult> {
  const settings = await ask('getSettings');
  if (!settings.ok) return settings;
  const lists = await Promise.all(
    READABLE.map(async (of) => {
      const answer = await ask(listOperation(of), {
        headers: IN_DRAFT,
        query: { limit: String(SHOWN_NAMES) },
      });
      return [of, answer.ok ? inShort(of, answer.value) : answer.value] as const;
    }),
  );
  return { ok: true, value: { settings: settings.value, records: Object.fromEntries(lists) } };
}

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

function inShort(of: ToolKindName, page: unknown): object {
  const { data, next_cursor } = page as Page;
  const first = data.map((record) => ({
    id: record[pathKey(of)],
    name: of === 'number' || of === 'blocked_number' ? record['number'] : record['name'],
  }));
  return { first, more: next_cursor !== null };
}
