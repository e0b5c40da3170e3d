/**
 * Typical saved filters, fifty for each organization. Their values occur on devices, so filters match. Every run draws
 * the same.
 */
import { type SeededRandom, seededRandom } from '#adapters/demo/seeded-random.ts';
import type { Device } from '#domain/device/device.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';

export type RawFilter = Readonly<Record<string, unknown>>;

/** One to four conditions, three quarters under AND, some nested. Values come from `sample`. */
export function drawFilter(n: number, sample: readonly Device[]): RawFilter {
  const random = seededRandom(`filter ${n}`);
  const group = (operator: string, count: number): RawFilter => ({
    operator,
    conditions: Array.from({ length: count }, () => drawCondition(random, random.pick(sample))),
  });
  const shape = random.fraction();
  if (shape < 0.2) return group('AND', 1);
  if (shape < 0.7) return group('AND', random.integer(2, 4));
  if (shape < 0.85) return group('OR', random.integer(2, 4));
  const conditions = [drawCondition(random, random.pick(sample)), group('OR', random.integer(2, 3))];
  return { operator: 'AND', conditions };
}

function drawCondition(random: SeededRandom, device: Device): RawFilter {
  const { hostname, tags, software, lastUser, osVersion, agentVersion, hardware, network } = device;
  const kind = random.pickWeighted(KINDS);
  switch (kind) {
    case 'status':
      return is('status', random.pick(['equals', 'equals', 'notEquals']), random.pick(DEVICE_STATUSES));
    case 'osType':
      return is('osType', random.pick(['equals', 'equals', 'notEquals']), random.pick(OS_TYPES));
    case 'role':
      return is('deviceRole', 'in', [random.pick(DEVICE_ROLES), random.pick(DEVICE_ROLES)]);
    case 'tag':
      return is('tags', 'contains', tags.length === 0 ? 'vip' : random.pick(tags));
    case 'tags':
      return is('tags', 'hasAny', ['vip', 'lab', ...tags].slice(0, 3));
    case 'software':
      return is('software.installed', 'contains', random.pick(software).name.slice(0, 12));
    case 'title':
      return is('software.installed', random.pick(['equals', 'hasAny']) === 'equals' ? 'equals' : 'in', [
        random.pick(software).name,
      ]);
    case 'name':
      return is('hostname', random.pick(['contains', 'startsWith']), hostname.slice(0, random.integer(3, 8)));
    case 'exact name':
      return is('hostname', 'equals', hostname);
    case 'user':
      return is('lastUser', 'equals', lastUser ?? 'nobody');
    case 'version':
      return is('osVersion', 'startsWith', (osVersion ?? '10').slice(0, 4));
    case 'agent':
      return is('agentVersion', 'in', [agentVersion ?? '4.0.0', '4.1.0']);
    case 'model':
      return is('hardware.manufacturer', 'equals', hardware.manufacturer ?? 'Dell');
    case 'network':
      return is('network.ipAddress', 'startsWith', (network[0]?.ipAddress ?? '10.').slice(0, 6));
    case 'metric':
      return is(
        random.pick(['metrics.diskPercent', 'metrics.cpuPercent']),
        'greaterThan',
        random.integer(60, 95),
      );
    case 'seen':
      return is('lastSeenAt', random.pick(['withinLast', 'notWithinLast']), {
        amount: random.pick([1, 7, 30]),
        unit: 'days',
      });
    case 'flag':
      return is(random.pick(['patches.pending', 'system.rebootRequired']), 'equals', true);
  }
}

const KINDS = [
  ['status', 12],
  ['osType', 12],
  ['role', 8],
  ['tag', 10],
  ['tags', 4],
  ['software', 6],
  ['title', 6],
  ['name', 8],
  ['exact name', 2],
  ['user', 3],
  ['version', 4],
  ['agent', 3],
  ['model', 4],
  ['network', 3],
  ['metric', 8],
  ['seen', 8],
  ['flag', 6],
] as const;

function is(field: string, operator: string, value: unknown): RawFilter {
  return { field, operator, value: operator === 'equals' && Array.isArray(value) ? value[0] : value };
}
