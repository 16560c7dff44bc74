import { SETTINGS_NODE } from '../../../../src/flow/lint/finding.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import type { HealthFinding } from '../../data/health.ts';
import { useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { pathTo } from '../../router.tsx';
import { type Key, useWords } from '../../words/words.tsx';
import { languageName } from '../prompts/language-name.ts';
import { useTrunkReason } from '../trunks/trunk-badge.tsx';

export interface Concerned {
  readonly name: string;
  readonly to: string | null;
}

/** Names and pages of what findings concern; settings, trunks, recordings and numbers are no destinations. */
export function useConcerned(): (reference: string) => Concerned {
  const { t } = useWords();
  const names = useNames();
  const { items: trunks } = useRecords('trunk');
  const { items: numbers } = useRecords('number');
  return (reference) => {
    if (reference === SETTINGS_NODE) return { name: t('shell.page.settings'), to: '/settings' };
    const { kind, id } = splitReference(reference);
    if (kind === 'trunk')
      return { name: trunks.find((trunk) => trunk.id === id)?.name ?? '', to: pathTo('trunks', id) };
    // Findings about recordings say the name themselves.
    if (kind === 'recording') return { name: id, to: pathTo('recordings', id) };
    const number = kind === 'number' ? numbers.find((one) => one.id === id) : undefined;
    if (number) return { name: number.number, to: pathTo('numbers', id) };
    const { name, to } = names(reference);
    return { name, to };
  };
}

/** Tells findings of one answer apart. */
export const findingKey = ({ code, concerns, pointer, values }: HealthFinding): string =>
  JSON.stringify([code, concerns[0], pointer, values['node'], values['port']]);

/** The sentence of a finding in the language of the console. */
export function useFindingText(): (finding: HealthFinding) => string {
  const { t, number, date, language } = useWords();
  const reason = useTrunkReason();
  const concerned = useConcerned();
  return ({ code, values, count, concerns }) => {
    const [first] = concerns;
    const said = {
      ...values,
      count,
      name: values['name'] ?? (first === undefined ? '' : concerned(first).name),
      reason: values['problem'] ? reason(values['problem']) : '',
      language: languageName(values['language'] ?? '', language),
      date: values['date'] === undefined ? '' : date(values['date']),
      free: number(Number(values['free'] ?? 0)),
    };
    const text = t(keyOf(code, first, values), said).trim();
    const isNamed = values['node'] !== undefined && code !== 'node-unanswered';
    return isNamed ? t('health.atNode', { node: values['node'] ?? '', text }) : text;
  };
}

/** Some findings have another sentence about the settings, or where neither node nor port is named. */
function keyOf(
  code: HealthFinding['code'],
  concerned: string | undefined,
  { node, port }: HealthFinding['values'],
): Key {
  if (code === 'node-unanswered' && node === undefined) return `health.somewhere.${code}`;
  if (code === 'sip-port-silent' && port === undefined) return `health.somewhere.${code}`;
  if (concerned === SETTINGS_NODE && (code === 'recording-missing' || code === 'email-unavailable'))
    return `health.settings.${code}`;
  return `health.code.${code}`;
}
