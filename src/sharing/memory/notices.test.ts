import { noticesContract } from '../ports/notices.contract.ts';
import { MemoryNotices } from './notices.ts';

const notices = new MemoryNotices(() => undefined);

noticesContract(() => ({ here: notices, there: notices }));
