// Creates the records of a template, all or none: after a failure what was created is deleted again.
import { KINDS } from '../../../../src/kinds/lists.ts';
import { referenceText } from '../../../../src/kinds/reference.ts';
import { addOption, bodyOf, emptyDraft, withOption } from '../editor/draft.ts';
import { DEFAULT_PROMPTS, type ShippedPrompt } from '../prompts/built-in.ts';
import type { Template, TemplateStep } from './templates.ts';

export type TemplateKind = TemplateStep['kind'];
type Body = Readonly<Record<string, unknown>>;

/** An exception of opening hours, without times: closed all day. */
export interface Holiday {
  readonly name: string;
  readonly from: string;
  /** The last day; null: it is one day. */
  readonly to: string | null;
}

export interface TemplateInput {
  /** The name of the last record, where calls begin. */
  readonly name: string;
  readonly language: string;
  readonly timezone: string;
  readonly agents: readonly string[];
  /** Days on which opening hours are closed. */
  readonly holidays: readonly Holiday[];
  readonly nameOf: (step: TemplateStep) => string;
}

export interface TemplateApi {
  create(kind: TemplateKind, body: Body): Promise<string>;
  remove(kind: TemplateKind | 'recording', id: string): Promise<void>;
  prompt(
    which: ShippedPrompt,
    language: string,
  ): Promise<{ readonly reference: string; readonly isNew: boolean }>;
}

interface Made {
  readonly kind: TemplateKind | 'recording';
  readonly id: string;
}

/** Records that could not be deleted after a failure stay: the error says so. */
export class UndoFailed extends Error {
  readonly left: number;
  constructor(left: number, cause: unknown) {
    super(`${left} records are left`, { cause });
    this.left = left;
  }
}

/** The reference of the last record. */
export async function runTemplate(
  { steps }: Template,
  input: TemplateInput,
  api: TemplateApi,
): Promise<string> {
  const made: Made[] = [];
  const references = new Map<string, string>();
  const prompts = new Map<string, string>();
  const prompt = async (which: ShippedPrompt, language: string): Promise<string> => {
    const known = prompts.get(`${language} ${which}`);
    if (known !== undefined) return known;
    const { reference, isNew } = await api.prompt(which, language);
    if (isNew) made.push({ kind: 'recording', id: reference.slice('recording||'.length) });
    prompts.set(`${language} ${which}`, reference);
    return reference;
  };
  const to = (place: string): string =>
    place.startsWith('@') ? (references.get(place.slice(1)) ?? place) : place;
  let last = '';
  try {
    for (const [index, step] of steps.entries()) {
      const name = index === steps.length - 1 ? input.name : input.nameOf(step);
      const id = await api.create(step.kind, await bodyFor(step, name, input, { prompt, to }));
      made.push({ kind: step.kind, id });
      last = referenceText(KINDS[step.kind].word, id);
      references.set(step.key, last);
    }
  } catch (error) {
    const left = await undo(made, api);
    throw left > 0 ? new UndoFailed(left, error) : error;
  }
  return last;
}

async function undo(made: readonly Made[], api: TemplateApi): Promise<number> {
  let left = 0;
  for (const { kind, id } of made.toReversed())
    await api.remove(kind, id).catch(() => {
      left += 1;
    });
  return left;
}

interface Resolving {
  readonly prompt: (which: ShippedPrompt, language: string) => Promise<string>;
  readonly to: (place: string) => string;
}

async function bodyFor(
  step: TemplateStep,
  name: string,
  { language: accountLanguage, timezone, agents, holidays }: TemplateInput,
  { prompt, to }: Resolving,
): Promise<Body> {
  switch (step.kind) {
    case 'voicemail':
      return { name };
    case 'department':
      return { name, agents: [...agents], failover_destination: to(step.failover) };
    case 'announcement':
      return { name, recording: await prompt(step.prompt, accountLanguage), destination: to(step.to) };
    case 'timegroup':
      return {
        name,
        timezone,
        weekly: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
        exceptions: holidays.map((holiday) => ({ ...holiday, hours: [] })),
        open_destination: to(step.open),
        closed_destination: to(step.closed),
      };
    case 'ivr': {
      const language = step.language ?? accountLanguage;
      const otherwise = to(step.otherwise);
      let draft = { ...emptyDraft(), name, invalid_destination: otherwise, timeout_destination: otherwise };
      for (const [index, [keys, place]] of step.options.entries())
        draft = { ...draft, ...withOption(addOption(draft, keys), index, { destination: to(place) }) };
      return bodyOf({
        ...draft,
        recording: await prompt(step.prompt, language),
        invalid_recording: await prompt(DEFAULT_PROMPTS.invalid_recording, language),
        timeout_retry_recording: await prompt(DEFAULT_PROMPTS.timeout_retry_recording, language),
        timeout_recording: await prompt(DEFAULT_PROMPTS.timeout_recording, language),
      });
    }
    default:
      return step satisfies never;
  }
}
