// Which devices have not been seen for a week? Run it with Node: node evaluator.js
import { compileFilter } from 'fleetsift/domain';

const lost = { field: 'lastSeenAt', operator: 'notWithinLast', value: { amount: 1, unit: 'weeks' } };
const filter = compileFilter({ operator: 'AND', conditions: [lost] });
if (!filter.ok) throw new Error(filter.error.map(({ path, message }) => `${path}: ${message}`).join('\n'));

const devices = [
  { hostname: 'srv-1', lastSeenAt: new Date().toISOString() },
  { hostname: 'till-7', lastSeenAt: '2026-01-05T17:00:00Z' },
  { hostname: 'never-seen' },
];
for (const device of devices) if (filter.value(device, Date.now())) console.log(device.hostname);
