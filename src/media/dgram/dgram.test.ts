import { socketsContract } from '../sockets.contract.ts';
import { openDgram } from './dgram.ts';

socketsContract('dgram', openDgram);
