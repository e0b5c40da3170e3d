/** Derived from its number, so every run has the same. */
import { seededRandom } from '#adapters/demo/seeded-random.ts';
import type { ScriptRecord } from '#domain/fleet/fleet-record.ts';
import { fleetId } from './fleet-id.ts';
import { ORGANIZATION_COUNT, orgIdAt, PARTNER_COUNT, partnerIdOf } from './fleet-plan.ts';

/** Every fourth belongs to a partner. */
export function drawScript(n: number): ScriptRecord {
  const random = seededRandom(`script ${n}`);
  return {
    kind: 'script',
    id: fleetId('script', n),
    owner:
      n % 4 === 0
        ? { kind: 'partner', partnerId: partnerIdOf(random.integer(0, PARTNER_COUNT - 1)) }
        : { kind: 'organization', orgId: orgIdAt(random.integer(0, ORGANIZATION_COUNT - 1)) },
    name: `${random.pick(ACTIONS)} ${random.pick(THINGS)} ${random.fill('##')}`,
    description: random.chance(0.8) ? `Runs on ${random.pick(TARGETS)}; ${random.fill('KB50#####')}` : null,
  };
}

const ACTIONS = ['Clear', 'Restart', 'Install', 'Update', 'Remove', 'Check'];
const THINGS = ['Chrome', 'print spooler', 'SQL Server', 'temporary files', 'BitLocker', 'Office'];
const TARGETS = ['workstations', 'servers', 'laptops', 'everything'];
