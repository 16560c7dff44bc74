// What the linter says, in the API.
import { flowAround } from '../../accounts/flow-around.ts';
import { STAR_CODES } from '../../calls/routing/star-codes.ts';
import { readData } from '../../domain/row.ts';
import { changeFlow, type Flow } from '../../flow/flow.ts';
import type { Finding } from '../../flow/lint/finding.ts';
import { lintNode } from '../../flow/lint.ts';
import type { FlowNode, MenuNode } from '../../flow/node.ts';
import type { Ivr } from '../../kinds/ivr.ts';
import { menuNode } from '../../kinds/nodes.ts';
import { flowInDraft } from '../account/in-draft.ts';
import type { ApiContext, ApiRequest, Handler } from '../http/handler.ts';
import { addressOf, unknownRecord } from '../records/collection.ts';
import type { Warning } from '../records/warnings.ts';
import { flowJobResponse } from './simulate.ts';

export function lintIvr(ivr: Ivr, id: string, request: ApiRequest, context: ApiContext): Promise<Finding[]> {
  return findingsOf(menuNode(id, ivr), request, context);
}

/** The same for a record that may lead to menus, which are looked up. */
export async function lintAround(
  node: FlowNode,
  request: ApiRequest,
  context: ApiContext,
): Promise<Warning[]> {
  const findings = await findingsOf(node, request, context);
  return findings.map(({ pointer, code, message }) => ({ pointer, code, message }));
}

async function findingsOf(node: FlowNode, request: ApiRequest, context: ApiContext): Promise<Finding[]> {
  const around = await flowAround(
    context.storage,
    request.account.id,
    await flowInDraft(request, context),
    [node],
    'without-input',
  );
  const able = changeFlow(around, { settings: { capabilities: context.capabilities } });
  return lintNode(node.kind === 'menu' ? await withWebhooks(able, node, request, context) : able, node);
}

/** Webhooks are not in the directory: those that a menu names are looked up. */
async function withWebhooks(
  flow: Flow,
  { options }: MenuNode,
  request: ApiRequest,
  context: ApiContext,
): Promise<Flow> {
  const ids = [...new Set(options.flatMap(({ webhook }) => webhook ?? []))];
  if (ids.length === 0) return flow;
  const rows = await context.storage.getRecords({ accountId: request.account.id, kind: 'webhook', ids });
  return changeFlow(flow, { settings: { webhooks: new Set(rows.map(({ id }) => id)) } });
}

export const getIvrLint: Handler = async (request, context) => {
  const row = await context.storage.getRecord(addressOf('ivr', request));
  if (!row) return unknownRecord('ivr');
  return { status: 200, json: { data: await lintIvr(readData('ivr', row.json), row.id, request, context) } };
};

/** The whole account, with the menus that no call reaches. */
export const getLint: Handler = ({ account: { id, settings } }, context) =>
  flowJobResponse(context, {
    kind: 'lint',
    accountId: id,
    settings,
    capabilities: context.capabilities,
    starCodes: STAR_CODES,
  });
