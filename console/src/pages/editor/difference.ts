// The differences between two versions of a menu, field by field and key by key. The order of options has no effect and is not a
// difference.
import type { IvrDraft, OptionDraft, PromptField, WayField } from './draft.ts';
import { COUNT_FIELDS, type CountField, PROMPT_FIELDS, WAY_FIELDS } from './draft.ts';

export type OptionPart = 'destination' | 'sms_template' | 'webhook' | 'priority';

export interface PartChange {
  readonly part: OptionPart;
  readonly from: string;
  readonly to: string;
}

export type Difference =
  | {
      readonly what: 'text';
      readonly field: 'name' | 'description' | 'text';
      readonly from: string;
      readonly to: string;
    }
  | { readonly what: 'recording'; readonly field: PromptField; readonly from: string; readonly to: string }
  | { readonly what: 'destination'; readonly field: WayField; readonly from: string; readonly to: string }
  | { readonly what: 'count'; readonly field: CountField; readonly from: number; readonly to: number }
  | { readonly what: 'record-calls' | 'sensitive'; readonly to: boolean }
  | { readonly what: 'option-added'; readonly option: OptionDraft }
  | { readonly what: 'option-removed'; readonly option: OptionDraft }
  | { readonly what: 'option-moved'; readonly from: string; readonly to: string }
  | { readonly what: 'option-changed'; readonly keys: string; readonly parts: readonly PartChange[] }
  | { readonly what: 'test-added' | 'test-removed' | 'test-changed'; readonly name: string };

export function differencesOf(before: IvrDraft, after: IvrDraft): Difference[] {
  const changesOf = <Field extends keyof IvrDraft>(fields: readonly Field[]) =>
    fields
      .filter((field) => before[field] !== after[field])
      .map((field) => ({ field, from: before[field], to: after[field] }));
  return [
    ...changesOf(['name', 'description', 'text']).map((change) => ({ what: 'text' as const, ...change })),
    ...changesOf(PROMPT_FIELDS).map((change) => ({ what: 'recording' as const, ...change })),
    ...optionDifferences(before.options, after.options),
    ...changesOf(WAY_FIELDS).map((change) => ({ what: 'destination' as const, ...change })),
    ...changesOf(COUNT_FIELDS).map(({ field, from, to }) => ({
      what: 'count' as const,
      field,
      from: from ?? 0,
      to: to ?? 0,
    })),
    ...(before.record_calls === after.record_calls
      ? []
      : [{ what: 'record-calls' as const, to: after.record_calls }]),
    ...(before.sensitive === after.sensitive ? [] : [{ what: 'sensitive' as const, to: after.sensitive }]),
    ...testDifferences(before, after),
  ];
}

function optionDifferences(before: readonly OptionDraft[], after: readonly OptionDraft[]): Difference[] {
  const former = new Map(before.map((option) => [option.keys, option]));
  const present = new Map(after.map((option) => [option.keys, option]));
  const gone = before.filter(({ keys }) => !present.has(keys));
  const added = after.filter(({ keys }) => !former.has(keys));
  const differences: Difference[] = [];
  for (const option of gone) {
    // The same option on another key counts as moved, not as removed and added.
    const at = added.findIndex((other) => partChanges(option, other).length === 0);
    const [moved] = at < 0 ? [] : added.splice(at, 1);
    differences.push(
      moved
        ? { what: 'option-moved', from: option.keys, to: moved.keys }
        : { what: 'option-removed', option },
    );
  }
  for (const option of after) {
    const earlier = former.get(option.keys);
    const parts = earlier ? partChanges(earlier, option) : [];
    if (parts.length > 0) differences.push({ what: 'option-changed', keys: option.keys, parts });
  }
  return [...differences, ...added.map((option): Difference => ({ what: 'option-added', option }))];
}

function partChanges(before: OptionDraft, after: OptionDraft): PartChange[] {
  return (['destination', 'sms_template', 'webhook', 'priority'] as const)
    .filter((part) => before[part] !== after[part])
    .map((part) => ({ part, from: String(before[part] ?? ''), to: String(after[part] ?? '') }));
}

function testDifferences(before: IvrDraft, after: IvrDraft): Difference[] {
  const byName = ({ tests }: IvrDraft): Map<string, string> =>
    new Map(tests.map((test) => [String(test['name']), JSON.stringify(test)]));
  const [former, present] = [byName(before), byName(after)];
  return [
    ...[...former].flatMap(([name, test]): Difference[] => {
      const now = present.get(name);
      if (now === undefined) return [{ what: 'test-removed', name }];
      return now === test ? [] : [{ what: 'test-changed', name }];
    }),
    ...[...present.keys()]
      .filter((name) => !former.has(name))
      .map((name): Difference => ({ what: 'test-added', name })),
  ];
}
