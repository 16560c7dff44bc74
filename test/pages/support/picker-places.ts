// Every place of the console with pickers, how it is opened, and which of its pickers offer people.
import type { Page } from 'playwright-core';
import { en } from '../../../console/src/words/en.ts';
import { button } from './forms.ts';
import type { FullCompany } from './full-company.ts';

export interface Place {
  /** Where its pickers are written, below console/src/pages. */
  readonly files: readonly string[];
  readonly path: string;
  readonly open?: (page: Page) => Promise<void>;
  /** The labels of the pickers that offer people; the others of the place offer none. */
  readonly people: readonly string[];
}

const ofCall = (what: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: what }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** With the keyboard on the map. */
const connects = async (page: Page): Promise<void> => {
  await page.locator('.map-card-selected').waitFor();
  await page.getByRole('application', { name: 'Call flow map' }).focus();
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
};

export const places = ({ company }: FullCompany): readonly Place[] => [
  {
    files: ['agents/edit-agent.tsx'],
    path: '/agents/new',
    people: [
      en['agents.failover'],
      en['agents.forward.always'],
      en['agents.forward.busy'],
      en['agents.forward.noAnswer'],
      en['flow-logic.afterCall'],
    ],
  },
  {
    files: ['announcements/announcements.tsx', 'records/recording-field.tsx'],
    path: '/announcements/new',
    people: [en['announcements.then']],
  },
  { files: ['blocked/blocked.tsx'], path: '/blocked/new', people: [] },
  {
    files: ['bulk/bulk-value.tsx'],
    path: '/numbers',
    open: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .check();
      await button(page, en['bulk.destination']).click();
    },
    people: [en['bulk.destination']],
  },
  { files: ['caller-ids/caller-ids.tsx'], path: '/caller-ids/new', people: [en['callerIds.agent']] },
  {
    files: ['calls/call-filters.tsx'],
    path: '/calls',
    open: (page) => page.getByText(en['calls.more'], { exact: true }).click(),
    people: [en['calls.filter.agent']],
  },
  {
    files: ['create/kind-fields.tsx'],
    path: '/numbers/new',
    open: async (page) => {
      await page.getByRole('combobox', { name: en['numbers.leads'] }).fill('Nights');
      await page.getByRole('option', { name: '+ Menu Nights', exact: true }).click();
      await page.getByRole('dialog', { name: 'New: Menu' }).waitFor();
    },
    people: ['Where 1 leads'],
  },
  {
    files: ['departments/edit-department.tsx', 'departments/members-field.tsx'],
    path: '/departments/new',
    open: (page) => page.getByLabel(en['departments.queue']).check(),
    people: [
      en['departments.agents.add'],
      en['departments.failover'],
      en['departments.full'],
      en['departments.timeout'],
      en['flow-logic.afterCall'],
    ],
  },
  {
    files: ['editor/option-panel.tsx', 'editor/prompt-field.tsx', 'editor/ways.tsx'],
    path: `/menus/${company.menus.welcome}`,
    open: async (page) => {
      await page.getByRole('button', { name: /^Key 1/ }).click();
      const more = page.locator('.editor-option details');
      if ((await more.getAttribute('open')) === null) await more.locator('summary').click();
    },
    people: ['Where 1 leads', en['editor.field.invalid_destination'], en['editor.field.timeout_destination']],
  },
  { files: ['hours/edit-hours.tsx'], path: '/hours/new', people: [en['hours.open'], en['hours.closed']] },
  {
    files: ['hours/holidays-dialog.tsx'],
    path: '/hours/new',
    open: async (page) => {
      await button(page, 'National holidays …').click();
      await page.getByRole('dialog').waitFor();
    },
    people: [],
  },
  { files: ['guide/agent-step.tsx'], path: '/start', open: firstStep, people: [en['guide.agent.choose']] },
  {
    files: ['templates/gallery.tsx'],
    path: '/start',
    open: async (page) => {
      await page.getByRole('button', { name: /^Use it: Sales/ }).click();
      await page.getByRole('dialog').waitFor();
    },
    people: [en['departments.agents.add']],
  },
  {
    files: ['live/transfer-dialog.tsx'],
    path: '/live',
    open: ofCall(/^Transfer the call from/),
    people: [en['live.transfer.to']],
  },
  {
    files: ['live/listen-dialog.tsx'],
    path: '/live',
    open: ofCall(/^Listen to the call from/),
    people: [en['live.listen.agent']],
  },
  {
    files: ['live/add-dialog.tsx'],
    path: '/live',
    open: ofCall(/^Add a third party/),
    people: [en['live.add.number']],
  },
  {
    files: ['map/edit/connect-dialog.tsx'],
    path: `/map/${encodeURIComponent(`ivr||${company.menus.welcome}`)}`,
    open: connects,
    people: [en['map.edit.to']],
  },
  {
    files: ['map/edit/connect-dialog.tsx'],
    path: `/map/${encodeURIComponent(`department||${company.departments.bookings}`)}`,
    open: async (page) => {
      await connects(page);
      await page
        .getByRole('dialog')
        .getByLabel(en['map.edit.row'])
        .selectOption({ label: en['map.way.member'] });
    },
    people: [en['map.edit.agent']],
  },
  { files: ['map/toolbar.tsx'], path: '/map', people: [en['map.search']] },
  {
    files: ['flow-logic/collects.tsx'],
    path: '/collects/new',
    people: [en['flow-logic.next'], en['collects.failed']],
  },
  { files: ['flow-logic/messages.tsx'], path: '/messages/new', people: [en['flow-logic.next']] },
  {
    files: ['flow-logic/requests.tsx'],
    path: '/requests/new',
    people: [en['flow-logic.next'], en['requests.failed']],
  },
  {
    files: ['flow-logic/sip-addresses.tsx'],
    path: '/sip-addresses/new',
    people: [en['sipAddresses.failover']],
  },
  {
    files: ['flow-logic/streams.tsx'],
    path: '/streams/new',
    people: [en['streams.next'], en['streams.failed']],
  },
  { files: ['flow-logic/switches.tsx'], path: '/switches/new', people: [en['switches.otherwise']] },
  {
    files: ['create/flow-logic-fields.tsx'],
    path: '/numbers/new',
    open: async (page) => {
      await page.getByRole('combobox', { name: en['numbers.leads'] }).fill('Account');
      await page.getByRole('option', { name: '+ Switch Account', exact: true }).click();
      await page.getByRole('dialog', { name: 'New: Switch' }).waitFor();
    },
    people: [en['flow-logic.next'], en['switches.otherwise']],
  },
  { files: ['numbers/numbers.tsx'], path: '/numbers/new', people: [en['numbers.leads']] },
  { files: ['rooms/rooms.tsx'], path: '/rooms/new', people: [en['rooms.failover']] },
  { files: ['simulator/page.tsx'], path: '/simulator', people: [] },
  {
    files: ['users/user-fields.tsx'],
    path: '/users',
    open: async (page) => {
      await button(page, 'Invite a user').click();
      await page.getByRole('dialog').waitFor();
    },
    people: [en['users.agent']],
  },
];

/** It is shown where another step is open. */
async function firstStep(page: Page): Promise<void> {
  await page.locator('.guide-step').first().waitFor();
  const show = page.getByRole('button', { name: /^Show step 1/ });
  if ((await show.count()) > 0) await show.click();
}

/** They offer recordings alone, on the way to a first menu; and languages. */
export const NOT_WALKED = ['guide/menu-step.tsx', 'prompts/language-field.tsx'];
