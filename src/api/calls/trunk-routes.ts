// Rows of the route table: what is told of trunks beside the records themselves.

import { TRUNK_PRESETS } from '../../domain/trunk-presets.ts';
import { FIELDS } from '../../kinds/fields.ts';
import type { Handler } from '../http/handler.ts';
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { object, string } from '../schemas/output.ts';
import { getTrunkState } from './telephony.ts';

const settings = Object.fromEntries(
  Object.entries(FIELDS.trunk)
    .filter(([name]) => TRUNK_PRESETS.some((preset) => name in preset.settings))
    .map(([name, field]) => [name, field.output]),
);

export const TRUNK_PRESET_SCHEMAS = {
  TrunkPreset: object({
    id: string,
    name: string,
    source: string,
    settings: object({}, { ...settings, host: string }),
    unverified: { type: 'array', items: string },
    explained: { type: 'object', additionalProperties: string },
  }),
  TrunkPresets: object({ data: { type: 'array', items: { $ref: '#/components/schemas/TrunkPreset' } } }),
};

const listTrunkPresets: Handler = async () => ({ status: 200, json: { data: TRUNK_PRESETS } });

export const TRUNK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/trunk/{id}/state',
    scope: 'read',
    id: 'getTrunkState',
    summary: 'Whether a trunk is registered and answers, and its calls',
    handler: getTrunkState,
    responses: [responses.record('TrunkState')],
  },
  {
    method: 'GET',
    path: '/v1/trunk-presets',
    scope: 'read',
    id: 'listTrunkPresets',
    summary: 'Settings of trunks at well-known providers',
    handler: listTrunkPresets,
    responses: [responses.record('TrunkPresets')],
  },
];
