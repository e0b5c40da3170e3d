/** A service beside the load. It is idle except for readiness probes. */
import { compose } from '../../src/main.ts';
import { SERVICE_CONFIG } from '../fleet/fleet-database.ts';

const ASKED_EVERY_MS = 200;

const [databaseUrl] = process.argv.slice(2);
if (databaseUrl === undefined) throw new Error('the connection string of the database is missing');

const service = await compose({ ...SERVICE_CONFIG, databaseUrl });
const ask = () => service.app.request('/readyz');
await ask();
const asking = setInterval(ask, ASKED_EVERY_MS);
process.send?.('ready');

process.once('disconnect', async () => {
  clearInterval(asking);
  await service.close();
});
