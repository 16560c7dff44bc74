import { slotsContract } from '../ports/slots.contract.ts';
import { MemorySlots } from './slots.ts';

slotsContract(() => new MemorySlots());
