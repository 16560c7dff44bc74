// A program against our own client, compiled to CommonJS with the module resolution of older TypeScript. Compiled in CI, not run.
import { all, createClient, DialtreeError } from 'dialtree/client';

export async function main(): Promise<void> {
  const dialtree = createClient({ url: 'http://localhost:8080', token: 'secret' });
  try {
    for await (const { number } of all(dialtree.listNumbers, { q: '49' })) console.log(number);
    const { etag } = await dialtree.getIvr({ params: { id: 'main' } }).withHeaders();
    console.log(etag);
    // @ts-expect-error there is no such parameter
    await dialtree.listNumbers({ query: { limti: 10 } });
  } catch (error) {
    if (error instanceof DialtreeError) console.log(error.code);
  }
}
