// Whether the peer of a stream still sends: silence, and audio that flows one way only. Each is reported once.

/** Reported within ten seconds. */
const ONE_WAY_MS = 9_000;

export class Liveness {
  isOneWay = false;
  /** When the last RTP packet came, and when the last packet of either kind. */
  #audioMs = 0;
  #packetMs = 0;
  #configuredMs = 0;
  #isSilent = false;

  get configuredMs(): number {
    return this.#configuredMs;
  }

  configured(nowMs: number): void {
    this.#configuredMs = nowMs;
  }

  noteAudio(nowMs: number): void {
    this.#audioMs = nowMs;
    this.#packetMs = nowMs;
  }

  noteReport(nowMs: number): void {
    this.#packetMs = nowMs;
  }

  /** True once: neither RTP nor RTCP for so long. */
  becomesSilent(nowMs: number, timeoutMs: number): boolean {
    if (this.#isSilent || nowMs - Math.max(this.#packetMs, this.#configuredMs) < timeoutMs) return false;
    this.#isSilent = true;
    return true;
  }

  /** True once: we send, and no RTP arrives. */
  becomesOneWay(nowMs: number, firstSentMs: number): boolean {
    if (this.isOneWay || nowMs - Math.max(this.#audioMs, this.#configuredMs, firstSentMs) < ONE_WAY_MS)
      return false;
    this.isOneWay = true;
    return true;
  }
}
