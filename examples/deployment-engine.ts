/**
 * Installs something on every device of a saved filter and then follows the filter. Devices join and leave as agents
 * report and people change the filter. The engine learns of each change once.
 */
import { type Composition, compose, readLoadFile } from 'fleetsift';
import { type Call, makeCall } from 'fleetsift/application';
import { type DeviceId, type FilterId, parseId, type UserId } from 'fleetsift/domain';
import { createMemoryBackend } from 'fleetsift/memory';

/** Changes since the last look. */
interface Changes {
  readonly joined: readonly DeviceId[];
  readonly left: readonly DeviceId[];
}

/** Polls the filter. At first every device joins. */
function followFilter({ filters }: Composition, call: Call, id: FilterId): () => Promise<Changes> {
  let known = new Set<DeviceId>();
  return async () => {
    const found = await filters.resolveFilter(call, id);
    if (!found.ok) throw new Error(found.error.detail);
    const current = new Set<DeviceId>();
    const joined: DeviceId[] = [];
    // A filter may match a million devices, so they come in batches from one snapshot.
    for await (const batch of found.value) {
      for (const device of batch) {
        current.add(device);
        if (!known.delete(device)) joined.push(device);
      }
    }
    const left = [...known];
    known = current;
    return { joined, left };
  };
}

const service = await compose({ databaseUrl: null, logLevel: 'silent' }, { backend: createMemoryBackend() });
const loaded = await service.backend.fleetWriter(
  readLoadFile(new URL('fleet.json', import.meta.url).pathname),
);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));

const engine = makeCall({
  userId: parseId<'user'>('0194ec09-0000-7000-8000-000000000003') as UserId,
  scope: { kind: 'system' },
  permissions: ['devices:write'],
  requestId: 'deployment-7',
});
const windows = parseId<'filter'>('0194ec09-0000-7000-8000-000000000021') as FilterId;
const look = followFilter(service, engine, windows);

console.log('first', await look());
console.log('unchanged', await look());
const linux = { field: 'osType', operator: 'equals', value: 'linux' };
const changed = await service.filters.updateFilter(
  engine,
  windows,
  { conditions: { operator: 'AND', conditions: [linux] } },
  { kind: 'any' },
);
if (!changed.ok) throw new Error(changed.error.detail);
console.log('the filter was changed', await look());
await service.close();
