// A browser as a phone: a real RTCPeerConnection in a page, whose SDP the test phone carries.
import type { Browser } from 'playwright-core';
import { eventually } from '../../support/phone/eventually.ts';
import { SOUND_SCRIPT, SoundingPage } from './page-sound.ts';

/** What runs in the page. */
const SCRIPT = `
  window.phone = (() => {
    const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
    const sender = pc.addTrack(sound.microphone.getAudioTracks()[0], sound.microphone);
    pc.ontrack = ({ streams: [stream] }) => sound.listen(stream);
    const gathered = () => new Promise((resolve) => {
      if (pc.iceGatheringState === 'complete') return resolve();
      pc.addEventListener('icegatheringstatechange', () => pc.iceGatheringState === 'complete' && resolve());
      setTimeout(resolve, 2000);
    });
    return {
      state: () => pc.connectionState,
      async offer(restart) {
        await pc.setLocalDescription(await pc.createOffer({ iceRestart: restart }));
        await gathered();
        return pc.localDescription.sdp;
      },
      answered: (sdp) => pc.setRemoteDescription({ type: 'answer', sdp }),
      async answer(sdp) {
        await pc.setRemoteDescription({ type: 'offer', sdp });
        await pc.setLocalDescription(await pc.createAnswer());
        await gathered();
        return pc.localDescription.sdp;
      },
      keys: (keys) => sender.dtmf.insertDTMF(keys, 120, 80),
      direction(direction) { pc.getTransceivers()[0].direction = direction; },
      async statistics() {
        const all = [...(await pc.getStats()).values()];
        return all.filter(({ type }) => ['inbound-rtp', 'outbound-rtp', 'remote-inbound-rtp', 'codec', 'remote-outbound-rtp'].includes(type));
      },
    };
  })();
`;

export class BrowserPhone extends SoundingPage {
  static async open(browser: Browser): Promise<BrowserPhone> {
    const page = await browser.newPage();
    await page.goto('about:blank');
    await page.evaluate(SOUND_SCRIPT);
    await page.evaluate(SCRIPT);
    return new BrowserPhone(page);
  }

  offer(options: { readonly restart?: boolean } = {}): Promise<string> {
    return this.page.evaluate(`phone.offer(${options.restart === true})`);
  }

  async answered(sdp: string | undefined): Promise<void> {
    await this.page.evaluate(`phone.answered(${JSON.stringify(sdp)})`);
  }

  answer(sdp: string): Promise<string> {
    return this.page.evaluate(`phone.answer(${JSON.stringify(sdp)})`);
  }

  async press(keys: string): Promise<void> {
    await this.page.evaluate(`phone.keys(${JSON.stringify(keys)})`);
  }

  async direct(direction: RTCRtpTransceiverDirection): Promise<void> {
    await this.page.evaluate(`phone.direction(${JSON.stringify(direction)})`);
  }

  override state(): Promise<string> {
    return this.page.evaluate('phone.state()');
  }

  statistics(): Promise<readonly Record<string, unknown>[]> {
    return this.page.evaluate('phone.statistics()');
  }

  async connected(): Promise<void> {
    let state = '';
    const timer = setInterval(() => void this.state().then((now) => (state = now)), 50);
    try {
      await eventually(
        () => state === 'connected',
        {},
        () => `the page's connection is ${state}`,
      );
    } finally {
      clearInterval(timer);
    }
  }
}

type RTCRtpTransceiverDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
