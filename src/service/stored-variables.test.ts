import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Config, readConfig } from '../config/config.ts';
import { storedForm } from '../domain/service-variable.ts';
import { makeSealer } from '../kit/sealing.ts';
import { runningConfiguration, withStoredVariables } from './stored-variables.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const key = (digit: string) => digit.repeat(64);
const configOf = (more: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: dataDir, SECRET_KEY: key('a'), ...more }) as Config;
const SMTP = 'smtp://dora:hunter2@mail.example.com';
const rows = async () => {
  const { seal } = makeSealer(configOf());
  return [
    { name: 'MAIL_FROM', value: 'a@example.com' },
    { name: 'SMTP_URL', value: storedForm('SMTP_URL', SMTP, seal) },
  ];
};

it('stored variables complete the configuration of a start', async () => {
  const { config, unreadable } = await withStoredVariables(configOf(), { listVariables: rows });
  expect([config.smtpUrl, config.mailFrom, unreadable]).toEqual([SMTP, 'a@example.com', []]);
});

it('one that was sealed with another key is named, unless the environment sets it', async () => {
  const other = { SECRET_KEY: key('b') };
  const lost = await withStoredVariables(configOf(other), { listVariables: rows });
  expect([lost.config.smtpUrl, lost.unreadable]).toEqual([undefined, ['SMTP_URL']]);
  const fixed = await withStoredVariables(configOf({ ...other, SMTP_URL: 'smtp://env.example.com' }), {
    listVariables: rows,
  });
  expect([fixed.config.smtpUrl, fixed.unreadable]).toEqual(['smtp://env.example.com', []]);
});

it('what is stored after the start waits for the next one, also where only the password differs', async () => {
  const { config } = await withStoredVariables(configOf(), { listVariables: rows });
  const running = runningConfiguration(config);
  const pending = (stored: object) =>
    Object.values(running.shown(stored))
      .flat()
      .flatMap(({ name, value, next_value, pending_restart }) =>
        pending_restart ? [[name, value, next_value]] : [],
      );
  const same = { SMTP_URL: SMTP, MAIL_FROM: 'a@example.com' };
  expect(pending(same)).toEqual([]);
  expect(pending({ ...same, SMTP_URL: SMTP.replace('hunter2', 'hunter3') })).toEqual([
    ['SMTP_URL', 'smtp://mail.example.com', 'smtp://mail.example.com'],
  ]);
  expect(pending({ SMTP_URL: SMTP, ADVERTISED_ADDRESS: '192.0.2.1' })).toEqual([
    ['MAIL_FROM', 'a@example.com', 'dialtree@localhost'],
    ['ADVERTISED_ADDRESS', null, '192.0.2.1'],
  ]);
});
