/** Opens the store of a home for writing and stays, until it is killed. */
import { openStoreSession } from '../../../main/store/sql/session.ts';

await openStoreSession(process.argv[2]!, 'write');
process.stdout.write('open\n');
setInterval(() => undefined, 1000);
