// A voice bot that speaks: it stands in for one with a language model behind it, and shows what such a bot has to do. It says a sentence,
// stops when the caller interrupts it, answers when the caller is silent again, and hands the caller over.
//   npm install ws && node speaking-bot.js        then POST /v1/stream with "url": "ws://127.0.0.1:8766/"
import { readFileSync } from 'node:fs';
import { WebSocketServer } from 'ws';

const TRANSFER = process.env.TRANSFER ?? 'department||support';
/** A frame is 20 ms. Louder than this, of 32,767, is speech; for so many frames it interrupts, for so many of silence it has ended. */
const LOUD = 1_000;
const SPEECH_FRAMES = 5;
const SILENT_FRAMES = 30;

/** WAV files of µ-law, 8 kHz: what a stream carries, behind a header. */
const sound = (name) => {
  const file = readFileSync(new URL(`recordings/${name}.wav`, import.meta.url));
  return file.subarray(file.indexOf('data') + 8);
};
const SENTENCES = { ask: sound('still-there'), answer: sound('connecting') };

/** G.711 µ-law → 16 bits. */
function sampleOf(byte) {
  const code = ~byte & 0xff;
  const size = ((((code & 0x0f) << 3) + 0x84) << ((code & 0x70) >> 4)) - 0x84;
  return code & 0x80 ? -size : size;
}
const loudnessOf = (audio) => audio.reduce((sum, byte) => sum + Math.abs(sampleOf(byte)), 0) / audio.length;

function talk(socket) {
  let streamSid = '';
  let speaking = null;
  let heard = false;
  let loud = 0;
  let silent = 0;
  const send = (message) => socket.send(JSON.stringify({ streamSid, ...message }));

  function say(name) {
    speaking = name;
    // Any length may be sent; what the caller has not heard yet can be taken back by `clear`.
    send({ event: 'media', media: { payload: SENTENCES[name].toString('base64') } });
    send({ event: 'mark', mark: { name } });
  }

  function listen(audio) {
    loud = loudnessOf(audio) > LOUD ? loud + 1 : 0;
    silent = loud > 0 ? 0 : silent + 1;
    if (loud === SPEECH_FRAMES) {
      heard = true;
      if (speaking === 'ask') send({ event: 'clear' });
    }
    if (heard && silent === SILENT_FRAMES && speaking !== 'answer') {
      send({ event: 'variables', variables: { spoke: 'yes' } });
      say('answer');
    }
  }

  const on = {
    start({ start }) {
      streamSid = start.streamSid;
      say('ask');
    },
    media: ({ media }) => listen(Buffer.from(media.payload, 'base64')),
    // Comes back when the caller has heard everything before it, or when it was cleared.
    mark({ mark: { name } }) {
      if (name === 'answer') send({ event: 'transfer', transfer: { destination: TRANSFER } });
      else speaking = null;
    },
    dtmf({ dtmf: { digit } }) {
      if (digit === '#') socket.close(1000);
    },
  };
  socket.on('message', (text) => {
    const message = JSON.parse(text);
    on[message.event]?.(message);
  });
}

const server = new WebSocketServer({ host: '127.0.0.1', port: Number(process.env.PORT ?? 8766) });
server.on('listening', () => console.log(`The speaking bot listens on port ${server.address().port}.`));
server.on('connection', talk);
