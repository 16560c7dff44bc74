import { expect, it } from 'vitest';
import type { Sealer } from './sealer.ts';
import { openVariables, SETTABLE_VARIABLES, storedForm } from './service-variable.ts';

const sealer: Sealer = {
  seal: (secret, place) => `sealed ${place} ${Buffer.from(secret).toString('hex')}`,
  open: (sealed, place) =>
    sealed.startsWith(`sealed ${place} `)
      ? Buffer.from(sealed.slice(`sealed ${place} `.length), 'hex').toString()
      : null,
};

it('addresses with passwords are stored sealed, each for its name; the others as they are', () => {
  const stored = (['SMTP_URL', 'SMS_URL', 'MAIL_FROM'] as const).map((name) => ({
    name,
    value: storedForm(name, 'hunter2', sealer.seal),
  }));
  expect(stored.map(({ value }) => value.includes('hunter2'))).toEqual([false, false, true]);
  const values = { SMTP_URL: 'hunter2', SMS_URL: 'hunter2', MAIL_FROM: 'hunter2' };
  expect(openVariables(stored, sealer)).toEqual({ values, unreadable: [] });
});

it('what was sealed for another variable or with another key is named, and what is unknown is left out', () => {
  const value = storedForm('SMS_URL', 'x', sealer.seal);
  const stored = [
    { name: 'SMTP_URL', value },
    { name: 'TTS_COMMAND', value: 'rm' },
  ];
  expect(openVariables(stored, sealer)).toEqual({ values: {}, unreadable: ['SMTP_URL'] });
});

it('nothing that names a program, a path, a listener or what is trusted can be set', () => {
  const forbidden =
    /COMMAND|DIR|CERT|KEY|STORE|DATABASE|TOKEN|ALLOW|PROXIES|EDGE|(^|SIP_|RTP_)(HOST|PORTS?)$|OIDC/;
  expect(SETTABLE_VARIABLES.filter((name) => forbidden.test(name))).toEqual([]);
});
