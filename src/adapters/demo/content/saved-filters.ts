/** The saved filters of the demo: what technicians look for, with every operator in use somewhere. */
import { stableId } from '#adapters/demo/stable-id.ts';
import { PARTNER_ADMINISTRATOR_EMAILS } from '#adapters/demo/tenants/users.ts';
import type { FilterRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { isoDay } from './iso-day.ts';

/** All of them; absolute dates in their conditions are relative to `now`. */
export function filterRecords(now: EpochMs): readonly FilterRecord[] {
  return savedFilters(now).map(({ organization, createdBy, name, description, conditions }) => ({
    kind: 'filter',
    id: stableId('filter', `${organization}/${name}`),
    orgId: stableId('organization', organization),
    name,
    description,
    conditions,
    createdBy: stableId('user', createdBy),
  }));
}

interface SavedFilter {
  readonly organization: string;
  /** An email of `users.ts`. */
  readonly createdBy: string;
  readonly name: string;
  readonly description: string | null;
  readonly conditions: Group;
}

type Group = {
  readonly operator: 'AND' | 'OR';
  readonly conditions: readonly (Condition | Group)[];
};

type Condition = {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
};

const KESTREL_LANE_ADMIN = PARTNER_ADMINISTRATOR_EMAILS['kestrel-lane'];
const BLAUBACH_ADMIN = PARTNER_ADMINISTRATOR_EMAILS.blaubach;
const VARHAUG_ADMIN = 'it@varhaug-freight.example';
const GREYWATER_ADMIN = 'network@greywater-schools.example';

function savedFilters(now: EpochMs): readonly SavedFilter[] {
  return [
    {
      organization: 'varhaug',
      createdBy: VARHAUG_ADMIN,
      name: 'Windows 10 past end of support',
      description: 'Unsupported since 14 October 2025. LTSC editions are left out, they have years to go.',
      conditions: and(
        is('osType', 'equals', 'windows'),
        is('osVersion', 'startsWith', 'Windows 10'),
        is('osVersion', 'notContains', 'LTSC'),
        is('status', 'notIn', ['decommissioned', 'pending']),
      ),
    },
    {
      organization: 'varhaug',
      createdBy: VARHAUG_ADMIN,
      name: 'Disk almost full',
      description: null,
      conditions: and(
        is('metrics.diskPercent', 'greaterThan', 90),
        is('status', 'in', ['online', 'updating', 'maintenance']),
      ),
    },
    {
      organization: 'varhaug',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'Not seen for 30 days',
      description: 'Lost, stolen or in a drawer: ask the site before decommissioning.',
      conditions: and(
        is('lastSeenAt', 'notWithinLast', { amount: 30, unit: 'days' }),
        is('lastSeenAt', 'isNotNull'),
        is('status', 'notEquals', 'decommissioned'),
      ),
    },
    {
      organization: 'varhaug',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'Servers without backup agent',
      description: 'Neither Veeam, nor Acronis, nor a backup of their own.',
      conditions: and(
        is('deviceRole', 'equals', 'server'),
        is('software.notInstalled', 'contains', 'veeam'),
        is('software.notInstalled', 'contains', 'acronis'),
        or(
          is('tags', 'isEmpty'),
          is('tags', 'hasAny', ['production', 'finance', 'domain-controller', 'dmz']),
        ),
      ),
    },
    {
      organization: 'varhaug',
      createdBy: VARHAUG_ADMIN,
      name: 'Łódź and İstanbul by name or by network',
      description: 'The conventional names, the odd ones, and what stands there under any name.',
      conditions: or(
        is('hostname', 'startsWith', 'ldz-'),
        is('hostname', 'startsWith', 'ist-'),
        is('hostname', 'contains', 'Łódź'),
        is('hostname', 'contains', 'stanbul'),
        and(
          is('siteId', 'in', [stableId('site', 'varhaug/lodz'), stableId('site', 'varhaug/istanbul')]),
          or(
            is('network.ipAddress', 'startsWith', '10.12.'),
            is('network.ipAddress', 'startsWith', '10.13.'),
          ),
        ),
      ),
    },
    {
      organization: 'pellworth',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'Needs a reboot, but not the shop floor',
      description: 'To be restarted tonight.',
      conditions: and(
        is('system.rebootRequired', 'equals', true),
        or(is('uptimeSeconds', 'greaterThanOrEquals', 259_200), is('patches.pending', 'equals', true)),
        is('lastSeenAt', 'withinLast', { amount: 1, unit: 'weeks' }),
        is('custom.production_line', 'isNull'),
      ),
    },
    {
      organization: 'pellworth',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'Agent older than 4.0',
      description: 'Versions by pattern; devices without an agent are not meant.',
      conditions: and(
        is('agentVersion', 'matches', '^[0-3]\\.'),
        is('status', 'notEquals', 'decommissioned'),
        is('watchdogStatus', 'notIn', ['connected']),
      ),
    },
    {
      organization: 'greywater',
      createdBy: GREYWATER_ADMIN,
      name: 'Exam machines that are not ready',
      description: 'Tagged for exams, and not marked ready, or without the exam client.',
      conditions: and(
        is('tags', 'contains', 'exam'),
        or(
          is('custom.exam_ready', 'notEquals', true),
          and(is('osType', 'equals', 'windows'), is('software.installed', 'notContains', 'Exam4')),
          is('hardware.ramTotalMb', 'lessThan', 8_192),
        ),
      ),
    },
    {
      organization: 'tidewell',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'X-ray stations with pending patches',
      description: 'Patch on Wednesday afternoons only.',
      conditions: and(
        or(is('custom.xray_connected', 'equals', true), is('tags', 'hasAny', ['x-ray'])),
        is('patches.pending', 'equals', true),
      ),
    },
    {
      organization: 'saltmarsh',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'Guest network: old or out of sight',
      description: null,
      conditions: and(
        is('deviceRole', 'in', ['access_point', 'switch', 'router', 'firewall']),
        or(
          is('daysSinceEnrolled', 'greaterThan', 730),
          is('daysSinceLastSeen', 'between', { from: 1, to: 365 }),
          is('tags', 'hasAll', ['guest-network', 'legacy']),
        ),
      ),
    },
    {
      organization: 'quillon',
      createdBy: KESTREL_LANE_ADMIN,
      name: 'Laptops out of warranty by next quarter',
      description: 'For the replacement budget: the lease or warranty ends within 90 days, or ended.',
      conditions: and(
        is('custom.warranty_end', 'before', isoDay(now + 90 * DAY_MS)),
        is('tags', 'isNotEmpty'),
        is('hardware.model', 'notEquals', 'To Be Filled By O.E.M.'),
        is('hardware.ramTotalMb', 'lessThanOrEquals', 16_384),
      ),
    },
    {
      organization: 'seerain',
      createdBy: BLAUBACH_ADMIN,
      name: 'In Quarantäne oder verdächtig',
      description: 'Isolierte Geräte, und solche mit Fernwartung, die wir nicht einsetzen.',
      conditions: or(
        is('quarantinedAt', 'isNotNull'),
        is('alerts.critical', 'equals', true),
        is('software.installed', 'hasAny', ['AnyDesk', 'RustDesk']),
      ),
    },
    {
      organization: 'lindqvist',
      createdBy: BLAUBACH_ADMIN,
      name: 'Macs: Leasing endet in diesem Jahr',
      description: null,
      conditions: and(
        is('osType', 'equals', 'macos'),
        is('custom.leasing_ende', 'between', { from: isoDay(now), to: isoDay(now + 365 * DAY_MS) }),
      ),
    },
    {
      organization: 'wiesenbrueck',
      createdBy: BLAUBACH_ADMIN,
      name: 'Neu im Netz und noch namenlos',
      description: 'In den letzten sechs Monaten aufgenommen und nie benannt, oder unbekannter Art.',
      conditions: or(
        and(is('enrolledAt', 'after', isoDay(now - 182 * DAY_MS)), is('displayName', 'isNull')),
        is('deviceRole', 'equals', 'unknown'),
        is('hostname', 'endsWith', '.lan'),
      ),
    },
  ];
}

function and(...conditions: Group['conditions']): Group {
  return { operator: 'AND', conditions };
}

function or(...conditions: Group['conditions']): Group {
  return { operator: 'OR', conditions };
}

/** A condition, without a value for operators that take none. */
function is(field: string, operator: string, value?: unknown): Condition {
  return value === undefined ? { field, operator } : { field, operator, value };
}
