// The configuration files of telephones, in the formats of their makers. Names are texts that people chose: each value is escaped for
// the format that it stands in.
import { SIP_REALM } from '../../domain/sip-password.ts';

export interface PhoneAccount {
  /** Numeric or a name; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly user: string;
  readonly password: string;
  /** What the phone shows. */
  readonly name: string;
}

export interface PhoneFile {
  readonly type: string;
  readonly text: string;
}

/** How many characters of a name phones get. */
const MAX_NAME = 60;

/** Lines cannot be ended by a value, and XML allows no control characters at all (XML 1.0 §2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g;

export const plain = (text: string): string =>
  text.replace(UNPRINTABLE, ' ').trim().slice(0, MAX_NAME).toWellFormed();

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** The text is cut before, so that no entity is. */
export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNPRINTABLE, ' ')
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');

const XML_TYPE = 'text/xml; charset=utf-8';
export const document = (text: string): PhoneFile => ({
  type: XML_TYPE,
  text: `<?xml version="1.0" encoding="UTF-8"?>\n${text}`,
});

const hostPart = (host: string): string => (host.includes(':') ? `[${host}]` : host);
const serverOf = ({ host, port }: PhoneAccount): string => `${hostPart(host)}:${port}`;
const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

/** Yealink's Auto Provisioning Guide: the first line must be as it is. Transports: 0 UDP, 1 TCP, 2 TLS. */
function yealink(account: PhoneAccount): PhoneFile {
  const lines = {
    enable: '1',
    label: plain(account.name),
    display_name: plain(account.name),
    auth_name: account.user,
    user_name: account.user,
    password: account.password,
    'sip_server.1.address': account.host,
    'sip_server.1.port': String(account.port),
    'sip_server.1.transport_type': String(TRANSPORTS.indexOf(account.transport)),
  };
  const text = Object.entries(lines).map(([name, value]) => `account.1.${name} = ${value}\n`);
  return { type: 'text/plain; charset=utf-8', text: `#!version:1.0.0.1\n${text.join('')}` };
}

/** Snom's wiki, "Desk Phone Configuration Files": settings of identity 1. */
function snom(account: PhoneAccount): PhoneFile {
  const settings = {
    user_active: 'on',
    user_realname: plain(account.name),
    user_name: account.user,
    user_pname: account.user,
    user_pass: account.password,
    user_host: hostPart(account.host),
    user_outbound: `sip:${serverOf(account)};transport=${account.transport}`,
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `    <${name} idx="1" perm="">${xml(value)}</${name}>\n`,
  );
  return document(
    `<settings>\n  <phone-settings e="2">\n${lines.join('')}  </phone-settings>\n</settings>\n`,
  );
}

/** Grandstream's SIP Device Provisioning Guide: P values of account 1. P130: 0 UDP, 1 TCP, 2 TLS. */
function grandstream(account: PhoneAccount): PhoneFile {
  const values = {
    P271: '1',
    P270: plain(account.name),
    P3: plain(account.name),
    P47: serverOf(account),
    P35: account.user,
    P36: account.user,
    P34: account.password,
    P130: String(TRANSPORTS.indexOf(account.transport)),
  };
  const lines = Object.entries(values).map(([name, value]) => `    <${name}>${xml(value)}</${name}>\n`);
  return document(
    `<gs_provision version="1">\n  <config version="1">\n${lines.join('')}  </config>\n</gs_provision>\n`,
  );
}

/** Linphone's "Remote Provisioning": sections of its linphonerc. It asks once, since the address works once. */
function linphone(account: PhoneAccount): PhoneFile {
  const { user, host, transport } = account;
  const name = plain(account.name).replace(/["\\]/g, "'");
  const sections = {
    misc: { transient_provisioning: '1' },
    sip: { default_proxy: '0' },
    auth_info_0: { username: user, userid: user, passwd: account.password, realm: SIP_REALM, domain: host },
    proxy_0: {
      reg_proxy: `<sip:${serverOf(account)};transport=${transport}>`,
      reg_identity: `"${name}" <sip:${user}@${serverOf(account)}>`,
      reg_sendregister: '1',
      realm: SIP_REALM,
    },
  };
  const text = Object.entries(sections).map(([section, entries]) => {
    const lines = Object.entries(entries).map(
      ([key, value]) => `    <entry name="${key}" overwrite="true">${xml(value)}</entry>\n`,
    );
    return `  <section name="${section}">\n${lines.join('')}  </section>\n`;
  });
  return document(`<config xmlns="http://www.linphone.org/xsds/lpconfig.xsd">\n${text.join('')}</config>\n`);
}

/** Zoiper's "Token based provisioning": who the phone is. Where its server is stands in the operator's page at Zoiper. */
function zoiper({ user, password }: PhoneAccount): PhoneFile {
  const lines = [
    `      <username>${xml(user)}</username>\n`,
    `      <password>${xml(password)}</password>\n`,
    `      <authentication_username>${xml(user)}</authentication_username>\n`,
  ];
  return document(
    `<options>\n  <accounts>\n    <account>\n${lines.join('')}    </account>\n  </accounts>\n</options>\n`,
  );
}

export const PHONE_KINDS = { yealink, snom, grandstream, linphone, zoiper } as const;
export type PhoneKind = keyof typeof PHONE_KINDS;

/** What a phone asks for below its address: the file that we name, or the one with its MAC address. Null: another one, which it also tries. */
export function kindOfFile(file: string): PhoneKind | null {
  switch (file.toLowerCase()) {
    case 'yealink.cfg':
      return 'yealink';
    case 'snom.xml':
      return 'snom';
    case 'linphone.xml':
      return 'linphone';
    default:
      if (/^[0-9a-f]{12}\.cfg$/i.test(file)) return 'yealink';
      return /^cfg[0-9a-f]{12}\.xml$/i.test(file) ? 'grandstream' : null;
  }
}
