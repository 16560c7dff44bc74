// How Asterisk is set up beside Dialtree: a trunk to it, two extensions that register there, and desk phones behind it.
import { extension, PASSWORD, type Pbx, type PbxOptions, startPbx } from '../../support/pbx.ts';
import { Phone } from '../../support/phone/phone.ts';
import type { PhoneCall } from '../../support/phone/phone-call.ts';
import { toneCoded } from '../../support/phone/tone-recording.ts';
import { Asterisk } from './asterisk.ts';
import { freePort } from './program.ts';

export const TONES = toneCoded('prompt', 'music', 'theirs', 'desk', 'agent', 'caller', 'colleague');

/** Addresses of loopback: that of Asterisk, of the phones behind it, and of the phones at Dialtree. */
const ASTERISK = '127.0.0.4';
export const DESK = '127.0.0.2';
export const DIRECT_DESK = '127.0.0.5';
export const AGENT = '127.0.0.3';

/** Its endpoints: the trunk, with and without its own music, another codec, and the extensions that register at Dialtree. */
function endpoints(server: { host: string; port: number }): string {
  const endpoint = (name: string, aor: string, more: string): string =>
    [
      `[${name}]\ntype=endpoint\ntransport=udp\naors=${aor}\ndirect_media=no\ndisallow=all\nallow=ulaw,alaw`,
      `media_address=${ASTERISK}\nbind_rtp_to_media_address=yes\ntrust_id_inbound=yes\ntrust_id_outbound=yes\n${more}`,
    ].join('\n');
  const registered = (user: string): string =>
    [
      endpoint(
        user,
        'dialtree',
        `context=from-dialtree\nmoh_passthrough=yes\noutbound_auth=${user}\nfrom_user=${user}`,
      ),
      `[${user}]\ntype=auth\nauth_type=userpass\nusername=${user}\npassword=${PASSWORD}`,
      `[${user}]\ntype=registration\ntransport=udp\noutbound_auth=${user}\ncontact_user=${user}\nexpiration=120`,
      `server_uri=sip:${server.host}:${server.port}\nclient_uri=sip:${user}@${server.host}:${server.port}`,
    ].join('\n');
  return [
    `[dialtree]\ntype=aor\ncontact=sip:${server.host}:${server.port}`,
    endpoint('dialtree', 'dialtree', 'context=from-dialtree\nmoh_passthrough=yes\nsend_pai=yes'),
    endpoint('own-music', 'dialtree', 'context=from-dialtree\nmoh_passthrough=no'),
    endpoint('direct', 'dialtree', 'context=from-dialtree\ndirect_media=yes'),
    endpoint('gsm', 'dialtree', 'context=from-dialtree\ndisallow=all\nallow=gsm'),
    `[dialtree]\ntype=identify\nendpoint=dialtree\nmatch=${server.host}`,
    registered('1010'),
    registered('1011'),
    `[desk]\ntype=aor`,
    endpoint('desk', 'desk', 'context=desks'),
    `[desk]\ntype=identify\nendpoint=desk\nmatch=${DESK}`,
    endpoint('direct-desk', 'desk', 'context=desks\ndirect_media=yes'),
    `[direct-desk]\ntype=identify\nendpoint=direct-desk\nmatch=${DIRECT_DESK}`,
  ].join('\n');
}

/** What a desk dials goes to Dialtree, by the endpoint and with the headers that X- headers name. What Dialtree dials is served by number. */
const extensions = (desk: Phone): string => `
[desks]
exten => _[*+0-9].,1,Set(VIA=\${PJSIP_HEADER(read,X-Via)})
 same => n,Set(__REPLACES=\${PJSIP_HEADER(read,X-Replaces)})
 same => n,Set(FORWARDED=\${PJSIP_HEADER(read,X-Forwarded)})
 same => n,ExecIf($["\${FORWARDED}" != ""]?Set(REDIRECTING(from-num,i)=\${FORWARDED}))
 same => n,ExecIf($["\${FORWARDED}" != ""]?Set(REDIRECTING(reason,i)=cfb))
 same => n,ExecIf($["\${FORWARDED}" != ""]?Set(REDIRECTING(count)=1))
 same => n,Dial(PJSIP/\${EXTEN}@\${IF($["\${VIA}" = ""]?dialtree:\${VIA})},30,b(headers^add^1))
 same => n,Hangup(\${HANGUPCAUSE})

[headers]
exten => add,1,ExecIf($["\${REPLACES}" != ""]?Set(PJSIP_HEADER(add,Replaces)=\${REPLACES}))
 same => n,Return()

[from-dialtree]
exten => _101X,1,Dial(PJSIP/desk/sip:desk@${desk.host}:${desk.port},30)
exten => _X.,1,Goto(provider,\${EXTEN},1)
exten => _+X.,1,Goto(provider,\${EXTEN},1)
exten => transfer,1,Transfer(\${TRANSFER_TO})
exten => h,1,ExecIf($["\${TRANSFERSTATUS}" != ""]?UserEvent(Transfer,Status: \${TRANSFERSTATUS}))

[provider]
exten => +493001,1,Progress()
 same => n,Echo()
exten => +4930200002,1,Dial(PJSIP/desk/sip:desk@${desk.host}:${desk.port},30)
exten => +493017,1,Hangup(17)
exten => +493011,1,Hangup(1)
exten => +493058,1,Hangup(58)
`;

export class AsteriskOffice {
  readonly pbx: Pbx;
  readonly asterisk: Asterisk;
  /** Behind Asterisk: its extensions and the number +4930200002 lead to it. */
  readonly desk: Phone;
  /** At Dialtree: 1002. */
  readonly agent: Phone;
  readonly #phones: Phone[];

  /** Agents 1002 (a phone of ours), 1010 and 1011 (extensions of Asterisk), numbers 102 and 110, and Asterisk as the trunk for +4930. */
  static async open(more: PbxOptions = {}): Promise<AsteriskOffice> {
    const place = { host: ASTERISK, port: await freePort(ASTERISK) };
    const desk = await Phone.open({ server: place, host: DESK, user: '5550100', displayName: 'Desk' });
    const pbx = await startPbx({
      recordings: { prompt: { hz: TONES.prompt, ms: 20_000 }, music: { hz: TONES.music, ms: 2_000 } },
      settings: { music_on_hold: 'recording||music' },
      agents: { '1002': {}, '1010': {}, '1011': {} },
      ...more,
      numbers: { '102': extension('1002'), '110': extension('1010'), ...more.numbers },
      trunks: {
        asterisk: {
          ...{ ...place, addresses: [ASTERISK], agents_may_call: true, caller_id: '+4930123456' },
          ...{ identity_header: 'pai', outbound_prefixes: [{ prefix: '+4930', strip: 0, add: '' }] },
        },
      },
    });
    const [asterisk, agent] = await Promise.all([
      Asterisk.start({
        ...place,
        pjsip: endpoints(pbx.sip),
        extensions: extensions(desk),
        music: { default: TONES.theirs },
      }),
      Phone.open({ server: pbx.sip, host: AGENT, user: '1002', password: PASSWORD }),
    ]);
    await agent.register();
    return new AsteriskOffice(pbx, asterisk, desk, agent);
  }

  private constructor(pbx: Pbx, asterisk: Asterisk, desk: Phone, agent: Phone) {
    this.pbx = pbx;
    this.asterisk = asterisk;
    this.desk = desk;
    this.agent = agent;
    this.#phones = [desk, agent];
  }

  async open(options: Parameters<typeof Phone.open>[0]): Promise<Phone> {
    const phone = await Phone.open(options);
    this.#phones.push(phone);
    return phone;
  }

  /** A desk phone with a caller ID of its own, so that its record is found. */
  deskOf(user: string, host = DESK): Promise<Phone> {
    return this.open({ server: this.desk.options.server, host, user });
  }

  /** Both ends of a call speak, and each hears the other. */
  async talk(one: PhoneCall, other: PhoneCall): Promise<void> {
    one.forget();
    other.forget();
    await one.sendTone(TONES.caller);
    await other.sendTone(TONES.colleague);
    await Promise.all([
      one.hears(TONES.colleague, { forMs: 300 }),
      other.hears(TONES.caller, { forMs: 300 }),
    ]);
  }

  /** A caller at Dialtree, answered by the desk behind Asterisk's extension 1010; and Asterisk's channel towards Dialtree. */
  async answeredBehind(user: string): Promise<{ caller: PhoneCall; at: PhoneCall; channel: string }> {
    const from = this.asterisk.events.length;
    const outside = await this.open({ server: this.pbx.sip, host: AGENT, user });
    const caller = await outside.call('110');
    const at = await (await this.desk.incoming({ withinMs: 30_000 })).answer();
    await caller.answered();
    await this.talk(caller, at);
    const { Channel: channel = '' } = await this.asterisk.happens(
      'Newchannel',
      { Context: 'from-dialtree' },
      from,
    );
    return { caller, at, channel };
  }

  uri(user: string): string {
    return `sip:${user}@${this.pbx.sip.host}:${this.pbx.sip.port}`;
  }

  /** Asterisk sends REFER in the dialog of that channel; how it ended, in Asterisk's words. */
  async refer(channel: string, target: string): Promise<string> {
    const from = this.asterisk.events.length;
    const to = { Context: 'from-dialtree', Exten: 'transfer', Priority: '1' };
    await this.asterisk.act('Setvar', { Channel: channel, Variable: 'TRANSFER_TO', Value: target });
    await this.asterisk.act('Redirect', { Channel: channel, ...to });
    const { Status = '' } = await this.asterisk.happens('UserEvent', { UserEvent: 'Transfer' }, from);
    return Status;
  }

  /** How the dialog of a channel is named. */
  async dialogOf(channel: string): Promise<{ id: string; local: string; remote: string }> {
    const read = (name: string): Promise<string> => this.asterisk.variable(channel, `CHANNEL(pjsip,${name})`);
    return { id: await read('call-id'), local: await read('local_tag'), remote: await read('remote_tag') };
  }

  async hangUp(): Promise<void> {
    const calls = this.#phones.flatMap((phone) => phone.calls);
    await Promise.all(calls.map((call) => call.hangUp().catch(() => undefined)));
  }

  async close(): Promise<void> {
    for (const phone of this.#phones) phone.close();
    await this.asterisk.remove();
    await this.pbx.remove();
  }
}
