// The table of pages: the path, the label, and the file. Each page is loaded when it is opened.
import type { ComponentType } from 'react';
import type { IconName } from './kit/icon.tsx';
import type { Key } from './words/words.tsx';

export interface PageModule {
  readonly Page: ComponentType;
}

export interface PageRow {
  /** The first part of the path; the page interprets the rest. */
  readonly path: string;
  readonly label: Key;
  readonly icon: IconName;
  readonly page: () => Promise<PageModule>;
  /** Shown to the operator's account alone. */
  readonly operator?: true;
}

export interface PageGroup {
  /** Null: the first group, without a heading. */
  readonly label: Key | null;
  readonly pages: readonly PageRow[];
}

// biome-ignore format: a table is read by its columns
export const GROUPS: readonly PageGroup[] = [
  {
    label: null,
    pages: [
      { path: '', label: 'shell.page.home', icon: 'home', page: () => import('./pages/home/home.tsx') },
      { path: 'start', label: 'shell.page.start', icon: 'guide', page: () => import('./pages/guide/guide.tsx') },
    ],
  },
  {
    label: 'shell.group.flow',
    pages: [
      { path: 'map', label: 'shell.page.map', icon: 'map', page: () => import('./pages/map/map-page.tsx') },
      { path: 'menus', label: 'shell.page.menus', icon: 'menu', page: () => import('./pages/editor/menus.tsx') },
      { path: 'simulator', label: 'shell.page.simulator', icon: 'phone', page: () => import('./pages/simulator/page.tsx') },
      { path: 'hours', label: 'shell.page.hours', icon: 'hours', page: () => import('./pages/hours/hours.tsx') },
      { path: 'numbers', label: 'shell.page.numbers', icon: 'number', page: () => import('./pages/numbers/numbers.tsx') },
    ],
  },
  {
    label: 'shell.group.now',
    pages: [
      { path: 'live', label: 'shell.page.live', icon: 'live', page: () => import('./pages/live/live.tsx') },
      { path: 'calls', label: 'shell.page.calls', icon: 'calls', page: () => import('./pages/calls/calls.tsx') },
      { path: 'statistics', label: 'shell.page.statistics', icon: 'statistics', page: () => import('./pages/statistics/statistics.tsx') },
    ],
  },
  {
    label: 'shell.group.people',
    pages: [
      { path: 'agents', label: 'shell.page.agents', icon: 'agent', page: () => import('./pages/agents/agents.tsx') },
      { path: 'teams', label: 'shell.page.teams', icon: 'team', page: () => import('./pages/teams/teams.tsx') },
      { path: 'departments', label: 'shell.page.departments', icon: 'department', page: () => import('./pages/departments/departments.tsx') },
    ],
  },
  {
    label: 'shell.group.sounds',
    pages: [
      { path: 'recordings', label: 'shell.page.recordings', icon: 'recording', page: () => import('./pages/recordings/recordings.tsx') },
      { path: 'announcements', label: 'shell.page.announcements', icon: 'announcement', page: () => import('./pages/announcements/announcements.tsx') },
      { path: 'voicemail', label: 'shell.page.voicemail', icon: 'voicemail', page: () => import('./pages/voicemail/voicemail.tsx') },
      { path: 'rooms', label: 'shell.page.rooms', icon: 'team', page: () => import('./pages/rooms/rooms.tsx') },
      { path: 'sms', label: 'shell.page.sms', icon: 'sms', page: () => import('./pages/sms/sms.tsx') },
    ],
  },
  {
    label: 'shell.group.outside',
    pages: [
      { path: 'trunks', label: 'shell.page.trunks', icon: 'trunk', page: () => import('./pages/trunks/trunks.tsx') },
      { path: 'caller-ids', label: 'shell.page.callerIds', icon: 'transfer', page: () => import('./pages/caller-ids/caller-ids.tsx') },
      { path: 'blocked', label: 'shell.page.blocked', icon: 'shield', page: () => import('./pages/blocked/blocked.tsx') },
      { path: 'webhooks', label: 'shell.page.webhooks', icon: 'webhook', page: () => import('./pages/webhooks/webhooks.tsx') },
    ],
  },
  {
    label: 'shell.group.admin',
    pages: [
      { path: 'tokens', label: 'shell.page.tokens', icon: 'key', page: () => import('./pages/tokens/tokens.tsx') },
      { path: 'settings', label: 'shell.page.settings', icon: 'settings', page: () => import('./pages/settings/settings.tsx') },
      { path: 'audit', label: 'shell.page.audit', icon: 'history', page: () => import('./pages/audit/audit.tsx') },
      { path: 'nodes', label: 'shell.page.nodes', icon: 'nodes', page: () => import('./pages/nodes/nodes.tsx'), operator: true },
    ],
  },
];

export const PAGES: ReadonlyMap<string, PageRow> = new Map(
  GROUPS.flatMap(({ pages }) => pages.map((row) => [row.path, row] as const)),
);
