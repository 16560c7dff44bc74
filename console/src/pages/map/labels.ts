import { RULE_OPERATORS } from '../../../../src/flow/logic-nodes.ts';
import { deletedText } from '../../data/names.ts';
import type { IconName } from '../../kit/icon.tsx';
import type { Words } from '../../words/words.tsx';
import type { MapGraph, MapKind, MapNode, Way } from './graph.ts';

export const KIND_ICONS: Readonly<Record<MapKind, IconName>> = {
  dialled: 'number',
  menu: 'menu',
  hours: 'hours',
  announcement: 'announcement',
  department: 'department',
  agent: 'agent',
  voicemail: 'voicemail',
  room: 'team',
  trunk: 'trunk',
  collect: 'key',
  request: 'webhook',
  stream: 'listen',
  switch: 'transfer',
  message: 'sms',
  sip: 'trunk',
  outside: 'phone',
  missing: 'warn',
};

/** Why a call takes a way; of a rule its comparison in words. */
export function reasonText({ reason, keys }: Pick<Way, 'reason' | 'keys'>, t: Words['t']): string {
  if (reason === 'rule') return t('map.way.rule', { keys: ruleText(keys, t) });
  return reason === 'key' || reason === 'choice' ? t(`map.way.${reason}`, { keys }) : t(`map.way.${reason}`);
}

/** `variable operator value`, as the graph writes it. */
function ruleText(rule: string, t: Words['t']): string {
  const [variable = '', operator = '', ...value] = rule.split(' ');
  const known = RULE_OPERATORS.find((each) => each === operator);
  return [variable, known ? t(`switches.operator.${known}`) : operator, ...value].join(' ');
}

export interface Labels {
  name(node: MapNode): string;
  kind(node: MapNode): string;
  /** The second line of a node: its kind and note. */
  about(node: MapNode): string;
  reason(way: Way): string;
  /** The target of a way, as text. */
  goal(way: Way): string;
}

/** `deletedName`: of what does not exist any more, by its reference. */
export function labelsOf(
  { t }: Pick<Words, 't'>,
  graph: MapGraph,
  deletedName: (reference: string) => string | null,
): Labels {
  const name = (node: MapNode): string =>
    node.kind === 'missing' ? deletedText(deletedName(node.id), t) : node.name.trim() || t('map.unnamed');
  const kind = (node: MapNode): string => t(`map.kind.${node.kind}`);
  return {
    name,
    kind,
    about: (node) => {
      const states = [node.draft ? t('map.draft') : '', node.blocked ? t('map.blocked') : ''];
      return [kind(node), ...states, node.note].filter(Boolean).join(' · ');
    },
    reason: (way) => reasonText(way, t),
    goal: (way) => {
      if (way.ends !== null) return t(`map.ends.${way.ends}`);
      if (way.reason === 'member') return t('map.members', { count: way.to.length });
      if (way.to.length > 1) return t('map.inbound', { count: way.to.length });
      const to = way.to[0];
      const node = to === undefined ? undefined : graph.byId.get(to);
      return node ? name(node) : (to ?? '');
    },
  };
}
