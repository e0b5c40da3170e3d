/** Saves a filter through the API of a service and lists the devices that match. */
import { createClient } from 'fleetsift/client';

const client = createClient({
  baseUrl: process.env.FLEETSIFT_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.FLEETSIFT_KEY ?? '',
});

const organizations = await client.GET('/api/v1/organizations');
if (organizations.error) throw new Error(organizations.error.detail);
const [organization] = organizations.data.data;
if (organization === undefined) throw new Error('the key reaches no organization');

const saved = await client.POST('/api/v1/filters', {
  body: {
    name: 'Tills',
    orgId: organization.id,
    conditions: {
      operator: 'AND',
      conditions: [{ field: 'hostname', operator: 'startsWith', value: 'till' }],
    },
  },
});
if (saved.error) throw new Error(saved.error.detail);
console.log('saved', saved.data.name);

// Sees the new filter, whichever replica answers, and asks for the next page when it is needed.
const query = { filterId: saved.data.id, limit: 50 };
for await (const device of client.each('/api/v1/devices', { params: { query } }))
  console.log(device.hostname);
