/**
 * Six rules, each for our evaluator, filtrex and sift. Functions supply the operators that filtrex lacks. All evaluate
 * the same objects.
 */
import { compileExpression } from 'filtrex';
import sift from 'sift';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { FLEET_NOW } from '../fleet/fleet-plan.ts';

export type DeviceRule = (device: Device) => boolean;

export interface Rule {
  readonly name: string;
  readonly ours: DeviceRule;
  readonly filtrex: DeviceRule;
  readonly sift: DeviceRule;
}

const DAY_MS = 86_400_000;
const WEEK_AGO = FLEET_NOW - 7 * DAY_MS;
const MONTH_AGO = FLEET_NOW - 30 * DAY_MS;

const is = (field: string, operator: string, value: unknown) => ({ field, operator, value });
const all = (...conditions: readonly object[]) => ({ operator: 'AND', conditions });
const any = (...conditions: readonly object[]) => ({ operator: 'OR', conditions });

export function compileRules(): readonly Rule[] {
  return [
    rule('status is offline', {
      ours: all(is('status', 'equals', 'offline')),
      filtrex: 'status == "offline"',
      sift: { status: 'offline' },
    }),
    rule('Windows and (cpu > 90 or disk > 95)', {
      ours: all(
        is('osType', 'equals', 'windows'),
        any(is('metrics.cpuPercent', 'greaterThan', 90), is('metrics.diskPercent', 'greaterThan', 95)),
      ),
      filtrex: 'osType == "windows" and (cpuPercent of metrics > 90 or diskPercent of metrics > 95)',
      sift: {
        osType: 'windows',
        $or: [{ 'metrics.cpuPercent': { $gt: 90 } }, { 'metrics.diskPercent': { $gt: 95 } }],
      },
    }),
    rule('hostname contains SQL', {
      ours: all(is('hostname', 'contains', 'SQL')),
      filtrex: 'contains(hostname, "sql")',
      sift: { hostname: /sql/i },
    }),
    rule('tags hasAny pci, lab', {
      ours: all(is('tags', 'hasAny', ['pci', 'lab'])),
      filtrex: 'hasAny(tags, ("pci", "lab"))',
      sift: { tags: { $in: ['pci', 'lab'] } },
    }),
    rule('last seen within 7 days', {
      ours: all(is('lastSeenAt', 'withinLast', { amount: 7, unit: 'days' })),
      filtrex: `lastSeenAt >= ${WEEK_AGO}`,
      sift: { lastSeenAt: { $gte: WEEK_AGO } },
    }),
    rule('eight conditions, nested', {
      ours: all(
        any(is('osType', 'equals', 'windows'), is('osType', 'equals', 'linux')),
        any(
          all(is('metrics.cpuPercent', 'greaterThan', 50), is('patches.pending', 'equals', true)),
          all(is('hostname', 'contains', 'srv'), is('metrics.diskPercent', 'greaterThan', 30)),
        ),
        is('lastSeenAt', 'withinLast', { amount: 30, unit: 'days' }),
        is('status', 'notEquals', 'decommissioned'),
      ),
      filtrex: `(osType == "windows" or osType == "linux")
        and ((cpuPercent of metrics > 50 and pendingPatchCount > 0)
             or (contains(hostname, "srv") and diskPercent of metrics > 30))
        and lastSeenAt >= ${MONTH_AGO} and status != "decommissioned"`,
      sift: {
        $and: [
          { $or: [{ osType: 'windows' }, { osType: 'linux' }] },
          {
            $or: [
              { 'metrics.cpuPercent': { $gt: 50 }, pendingPatchCount: { $gt: 0 } },
              { hostname: /srv/i, 'metrics.diskPercent': { $gt: 30 } },
            ],
          },
        ],
        lastSeenAt: { $gte: MONTH_AGO },
        status: { $ne: 'decommissioned' },
      },
    }),
  ];
}

function rule(
  name: string,
  as: { readonly ours: object; readonly filtrex: string; readonly sift: object },
): Rule {
  const parsed = parseConditions(as.ours, CORE_CATALOG);
  if (!parsed.ok) throw new Error(`${name}: ${JSON.stringify(parsed.error)}`);
  const compiled = compilePredicate(parsed.value, translatePattern);
  if (!compiled.ok) throw new Error(`${name}: ${JSON.stringify(compiled.error)}`);
  const matches = compiled.value;
  const evaluate = compileExpression(as.filtrex, { extraFunctions: { contains, hasAny } });
  const test: DeviceRule = sift.default(as.sift);
  return {
    name,
    ours: (device) => matches(device, FLEET_NOW),
    // filtrex returns numbers, booleans, or an Error.
    filtrex: (device) => {
      const answer: unknown = evaluate(device);
      if (answer instanceof Error) throw answer;
      return Boolean(answer);
    },
    sift: test,
  };
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part);
}

function hasAny(list: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((one) => list.includes(one));
}
