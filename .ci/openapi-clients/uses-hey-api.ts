// A program against what @hey-api/openapi-ts generates. Compiled in CI, not run.
import { client } from './hey-api/client.gen';
import { createNumber, getIvr, listCallRecords } from './hey-api/sdk.gen';
import type { CallEndedEvent, Failure, IvrInput } from './hey-api/types.gen';

client.setConfig({ baseUrl: 'http://localhost:8080', auth: () => 'secret' });

export async function main(menu: IvrInput): Promise<void> {
  const { data, error } = await createNumber({ body: { number: '200', destination: 'ivr||main' } });
  if (error) {
    const failure: Failure = error;
    console.log(failure.Code, failure.Message);
    return;
  }
  console.log(data.id, menu.incorrect_count);
  const calls = await listCallRecords({ query: { direction: 'inbound', limit: 10 } });
  for (const { caller, talk_ms } of calls.data?.data ?? []) console.log(caller, talk_ms);
  const ivr = await getIvr({ path: { id: 'main' } });
  console.log(ivr.data?.warnings[0]?.message);
  // @ts-expect-error there is no such parameter
  await listCallRecords({ query: { limti: 10 } });
}

export const onEnded = ({ type, data }: CallEndedEvent): string =>
  `${type} ${data.call.call_id} ${data.outcome}`;
