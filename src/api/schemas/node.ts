// What is shown of a node, and of how the service was started.

import type { JsonSchema } from '../../kinds/field.ts';
import { NODE_STATES } from '../../storage/ports/nodes.ts';
import { CONFIGURATION } from './configuration.ts';
import { object, string, time } from './output.ts';

export const NODE_SCHEMAS: Record<string, JsonSchema> = {
  Node: object({
    id: string,
    state: { enum: NODE_STATES },
    drain: { type: 'boolean' },
    calls: { type: 'integer', minimum: 0 },
    version: string,
    started_at: time,
    last_seen_at: time,
    answers_you: { type: 'boolean' },
  }),
  Configuration: CONFIGURATION,
};
