import { afterAll, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, type Json, runDialtree, type Service, startService, TOKEN } from '../support/service.ts';

onAnyDatabase((database) => {
  let service: Service;
  let env: Record<string, string>;
  let stranger: string;
  let beganMs: number;
  beforeAll(async () => {
    env = { ...(await database.environment()), NODE_ID: 'east-1', SIP: 'on', SIP_PORT: '0' };
    beganMs = Date.now();
    service = await startService({ env });
    stranger = (await runDialtree(['account', 'create', 'stranger'], { env })).out.trim();
  });
  afterAll(() => service?.stop());
  const nodes = async (): Promise<Json[]> => (await call(service.url, 'GET', '/v1/nodes')).json.data;
  const until = async (state: string): Promise<Json> => {
    for (let tries = 0; tries < 50; tries++) {
      const [node] = await nodes();
      if (node?.['state'] === state) return node;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`The node is not ${state}.`);
  };

  it('the operator sees the nodes; tokens of other accounts do not, and drain none', async () => {
    const [node, ...others] = await nodes();
    expect(others).toEqual([]);
    expect(node).toMatchObject({ id: 'east-1', state: 'running', drain: false, calls: 0, answers_you: true });
    expect(Date.parse(node?.['last_seen_at'])).toBeGreaterThanOrEqual(beganMs);
    for (const [method, path] of [
      ['GET', '/v1/nodes'],
      ['POST', '/v1/node/east-1/drain'],
      ['POST', '/v1/node/east-1/resume'],
    ] as const) {
      const reply = await call(service.url, method, path, { token: stranger });
      expect([reply.status, reply.json.Code]).toEqual([403, 'operator_only']);
    }
    expect((await call(service.url, 'POST', '/v1/node/west/drain')).status).toBe(404);
  });

  it('a node is drained and resumed, by the API and by the command line', async () => {
    expect((await call(service.url, 'POST', '/v1/node/east-1/drain')).status).toBe(200);
    expect(await until('draining')).toMatchObject({ drain: true });
    expect((await call(service.url, 'POST', '/v1/node/east-1/resume')).status).toBe(200);
    await until('running');
    const remote = { env: { ...env, DIALTREE_URL: service.url, DIALTREE_TOKEN: TOKEN } };
    const drained = await runDialtree(['drain', '--wait'], remote);
    expect([drained.code, drained.out]).toEqual([0, 'The node takes no new calls.\n']);
    const listed = await runDialtree(['nodes'], remote);
    expect(listed.out).toMatch(/east-1 +draining +0/);
    expect((await runDialtree(['drain', '--node', 'east-1', '--off'], remote)).code).toBe(0);
    await until('running');
    const unknown = await runDialtree(['drain', '--node', 'west'], remote);
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('There is no such node that runs.'),
    ]);
  });
});
