// What the members of the report by mail and of the service's configuration mean.
import type { Catalogue } from '../describe.ts';

const started = (group: string, what: string): Record<string, string> => ({
  [group]: what,
  [`${group}.ready`]: 'Whether the service can do it.',
  [`${group}.variables`]: 'The variables that decide it.',
  [`${group}.variables[].name`]: 'The name of the variable, as docs/configuration.md has it.',
  [`${group}.variables[].value`]:
    'What this process runs with. Of an address with a secret only scheme and host. Null: nothing.',
  [`${group}.variables[].fixed`]: 'Whether the environment sets it. It then cannot be set by request.',
  [`${group}.variables[].secret`]: 'Whether it has more than is shown, such as a password.',
  [`${group}.variables[].source`]:
    'Where the value comes from: `environment`, `stored` (set by request), or `default`.',
  [`${group}.variables[].locked`]:
    'Why PATCH /v1/configuration cannot set it. `environment`: it is fixed there. `program`: it names a program. `security`: it says what the service trusts or may reach. `machine`: it fits one machine. Null: it can be set, under its name in lower case.',
  [`${group}.variables[].next_value`]:
    'What a process that starts now would run with, in the same form as `value`.',
  [`${group}.variables[].next_source`]: 'Where that value comes from.',
  [`${group}.variables[].pending_restart`]:
    'Whether this process runs with another value than is stored: the stored one holds after its next start.',
});

export const REPORTS: Catalogue = {
  Configuration: {
    ...started('mail', 'Voicemail, reports and notifications by e-mail: whether they can be sent.'),
    ...started('sms', 'Texts to callers and agents: whether they can be sent.'),
    ...started('speech', 'Speaking text.'),
    ...started('network', 'Addresses and ports of the service.'),
    smtp_url: 'The server that sends e-mail: smtp://user:password@host:587 or smtps://…. Null: none.',
    mail_from: 'The address that e-mail comes from. Null: dialtree@localhost.',
    mail_per_minute: 'E-mails per minute and account, 0 to 100000; 0 sends none. Null: 60.',
    mail_per_day: 'E-mails per day (UTC) and account, 0 to 10000000; 0 sends none. Null: 1000.',
    sms_url:
      'Where SMS go: smpp://user:password@host:2775, smpps://… or https://:secret@host/path. Null: nowhere.',
    sms_sender: 'Who SMS are from: a number, or up to 11 letters and digits. Null: the gateway decides.',
    sms_per_minute: 'SMS per minute and account, 0 to 100000; 0 sends none. Null: 60.',
    public_url:
      'Where browsers find the console, such as https://phones.example.com: links in e-mail begin with it. Null: e-mail has none.',
    advertised_address:
      'The IP address in Via, Contact and SDP, behind NAT. Several nodes have one each, in their environment. Null: that of the machine.',
  },
  Report: {
    period: '`day` or `week`: what the report is of.',
    from: 'The beginning of the time that it counts, with the offset of `timezone`.',
    to: 'The end of the time that it counts, not included.',
    timezone: 'The time zone of the account, whose days are counted.',
    subject: 'What the mail is headed with: the account and the days.',
    sections: 'The tables of the mail: all calls, departments, agents.',
    'sections[].title': 'What the table is about.',
    'sections[].columns': 'The headings of its columns.',
    'sections[].rows': 'Its rows, each value as text; the first names the row.',
    'sections[].left_off': 'How many rows the mail has no room for.',
  },
  SendReportInput: {
    period: '`day`: the last whole day; `week`: the last whole week.',
    to: 'The address that the mail goes to.',
  },
  SendTestMailInput: { to: 'The address that the mail goes to.' },
};
