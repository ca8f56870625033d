/** Opens the store of a home for writing and stays, until it is killed. */
import { openSession } from '../../../main/store/sql/session.ts';

await openSession(process.argv[2]!, 'write');
process.stdout.write('open\n');
setInterval(() => undefined, 1000);
