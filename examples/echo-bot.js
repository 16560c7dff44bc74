// A voice bot that repeats what the caller says: the smallest one that speaks the protocol of a stream (docs/voice-bots.md).
//   npm install ws && node echo-bot.js        then POST /v1/stream with "url": "ws://127.0.0.1:8765/"
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: Number(process.env.PORT ?? 8765) });
server.on('listening', () => console.log(`The echo bot listens on port ${server.address().port}.`));
server.on('connection', (socket) => {
  let streamSid = '';
  const send = (message) => socket.send(JSON.stringify({ streamSid, ...message }));
  socket.on('message', (text) => {
    const message = JSON.parse(text);
    if (message.event === 'start') streamSid = message.start.streamSid;
    // 20 ms of µ-law in base64; any length may be sent back.
    if (message.event === 'media') send({ event: 'media', media: { payload: message.media.payload } });
    // 0 asks for a destination, # ends the conversation.
    if (message.event === 'dtmf' && message.dtmf.digit === '0')
      send({ event: 'transfer', transfer: { destination: process.env.TRANSFER ?? 'department||support' } });
    if (message.event === 'dtmf' && message.dtmf.digit === '#') socket.close(1000);
  });
});
