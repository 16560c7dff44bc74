// What the command palette offers: pages, records of all kinds, and actions.
import { useMemo } from 'react';
import type { User } from '../../../client/operations.ts';
import { keysOf } from '../../../src/kinds/lists.ts';
import { useAsk } from '../data/ask.ts';
import { client } from '../data/client.ts';
import { KINDS, type Kind } from '../data/kinds.ts';
import { changing, useMay } from '../data/may.ts';
import { DESTINATIONS, type DestinationRecord, referenceOf } from '../data/names.ts';
import { useRecordsByKind } from '../data/records.ts';
import { useSession } from '../data/session.tsx';
import { readUsers } from '../data/users.ts';
import type { IconName } from '../kit/icon.tsx';
import { useAttempt, useToast } from '../kit/toast.tsx';
import { LISTED, type ListedKind } from '../pages/records/listed-kinds.ts';
import { pathTo } from '../router.tsx';
import { SECTIONS, shownTo } from '../routes.ts';
import { applyTheme, THEMES } from '../theme.ts';
import { LANGUAGES, useWords, type Words } from '../words/words.tsx';
import { digitsOf, type Entry } from './find.ts';

export interface Command extends Entry {
  readonly icon: IconName;
  /** A page of the console, or something that is done. */
  readonly act: string | (() => void);
}

const ALL_KINDS: readonly Kind[] = keysOf(KINDS);
/** Members that people know a record by, beside its name. */
const KNOWN_BY = [
  'intercom',
  'follow_me_number',
  'number',
  'description',
  'host',
  'email',
  'show',
  'url',
  'dialled',
];
/** In larger accounts an action for each agent would bury the agents. */
const MOST_ACTED_ON = 2_000;
const RANKS = { pages: 1, records: 2, actions: 3 } as const;

const isListed = (kind: Kind): kind is ListedKind => kind in LISTED;
const isDestination = (kind: Kind): kind is DestinationRecord => DESTINATIONS.some((one) => one === kind);

function recordEntry(
  kind: Kind,
  record: Readonly<Record<string, unknown>>,
  { t }: Pick<Words, 't'>,
): Command {
  // The list is of this kind, and so is the record.
  const { idOf, nameOf, page } = KINDS[kind] as {
    idOf(r: object): string;
    nameOf(r: object): string;
    page: string;
  };
  const id = idOf(record);
  const known = KNOWN_BY.flatMap((name) => {
    const value = record[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  const label = nameOf(record) || id;
  const note = known.find((text) => text !== label);
  return {
    id: `${kind} ${id}`,
    label,
    group: t(`kit.kind.${kind}`),
    rank: RANKS.records,
    ...(note === undefined ? {} : { note: note.slice(0, 80) }),
    also: [id, ...known],
    icon: isListed(kind) ? LISTED[kind].icon : kind === 'ivr' ? 'menu' : 'key',
    act: kind === 'token' ? '/tokens' : pathTo(page, id),
  };
}

function usePages(): readonly Command[] {
  const { t } = useWords();
  const isOperator = useSession().account?.operator ?? false;
  const may = useMay();
  return useMemo(
    () =>
      SECTIONS.flatMap(({ label, pages }) =>
        shownTo(pages, { isOperator, may }).map(
          (row): Command => ({
            id: `page ${row.path}`,
            label: t(row.label),
            group: t('palette.pages'),
            rank: RANKS.pages,
            note: t(label),
            icon: row.icon,
            act: `/${row.path}`,
          }),
        ),
      ),
    [t, isOperator, may],
  );
}

function useActions(showKeys: () => void): readonly Command[] {
  const { t, language, setLanguage } = useWords();
  const { signOut } = useSession();
  const may = useMay();
  const attempt = useAttempt();
  return useMemo(() => {
    const action = (id: string, label: string, icon: IconName, act: Command['act']): Command => ({
      id: `action ${id}`,
      label,
      group: t('palette.actions'),
      rank: RANKS.actions,
      icon,
      act,
    });
    return [
      ...(may(changing('ivr')) ? [action('new ivr', t('editor.new'), 'add', pathTo('menus', 'new'))] : []),
      ...keysOf(LISTED)
        .filter((kind) => may(changing(kind)))
        .map((kind) =>
          action(`new ${kind}`, t(`${LISTED[kind].words}.new`), 'add', pathTo(KINDS[kind].page, 'new')),
        ),
      ...THEMES.map((theme) =>
        action(`theme ${theme}`, t('palette.theme', { theme: t(`shell.theme.${theme}`) }), 'settings', () =>
          applyTheme(theme),
        ),
      ),
      ...LANGUAGES.filter(({ value }) => value !== language).map(({ value, label }) =>
        action(`language ${value}`, t('palette.language', { language: label }), 'settings', () =>
          setLanguage(value),
        ),
      ),
      action('keys', t('keys.title'), 'key', showKeys),
      action('docs', t('shell.docs'), 'guide', () => location.assign('/docs')),
      action('sign out', t('shell.signOut'), 'back', () => void attempt(() => signOut())),
    ];
  }, [t, language, setLanguage, signOut, attempt, showKeys, may]);
}

/** What can be done with a record from anywhere: an agent is paused, a destination shown on the map. */
function useRecordActions(items: ReturnType<typeof useRecordsByKind<Kind>>['items']): readonly Command[] {
  const { t } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const may = useMay();
  return useMemo(() => {
    const group = t('palette.actions');
    const commands: Command[] = [];
    const paused = may('pauseAgent') ? items.agent.slice(0, MOST_ACTED_ON) : [];
    for (const { eid, name } of paused) {
      const params = { eid };
      const work = async (act: () => Promise<unknown>, said: string): Promise<void> => {
        if (await attempt(act)) toast(said);
      };
      commands.push(
        {
          id: `pause ${eid}`,
          label: t('palette.pause', { name }),
          group,
          rank: RANKS.actions,
          also: [eid],
          icon: 'pause',
          act: () =>
            void work(
              async () => client.pauseAgent({ params, body: { reason: '' } }),
              t('palette.paused', { name }),
            ),
        },
        {
          id: `resume ${eid}`,
          label: t('palette.resume', { name }),
          group,
          rank: RANKS.actions,
          also: [eid],
          icon: 'play',
          act: () => void work(async () => client.resumeAgent({ params }), t('palette.resumed', { name })),
        },
      );
    }
    for (const kind of ALL_KINDS) if (isDestination(kind)) addMapActions(kind);
    return commands;

    function addMapActions<K extends DestinationRecord>(kind: K): void {
      for (const record of items[kind].slice(0, MOST_ACTED_ON))
        commands.push({
          id: `map ${referenceOf(kind, record)}`,
          label: t('palette.onMap', { name: KINDS[kind].nameOf(record) }),
          group,
          rank: RANKS.actions,
          icon: 'map',
          act: pathTo('map', referenceOf(kind, record)),
        });
    }
  }, [items, t, toast, attempt, may]);
}

/** For a number or the id of a call: the calls themselves, which are too many to be held here. */
export function callEntries(text: string, { t }: Pick<Words, 't'>): readonly Command[] {
  const trimmed = text.trim();
  const common = { group: t('palette.calls'), rank: RANKS.records, icon: 'calls' } as const;
  const commands: Command[] = [];
  if (digitsOf(trimmed) !== null) {
    const query = new URLSearchParams({ caller: trimmed.replace(/[\s()/.-]/g, '') });
    commands.push({
      ...common,
      id: 'calls of',
      label: t('palette.callsOf', { number: trimmed }),
      act: `/calls?${query}`,
    });
  }
  if (/^[0-9a-z_-]{16,64}$/i.test(trimmed))
    commands.push({
      ...common,
      id: 'call',
      label: t('palette.call', { id: trimmed }),
      act: pathTo('calls', trimmed),
    });
  return commands;
}

const NO_USERS: readonly User[] = [];

/** Users have no page each: the list is opened at theirs. */
function useUserEntries(): readonly Command[] {
  const { t } = useWords();
  const may = useMay()('listUsers');
  const { value } = useAsk(async (signal) => (may ? readUsers(signal) : NO_USERS), [may]);
  return useMemo(
    () =>
      (value ?? NO_USERS).map(
        ({ id, name, email, role }): Command => ({
          id: `user ${id}`,
          label: name,
          group: t('palette.users'),
          rank: RANKS.records,
          note: t(`users.role.${role}`),
          also: [email],
          icon: 'team',
          act: `/users?${new URLSearchParams({ q: email })}`,
        }),
      ),
    [value, t],
  );
}

export function useCommands(showKeys: () => void): {
  readonly commands: readonly Command[];
  readonly loading: boolean;
} {
  const words = useWords();
  const { items, lists } = useRecordsByKind(ALL_KINDS);
  const pages = usePages();
  const actions = useActions(showKeys);
  const recordActions = useRecordActions(items);
  const records = useMemo(
    () => ALL_KINDS.flatMap((kind) => items[kind].map((record) => recordEntry(kind, { ...record }, words))),
    [items, words],
  );
  const users = useUserEntries();
  const commands = useMemo(
    () => [...pages, ...records, ...users, ...actions, ...recordActions],
    [pages, records, users, actions, recordActions],
  );
  return {
    commands,
    loading: lists.some(({ state, items: some }) => state === 'loading' && some.length === 0),
  };
}
