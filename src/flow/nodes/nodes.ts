// THE TABLE of destinations: what is true of each kind, and what a call does there.

import type { FlowNode, NodeKind } from '../node.ts';
import type { Next, NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { agent } from './agent.ts';
import { announcement } from './announcement.ts';
import { collect } from './collect.ts';
import { department } from './department.ts';
import { hangUp } from './hang-up.ts';
import { hours } from './hours.ts';
import { menu } from './menu.ts';
import { message } from './message.ts';
import { number } from './number.ts';
import { request } from './request.ts';
import { room } from './room.ts';
import { sipAddress } from './sip-address.ts';
import { stream } from './stream.ts';
import { switchNode } from './switch.ts';
import { voicemail } from './voicemail.ts';

export const NODE_RULES = {
  menu,
  agent,
  department,
  announcement,
  hours,
  number,
  voicemail,
  room,
  collect,
  request,
  stream,
  switch: switchNode,
  message,
  'sip-address': sipAddress,
  'hang-up': hangUp,
} as const satisfies { readonly [K in NodeKind]: NodeRules<Extract<FlowNode, { kind: K }>> };

/** The cast holds: the row of a kind is made for nodes of that kind. */
export const enter = (turn: Turn, node: FlowNode): Next =>
  (NODE_RULES[node.kind].enter as (turn: Turn, node: FlowNode) => Next)(turn, node);
