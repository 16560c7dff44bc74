// The table of pages: eight sections, and in each its pages with path, label and file. Each page is loaded when it is opened.
// A section is one entry of the navigation; its pages are the tabs above the page.
import type { ComponentType } from 'react';
import type { OperationId } from '../../src/domain/roles.ts';
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
  /** An operation that the user must be allowed for the page to be of use; absent: every role. */
  readonly needs?: OperationId;
  /** Shown to the operator's account alone. */
  readonly operator?: true;
  /** Can fill the window, without header and navigation: `?full` in its address. */
  readonly full?: true;
}

export interface Section {
  readonly label: Key;
  readonly icon: IconName;
  /** With “g” before it, the key that opens it. */
  readonly key: string;
  /** At phone size: one of the entries at the bottom. The others are behind "More". */
  readonly phone?: true;
  /** The first one is what the entry opens. */
  readonly pages: readonly PageRow[];
}

// biome-ignore format: a table is read by its columns
export const SECTIONS: readonly Section[] = [
  {
    label: 'shell.section.overview', key: 'o', icon: 'home', phone: true,
    pages: [
      { path: '', label: 'shell.page.home', icon: 'home', page: () => import('./pages/home/home.tsx'), needs: 'getStatistics' },
      { path: 'health', label: 'shell.page.health', icon: 'shield', page: () => import('./pages/health/health.tsx'), needs: 'getHealth' },
      { path: 'start', label: 'shell.page.start', icon: 'guide', page: () => import('./pages/guide/guide.tsx'), needs: 'createAgent' },
    ],
  },
  {
    label: 'shell.section.flow', key: 'f', icon: 'map', phone: true,
    pages: [
      { path: 'map', label: 'shell.page.map', icon: 'map', page: () => import('./pages/map/map-page.tsx'), needs: 'listIvrs' },
      { path: 'draft', label: 'shell.page.draft', icon: 'history', page: () => import('./pages/publish/publish.tsx'), needs: 'getDraft' },
      { path: 'menus', label: 'shell.page.menus', icon: 'menu', page: () => import('./pages/editor/menus.tsx'), needs: 'listIvrs' },
      { path: 'simulator', label: 'shell.page.simulator', icon: 'phone', page: () => import('./pages/simulator/page.tsx'), needs: 'listIvrs' },
      { path: 'hours', label: 'shell.page.hours', icon: 'hours', page: () => import('./pages/hours/hours.tsx'), needs: 'listTimeGroups' },
      { path: 'numbers', label: 'shell.page.numbers', icon: 'number', page: () => import('./pages/numbers/numbers.tsx'), needs: 'listNumbers' },
      { path: 'collects', label: 'shell.page.collects', icon: 'key', page: () => import('./pages/flow-logic/collects.tsx'), needs: 'listCollects' },
      { path: 'requests', label: 'shell.page.requests', icon: 'webhook', page: () => import('./pages/flow-logic/requests.tsx'), needs: 'listRequests' },
      { path: 'streams', label: 'shell.page.streams', icon: 'listen', page: () => import('./pages/flow-logic/streams.tsx'), needs: 'listStreams' },
      { path: 'switches', label: 'shell.page.switches', icon: 'transfer', page: () => import('./pages/flow-logic/switches.tsx'), needs: 'listSwitches' },
      { path: 'messages', label: 'shell.page.messages', icon: 'sms', page: () => import('./pages/flow-logic/messages.tsx'), needs: 'listMessages' },
      { path: 'sip-addresses', label: 'shell.page.sipAddresses', icon: 'trunk', page: () => import('./pages/flow-logic/sip-addresses.tsx'), needs: 'listSipAddresses' },
      { path: 'rooms', label: 'shell.page.rooms', icon: 'team', page: () => import('./pages/rooms/rooms.tsx'), needs: 'listRooms' },
    ],
  },
  {
    label: 'shell.section.live', key: 'l', icon: 'live', phone: true,
    pages: [
      { path: 'wallboard', label: 'shell.page.wallboard', icon: 'statistics', page: () => import('./pages/wallboard/wallboard.tsx'), full: true, needs: 'getWallboard' },
      { path: 'live', label: 'shell.page.live', icon: 'live', page: () => import('./pages/live/live.tsx'), needs: 'listLiveCalls' },
    ],
  },
  {
    label: 'shell.section.calls', key: 'c', icon: 'calls', phone: true,
    pages: [
      { path: 'calls', label: 'shell.page.calls', icon: 'calls', page: () => import('./pages/calls/calls.tsx'), needs: 'listCallRecords' },
      { path: 'voicemail', label: 'shell.page.voicemail', icon: 'voicemail', page: () => import('./pages/voicemail/voicemail.tsx'), needs: 'listVoicemails' },
      { path: 'blocked', label: 'shell.page.blocked', icon: 'shield', page: () => import('./pages/blocked/blocked.tsx'), needs: 'listBlockedNumbers' },
      { path: 'desk', label: 'shell.page.desk', icon: 'phone', page: () => import('./pages/desk/desk.tsx'), needs: 'createPhoneSession' },
    ],
  },
  {
    label: 'shell.section.people', key: 'p', icon: 'department',
    pages: [
      { path: 'agents', label: 'shell.page.agents', icon: 'agent', page: () => import('./pages/agents/agents.tsx') },
      { path: 'teams', label: 'shell.page.teams', icon: 'team', page: () => import('./pages/teams/teams.tsx') },
      { path: 'departments', label: 'shell.page.departments', icon: 'department', page: () => import('./pages/departments/departments.tsx') },
      { path: 'contacts', label: 'shell.page.contacts', icon: 'agent', page: () => import('./pages/contacts/contacts.tsx') },
    ],
  },
  {
    label: 'shell.section.sounds', key: 'u', icon: 'announcement',
    pages: [
      { path: 'recordings', label: 'shell.page.recordings', icon: 'recording', page: () => import('./pages/recordings/recordings.tsx'), needs: 'listRecordings' },
      { path: 'prompts', label: 'shell.page.prompts', icon: 'announcement', page: () => import('./pages/prompts/prompts.tsx'), needs: 'getPrompts' },
      { path: 'announcements', label: 'shell.page.announcements', icon: 'announcement', page: () => import('./pages/announcements/announcements.tsx'), needs: 'listAnnouncements' },
      { path: 'sms', label: 'shell.page.sms', icon: 'sms', page: () => import('./pages/sms/sms.tsx'), needs: 'listSms' },
    ],
  },
  {
    label: 'shell.section.statistics', key: 't', icon: 'statistics',
    pages: [
      { path: 'statistics', label: 'shell.page.statistics', icon: 'statistics', page: () => import('./pages/statistics/statistics.tsx'), needs: 'getStatistics' },
      { path: 'report', label: 'shell.page.report', icon: 'sms', page: () => import('./pages/report/report.tsx'), needs: 'getReport' },
    ],
  },
  {
    label: 'shell.section.settings', key: 's', icon: 'settings',
    pages: [
      { path: 'settings', label: 'shell.page.settings', icon: 'settings', page: () => import('./pages/settings/settings.tsx'), needs: 'patchSettings' },
      { path: 'trunks', label: 'shell.page.trunks', icon: 'trunk', page: () => import('./pages/trunks/trunks.tsx'), needs: 'listTrunks' },
      { path: 'caller-ids', label: 'shell.page.callerIds', icon: 'transfer', page: () => import('./pages/caller-ids/caller-ids.tsx'), needs: 'listCallerIdRules' },
      { path: 'notifications', label: 'shell.page.notifications', icon: 'bell', page: () => import('./pages/notifications/rules.tsx'), needs: 'patchSettings' },
      { path: 'webhooks', label: 'shell.page.webhooks', icon: 'webhook', page: () => import('./pages/webhooks/webhooks.tsx'), needs: 'listWebhooks' },
      { path: 'call-buttons', label: 'shell.page.callButtons', icon: 'phone', page: () => import('./pages/call-buttons/call-buttons.tsx'), needs: 'patchSettings' },
      { path: 'users', label: 'shell.page.users', icon: 'team', page: () => import('./pages/users/users.tsx'), needs: 'listUsers' },
      { path: 'tokens', label: 'shell.page.tokens', icon: 'key', page: () => import('./pages/tokens/tokens.tsx') },
      { path: 'audit', label: 'shell.page.audit', icon: 'history', page: () => import('./pages/audit/audit.tsx'), needs: 'listAudit' },
      { path: 'account', label: 'shell.page.account', icon: 'agent', page: () => import('./pages/account/account.tsx') },
      { path: 'deleted', label: 'shell.page.deleted', icon: 'trash', page: () => import('./pages/deleted/deleted.tsx'), needs: 'listDeletedRecords' },
      { path: 'service', label: 'shell.page.service', icon: 'settings', page: () => import('./pages/service/service.tsx'), needs: 'getConfiguration', operator: true },
      { path: 'nodes', label: 'shell.page.nodes', icon: 'nodes', page: () => import('./pages/nodes/nodes.tsx'), operator: true },
    ],
  },
];

export const PAGES: ReadonlyMap<string, PageRow> = new Map(
  SECTIONS.flatMap(({ pages }) => pages.map((row) => [row.path, row] as const)),
);

export const sectionOf = (path: string): Section | undefined =>
  SECTIONS.find(({ pages }) => pages.some((row) => row.path === path));

interface Reader {
  readonly isOperator: boolean;
  readonly may: (operation: OperationId) => boolean;
}

export const mayOpen = ({ operator, needs }: PageRow, { isOperator, may }: Reader): boolean =>
  (isOperator || !operator) && (needs === undefined || may(needs));

export const shownTo = (pages: readonly PageRow[], reader: Reader): readonly PageRow[] =>
  pages.filter((row) => mayOpen(row, reader));
