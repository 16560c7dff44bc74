// Microphone and loudspeaker: which there are, which one is chosen in this browser, and the microphone of a call.

export interface Device {
  readonly id: string;
  /** Empty until the microphone has been allowed once. */
  readonly label: string;
}

export interface Devices {
  readonly microphones: readonly Device[];
  /** Empty where the browser cannot choose one. */
  readonly speakers: readonly Device[];
}

export type DeviceUse = 'microphone' | 'speaker';

/** Why there is no microphone, as keys of the catalogue. */
export type MicrophoneFault = 'insecure' | 'unsupported' | 'refused' | 'absent' | 'busy';

export function microphoneFaultOf(error: unknown): MicrophoneFault {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'absent';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unsupported';
}

/** Null if it can be asked for. Without a secure context navigator.mediaDevices is missing. */
export function microphoneMissing(): MicrophoneFault | null {
  if (!globalThis.isSecureContext) return 'insecure';
  return 'mediaDevices' in navigator && 'RTCPeerConnection' in globalThis ? null : 'unsupported';
}

const stored = (use: DeviceUse): string => `dialtree.${use}`;

/** Empty: the browser's own choice. */
export const chosenDevice = (use: DeviceUse): string => localStorage.getItem(stored(use)) ?? '';

export function chooseDevice(use: DeviceUse, id: string): void {
  if (id === '') localStorage.removeItem(stored(use));
  else localStorage.setItem(stored(use), id);
}

export async function listDevices(): Promise<Devices> {
  if (microphoneMissing() !== null) return { microphones: [], speakers: [] };
  const all = await navigator.mediaDevices.enumerateDevices();
  const of = (kind: MediaDeviceKind): Device[] =>
    all
      .filter((each) => each.kind === kind && each.deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  return {
    microphones: of('audioinput'),
    speakers: 'setSinkId' in HTMLMediaElement.prototype ? of('audiooutput') : [],
  };
}

/** The chosen one; where that is unplugged, the browser's own choice. */
export async function openMicrophone(): Promise<MediaStream> {
  const wanted = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  const deviceId = chosenDevice('microphone');
  const open = (audio: MediaTrackConstraints) => navigator.mediaDevices.getUserMedia({ audio, video: false });
  if (deviceId === '') return open(wanted);
  try {
    return await open({ ...wanted, deviceId: { exact: deviceId } });
  } catch (error) {
    if (microphoneFaultOf(error) !== 'absent') throw error;
    return open(wanted);
  }
}

export function stopTracks(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
