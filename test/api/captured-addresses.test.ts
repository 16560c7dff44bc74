// Threat T66: accounts invite the address of a person who works in another one, accept in the person's name, and sign in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { runDialtree, type Service, startService } from '../support/service.ts';
import { Browser } from './support/browser.ts';
import { expectFailure } from './support/failure.ts';
import { accept, makeOwner, PASSWORD } from './support/people.ts';

const VICTIM = 'vera@example.com';
const STRANGERS = 5;
const THEIRS = 'a password that strangers chose';

interface Stranger {
  readonly owner: Browser;
  readonly account: string;
}

async function strangersAt(service: Service): Promise<Stranger[]> {
  const strangers: Stranger[] = [];
  for (let at = 0; at < STRANGERS; at++) {
    const made = await runDialtree(['account', 'create', `evil${at}`], { dataDir: service.dataDir });
    const owner = await makeOwner(service, `evil${at}@example.com`, made.out.trim());
    const [{ id }] = (await owner.ask('GET', '/v1/session')).json.accounts;
    strangers.push({ owner, account: id });
  }
  return strangers;
}

const signIn = (service: Service, body: object) =>
  new Browser(() => service.url).ask('POST', '/v1/session', { body: { email: VICTIM, ...body } });
const accountOf = async (service: Service, body: object): Promise<string> => {
  const browser = new Browser(() => service.url);
  expect((await browser.ask('POST', '/v1/session', { body: { email: VICTIM, ...body } })).status).toBe(201);
  return (await browser.ask('GET', '/v1/session')).json.accounts[0].name;
};

describe('without a mail server', () => {
  let service: Service;
  let strangers: Stranger[];
  beforeAll(async () => {
    service = await startService();
    await makeOwner(service, VICTIM);
    strangers = await strangersAt(service);
  });
  afterAll(() => service?.remove());

  it('a right password is tried, however many accounts have accepted their invitations and signed in since', async () => {
    for (const [at, { owner, account }] of strangers.entries()) {
      const body = { name: 'V', email: at === 0 ? 'a@example.com' : VICTIM, role: 'viewer' };
      const { json } = await owner.ask('POST', '/v1/user', { account, body });
      expect((await accept(new Browser(() => service.url), json.path, THEIRS)).status).toBe(201);
      // A user of before, with the address now.
      if (at === 0) await owner.ask('PATCH', `/v1/user/${json.id}`, { account, body: { email: VICTIM } });
    }
    expect(await accountOf(service, { password: THEIRS })).toMatch(/^evil/);
    expect(await accountOf(service, { password: PASSWORD })).toBe('default');
  });

  it('a named account is the one that is tried, and another one is not', async () => {
    expect(await accountOf(service, { password: THEIRS, account: 'Evil4' })).toBe('evil4');
    expect(await accountOf(service, { password: PASSWORD, account: 'default' })).toBe('default');
    const wrong = await signIn(service, { password: PASSWORD, account: 'evil1' });
    expectFailure(wrong, 'sign_in_refused');
    expect(wrong.json.Message).toContain('name the account');
  });
});

describe('with a mail server', () => {
  let mail: MailServer;
  let service: Service;
  let owner: Browser;
  beforeAll(async () => {
    mail = await startMailServer();
    service = await startService({
      env: {
        SMTP_URL: mail.url,
        MAIL_FROM: 'dialtree@example.com',
        PUBLIC_URL: 'https://phones.example.com',
      },
    });
    owner = await makeOwner(service, 'owner@example.com');
  });
  afterAll(async () => {
    await service?.remove();
    await mail?.close();
  });

  const seen = new Set<string>();
  /** The link in the newest mail to the address: earlier links work no longer. */
  const linkTo = async (email: string): Promise<string> => {
    let path = '';
    for (let mails = email === VICTIM ? 2 : 1; mails > 0; mails--) {
      const text = await mail.received((one) => one.includes(`To: ${email}\r\n`) && !seen.has(one));
      seen.add(text);
      path = /\/#\/join\/dialtree_[\w-]{43}/.exec(text)?.[0] ?? '';
    }
    return path;
  };

  it('whoever invites an address does not get its link: it goes to the mailbox alone, whose reader comes first', async () => {
    const body = { name: 'Vera', email: VICTIM, role: 'viewer' };
    const { json } = await owner.ask('POST', '/v1/user', { account: 'default', body });
    expect(json).toMatchObject({ path: null, mailed: true });
    expect(JSON.stringify(json)).not.toContain('/join/');
    const another = await owner.ask('POST', `/v1/user/${json.id}/link`, { account: 'default' });
    expect(another.json).toMatchObject({ path: null, mailed: true });
    const verasLink = await linkTo(VICTIM);
    expect(JSON.stringify([json, another.json])).not.toContain(verasLink);
    // Five accounts give the address to users who accepted at mailboxes of their own, before her.
    for (const [at, stranger] of (await strangersAt(service)).entries()) {
      const own = `own${at}@example.com`;
      const { account } = stranger;
      const made = await stranger.owner.ask('POST', '/v1/user', { account, body: { ...body, email: own } });
      const browser = new Browser(() => service.url);
      expect((await accept(browser, await linkTo(own), THEIRS)).status).toBe(201);
      const change = { account, body: { email: VICTIM } };
      expect((await stranger.owner.ask('PATCH', `/v1/user/${made.json.id}`, change)).status).toBe(200);
      expect(await accountOf(service, { password: THEIRS, account })).toBe(`evil${at}`);
    }
    const vera = new Browser(() => service.url);
    expect((await accept(vera, verasLink)).status).toBe(201);
    expect(await accountOf(service, { password: PASSWORD })).toBe('default');
  });
});
