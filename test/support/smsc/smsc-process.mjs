// An independent SMSC (the npm package smpp) in a process of its own. Its parent controls its behaviour.
import smpp from 'smpp';

const ID_TAG = 0x1400;
/** Statuses for the next submit_sm; then it takes them. */
let statuses = [];
let behaviour = { receipts: false, silent: false, delayMs: 0 };
let taken = 0;

const server = smpp.createServer((session) => {
  session.on('error', () => undefined);
  session.on('bind_transceiver', (pdu) => {
    const right = pdu.system_id === 'dialtree' && pdu.password === 'secret';
    process.send({ type: 'bind', right, version: pdu.interface_version });
    session.send(pdu.response(right ? {} : { command_status: smpp.ESME_RINVPASWD }));
    if (!right) session.close();
  });
  session.on('submit_sm', (pdu) => {
    const status = statuses.shift() ?? 0;
    const id = pdu[ID_TAG]?.toString('latin1').replace('\0', '') ?? '';
    const messageId = `m${process.pid}-${++taken}`;
    const { message, udh } = pdu.short_message;
    process.send({
      type: 'submit',
      id,
      reference: pdu.user_message_reference,
      status,
      messageId,
      to: pdu.destination_addr,
      toType: pdu.dest_addr_ton,
      from: pdu.source_addr,
      fromType: pdu.source_addr_ton,
      coding: pdu.data_coding,
      receipt: pdu.registered_delivery,
      text: message,
      header: udh
        ? [...(Array.isArray(udh) ? udh : [udh])].map((piece) => Buffer.from(piece).toString('hex'))
        : [],
    });
    if (behaviour.silent) return;
    setTimeout(() => {
      session.send(pdu.response(status === 0 ? { message_id: messageId } : { command_status: status }));
      if (status === 0 && behaviour.receipts) receipt(session, pdu, messageId, behaviour.receipts);
    }, behaviour.delayMs);
  });
  session.on('deliver_sm_resp', (pdu) => process.send({ type: 'receipt-taken', status: pdu.command_status }));
  session.on('enquire_link', (pdu) => session.send(pdu.response()));
  session.on('unbind', (pdu) => {
    session.send(pdu.response());
    session.close();
  });
});

function receipt(session, { source_addr, destination_addr }, id, stat) {
  session.deliver_sm({
    source_addr: destination_addr,
    destination_addr: source_addr,
    esm_class: 4,
    short_message: `id:${id} sub:001 dlvrd:001 submit date:2611150900 done date:2611150901 stat:${stat} err:000 text:x`,
  });
}

process.on('message', (order) => {
  if (order.type === 'statuses') statuses = order.statuses;
  if (order.type === 'behave') behaviour = { ...behaviour, ...order.behaviour };
  process.send({ type: 'obeyed' });
});
process.on('disconnect', () => process.exit());
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () =>
  process.send({ type: 'listening', port: server.address().port }),
);
