import { onBothDatabases } from '../../test/support/databases.ts';
import { storageContract } from './storage.contract.ts';

onBothDatabases((database) => storageContract(database.open));
