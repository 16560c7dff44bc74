// The account's records, as the browser holds them → the flow that the linter and stored tests run on: the service's own code.

import type {
  Agent,
  Announcement,
  Department,
  Ivr,
  Recording,
  Settings,
  SmsTemplate,
  TimeGroup,
  VoicemailBox,
  Webhook,
} from '../../../../client/operations.ts';
import { announcementNode } from '../../../../src/domain/announcement.ts';
import {
  agentNode,
  departmentNode,
  flowSettings,
  flowTemplates,
  menuNode,
} from '../../../../src/domain/compile.ts';
import { hoursNode } from '../../../../src/domain/time-group.ts';
import { voicemailNode } from '../../../../src/domain/voicemail-box.ts';
import { readTestCase, runTestCase } from '../../../../src/flow/expect.ts';
import { changeFlow, type Flow, makeFlow } from '../../../../src/flow/flow.ts';
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { lintNode } from '../../../../src/flow/lint.ts';
import { gapsOf, type IvrDraft, ivrOf } from './draft.ts';

export interface AccountRecords {
  readonly ivrs: readonly Ivr[];
  readonly agents: readonly Agent[];
  readonly departments: readonly Department[];
  readonly timeGroups: readonly TimeGroup[];
  readonly announcements: readonly Announcement[];
  readonly voicemailBoxes: readonly VoicemailBox[];
  readonly recordings: readonly Recording[];
  readonly templates: readonly SmsTemplate[];
  readonly webhooks: readonly Webhook[];
  readonly settings: Settings;
}

/** No stored menu can have this id. */
const UNSAVED = '-unsaved-';
/** As many events as the service allows a stored test. */
const MAX_EVENTS = 2_000;

export function accountFlow(records: AccountRecords): Flow {
  return makeFlow({
    nodes: [
      ...records.ivrs.map((ivr) => menuNode(ivr.id, ivr)),
      ...records.agents.map(agentNode),
      ...records.departments.map((one) => departmentNode(one.id, one)),
      ...records.timeGroups.map((one) => hoursNode(one.id, one)),
      ...records.announcements.map((one) => announcementNode(one.id, one)),
      ...records.voicemailBoxes.map((one) => voicemailNode(one.id, one)),
    ],
    recordings: records.recordings.map(({ id, name, duration_ms: durationMs }) => ({ id, name, durationMs })),
    templates: flowTemplates(
      records.templates.map((one) => ({ ...one, data: one, createdAtMs: 0, updatedAtMs: 0 })),
    ),
    settings: {
      ...flowSettings(records.settings),
      webhooks: new Set(records.webhooks.map(({ id }) => id)),
    },
  });
}

/** What the linter says of the draft, but for places where nothing is chosen yet: those are told as such. */
export function lintDraft(flow: Flow, id: string | null, draft: IvrDraft): Finding[] {
  const gaps = new Set(gapsOf(draft));
  return lintNode(flow, menuNode(id ?? UNSAVED, ivrOf(draft))).filter(({ pointer }) => !gaps.has(pointer));
}

export interface FailedTest {
  readonly name: string;
  readonly differences: readonly string[];
}

/** The menu's own tests that would fail with the draft, with what differed. */
export function failedTests(flow: Flow, id: string | null, draft: IvrDraft): FailedTest[] {
  const node = menuNode(id ?? UNSAVED, ivrOf(draft));
  const within = changeFlow(flow, { nodes: [node] });
  return draft.tests.flatMap((stored) => {
    const reading = readTestCase(stored);
    if (!reading.ok) return [];
    const { scenario } = reading.test;
    const test = { ...reading.test, scenario: { ...scenario, maxEvents: MAX_EVENTS } };
    const { name, passed, differences } = runTestCase(within, node.ref, test);
    return passed ? [] : [{ name, differences }];
  });
}
