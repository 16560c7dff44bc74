// A program against what openapi-typescript generates, with its client openapi-fetch. Compiled in CI, not run.
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './openapi-typescript';

const api = createClient<paths>({
  baseUrl: 'http://localhost:8080',
  headers: { Authorization: 'Bearer secret' },
});

export async function main(): Promise<void> {
  const created = await api.POST('/v1/number', { body: { number: '200', destination: 'ivr||main' } });
  if (created.error) {
    const failure: components['schemas']['Failure'] = created.error;
    console.log(failure.Code, failure.Errors?.[0]?.Pointer);
    return;
  }
  console.log(created.data.id);
  const calls = await api.GET('/v1/call/records', { params: { query: { direction: 'inbound', limit: 10 } } });
  for (const { caller, talk_ms } of calls.data?.data ?? []) console.log(caller, talk_ms);
  const menu: components['schemas']['IvrInput'] | undefined = undefined;
  console.log(menu);
  // @ts-expect-error there is no such parameter
  await api.GET('/v1/numbers', { params: { query: { limti: 10 } } });
}

type Ended = webhooks['call.ended']['post']['requestBody']['content']['application/json'];
export const onEnded = ({ type, data }: Ended): string =>
  `${type} ${data.call.call_id} ${data.outcome} ${data.talk_ms}`;
