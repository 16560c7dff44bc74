// A web page that is a phone, as docs/browser-phones.md describes it: JsSIP, a phone session, the WebSocket and the sound of a real browser.
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { SOUND_SCRIPT, SoundingPage } from './page-sound.ts';

/** What a page gets of POST /v1/phone_session. */
export interface PageSession {
  readonly username: string;
  readonly password: string;
  readonly realm: string;
  readonly path: string;
  readonly dial: string | null;
  readonly ice_servers: readonly unknown[];
}

const bundle = build({
  stdin: { contents: "import JsSIP from 'jssip'; window.JsSIP = JsSIP;", resolveDir: import.meta.dirname },
  bundle: true,
  write: false,
  format: 'iife',
  platform: 'browser',
});

const SCRIPT = `
  window.startPhone = (session, host, register, iceTransportPolicy) => new Promise((resolve, reject) => {
    const ua = new JsSIP.UA({
      sockets: [new JsSIP.WebSocketInterface('ws://' + host + session.path)],
      uri: 'sip:' + session.username + '@' + host,
      password: session.password,
      realm: session.realm,
      register,
    });
    const options = { mediaStream: sound.microphone, pcConfig: { iceServers: session.ice_servers, iceTransportPolicy } };
    const has = (rtc) => {
      phone.rtc = rtc;
      phone.states.push('new');
      for (const event of ['accepted', 'confirmed', 'hold', 'unhold', 'ended', 'failed'])
        rtc.on(event, () => phone.states.push(event));
      const listening = (connection) => { connection.ontrack = ({ streams: [stream] }) => sound.listen(stream); };
      if (rtc.connection) listening(rtc.connection);
      else rtc.on('peerconnection', ({ peerconnection }) => listening(peerconnection));
    };
    window.phone = {
      ua,
      rtc: null,
      states: [],
      call: (number, extraHeaders = []) =>
        ua.call('sip:' + number + '@' + host, { ...options, extraHeaders, mediaConstraints: { audio: true, video: false } }) && undefined,
      // As RFC 3891 names its dialog: what a page keeps of its call, to take it up after a reload.
      replaces: () => {
        const { call_id, local_tag, remote_tag } = phone.rtc._dialog.id;
        return 'Replaces: ' + call_id + ';to-tag=' + remote_tag + ';from-tag=' + local_tag;
      },
      loseNetwork: () => ua._transport.socket._ws.close(),
      restartIce: () => phone.rtc.renegotiate({ rtcOfferConstraints: { iceRestart: true } }),
      // The kind of its own candidate that the sound goes by.
      goesBy: async () => {
        const all = await phone.rtc.connection.getStats();
        const pair = [...all.values()].find(({ type }) => type === 'transport')?.selectedCandidatePairId;
        return all.get(all.get(pair)?.localCandidateId)?.candidateType ?? '';
      },
      sends: async () => {
        const all = [...(await phone.rtc.connection.getStats()).values()];
        const codec = all.find(({ type }) => type === 'outbound-rtp')?.codecId;
        return all.find(({ id }) => id === codec)?.mimeType ?? '';
      },
      answer: () => phone.rtc.answer(options),
      transfer: (number) => phone.rtc.refer('sip:' + number + '@' + host),
      keys: (keys) => phone.rtc.sendDTMF(keys, { transportType: 'RFC2833', duration: 120 }),
    };
    ua.on('newRTCSession', ({ session: rtc }) => has(rtc));
    ua.on('registrationFailed', ({ cause }) => reject(new Error(cause)));
    ua.on('disconnected', () => reject(new Error('the WebSocket was not opened')));
    ua.on(register ? 'registered' : 'connected', () => resolve());
    ua.start();
  });
`;

export class JssipPage extends SoundingPage {
  /** `origin`: of the page; the WebSocket is at `url`. */
  static async open(browser: Browser, origin: string): Promise<JssipPage> {
    const page = await browser.newPage();
    // An empty page of that origin: scripts of ours are no part of what is served there.
    await page.route(`${origin}/empty`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    await page.goto(`${origin}/empty`);
    const [file] = (await bundle).outputFiles;
    await page.evaluate(file?.text ?? '');
    await page.evaluate(SOUND_SCRIPT);
    await page.evaluate(SCRIPT);
    return new JssipPage(page);
  }

  /** `relay`: its sound goes by a TURN server, or not at all. */
  async start(
    session: PageSession,
    url: string,
    register: boolean,
    transport: 'all' | 'relay' = 'all',
  ): Promise<void> {
    const words = [session, new URL(url).host, register, transport].map((each) => JSON.stringify(each));
    await this.page.evaluate(`startPhone(${words})`);
  }

  /** What the page itself does with its phone, such as `call("100")`. */
  async does(what: string): Promise<void> {
    await this.page.evaluate(`void phone.${what}`);
  }

  replaces(): Promise<string> {
    return this.page.evaluate('phone.replaces()');
  }

  /** The Call-ID of the call that it made: the record has it. */
  callId(): Promise<string> {
    return this.page.evaluate('phone.rtc._request.call_id');
  }

  isConnected(): Promise<boolean> {
    return this.page.evaluate('phone.ua.isConnected()');
  }

  /** `host` or `relay`. */
  goesBy(): Promise<string> {
    return this.page.evaluate('phone.goesBy()');
  }

  /** The codec of what it sends, such as audio/opus. */
  sends(): Promise<string> {
    return this.page.evaluate('phone.sends()');
  }

  states(): Promise<readonly string[]> {
    return this.page.evaluate('phone.states');
  }

  override state(): Promise<string> {
    return this.page.evaluate('String(phone.rtc?.connection?.connectionState)');
  }
}
