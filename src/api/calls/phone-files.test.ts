import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOfFile, PHONE_KINDS, type PhoneAccount, type PhoneKind } from './phone-files.ts';

const ACCOUNT: PhoneAccount = {
  host: 'pbx.example.com',
  port: 5060,
  transport: 'udp',
  user: '1001',
  password: 'PassWord23',
  name: 'Asha Rao',
};
const KINDS = Object.keys(PHONE_KINDS) as PhoneKind[];
const XML_KINDS = KINDS.filter((kind) => kind !== 'yealink');

/** Elements by path with their texts, of a document that is well-formed; throws for any other. No CDATA, comments or DTD: we write none. */
function readXml(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const open: string[] = [];
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  if (body === text) throw new Error('no declaration');
  const token = /<(\/?)([A-Za-z_][\w.-]*)((?: [\w.-]+="[^"<]*")*)>|([^<]+)/y;
  let at = 0;
  for (let match = token.exec(body); match; match = token.exec(body)) {
    at = token.lastIndex;
    const [, slash, tag = '', attributes = '', content] = match;
    if (content !== undefined) {
      if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(content)) throw new Error(`a bare & in ${content}`);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 §2.2 forbids them
      if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(content))
        throw new Error('a control character');
      if (open.length === 0 && content.trim() !== '') throw new Error('text outside');
      if (content.trim() !== '') found.set(open.join('/'), content);
    } else if (slash === '/') {
      if (open.pop()?.split(' ', 1)[0] !== tag) throw new Error(`</${tag}> closes nothing`);
    } else open.push(`${tag}${/ name="[^"]*"/.exec(attributes)?.[0] ?? ''}`);
  }
  if (at !== body.length || open.length > 0) throw new Error(`not whole at ${at}`);
  return found;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

describe('the file of a phone', () => {
  it('is what Yealink documents', () => {
    expect(PHONE_KINDS.yealink(ACCOUNT).text).toBe(
      '#!version:1.0.0.1\naccount.1.enable = 1\naccount.1.label = Asha Rao\naccount.1.display_name = Asha Rao\n' +
        'account.1.auth_name = 1001\naccount.1.user_name = 1001\naccount.1.password = PassWord23\n' +
        'account.1.sip_server.1.address = pbx.example.com\naccount.1.sip_server.1.port = 5060\n' +
        'account.1.sip_server.1.transport_type = 0\n',
    );
    expect(PHONE_KINDS.yealink({ ...ACCOUNT, transport: 'tls' }).text).toContain('transport_type = 2\n');
  });

  it.each([
    ['snom', 'settings/phone-settings/user_pass', 'PassWord23'],
    ['snom', 'settings/phone-settings/user_outbound', 'sip:pbx.example.com:5060;transport=udp'],
    ['grandstream', 'gs_provision/config/P34', 'PassWord23'],
    ['grandstream', 'gs_provision/config/P47', 'pbx.example.com:5060'],
    ['linphone', 'config/section name="auth_info_0"/entry name="passwd"', 'PassWord23'],
    [
      'linphone',
      'config/section name="proxy_0"/entry name="reg_identity"',
      '"Asha Rao" <sip:1001@pbx.example.com:5060>',
    ],
    ['zoiper', 'options/accounts/account/password', 'PassWord23'],
  ] as const)('of %s has %s', (kind, path, value) => {
    expect(unescaped(readXml(PHONE_KINDS[kind](ACCOUNT).text).get(path) ?? '')).toBe(value);
  });

  it('has IPv6 addresses in brackets where a port follows', () => {
    const account = { ...ACCOUNT, host: '2001:db8::1' };
    expect(PHONE_KINDS.grandstream(account).text).toContain('<P47>[2001:db8::1]:5060</P47>');
    expect(PHONE_KINDS.yealink(account).text).toContain('address = 2001:db8::1\n');
  });

  it('stays what it is whatever the agent is called', () => {
    const piece = fc.constantFrom(
      ...[
        '"',
        "'",
        '<',
        '>',
        '&',
        ']]>',
        '<!--',
        '</entry>',
        '\n',
        '\r',
        '\0',
        '\u2028',
        '\ud800',
        '\\',
        '&#10;',
        ' = ',
        '#',
        'é',
        '😀',
        'x',
      ],
    );
    const shape = (text: string): string => [...readXml(text).keys()].join();
    const expected = new Map(XML_KINDS.map((kind) => [kind, shape(PHONE_KINDS[kind](ACCOUNT).text)]));
    const name = fc.array(piece, { minLength: 1, maxLength: 80 }).map((pieces) => `x${pieces.join('')}`);
    fc.assert(
      fc.property(name, (text) => {
        for (const kind of XML_KINDS)
          expect(shape(PHONE_KINDS[kind]({ ...ACCOUNT, name: text }).text)).toBe(expected.get(kind));
        const lines = PHONE_KINDS.yealink({ ...ACCOUNT, name: text }).text.split(/\r|\n|\u2028/);
        expect(lines).toHaveLength(11);
        expect(lines.filter((line) => line.startsWith('account.1.password = '))).toEqual([
          'account.1.password = PassWord23',
        ]);
      }),
    );
  });
});

it('names of files that phones ask for are those of their makers', () => {
  const kinds = ['yealink.cfg', '805EC0FFEE01.cfg', 'cfg000b820102ab.xml', 'snom.xml', 'linphone.xml'].map(
    kindOfFile,
  );
  expect(kinds).toEqual(['yealink', 'yealink', 'grandstream', 'snom', 'linphone']);
  for (const other of [
    'y000000000000.boot',
    '805ec0ffee01.boot',
    'cfg000b820102ab',
    'cfg.xml',
    'y000000000028.cfg',
    '',
  ])
    expect(kindOfFile(other)).toBeNull();
});
