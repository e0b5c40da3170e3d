import { expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { compilePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import type { FilterRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { asDevice, catalogOf, NOW, ofKind } from './fixed-demo.ts';

const FILTERS = ofKind('filter');
const ALERTS = ofKind('alert');

test.each(FILTERS.map((filter) => [filter.name, filter] as const))(
  'the filter %s finds some but not all devices of its organization',
  (_name, filter) => {
    const devices = ofKind('device').filter(({ orgId }) => orgId === filter.orgId);
    const matches = predicateOf(filter);
    const found = devices.filter((device) => matches(asDevice(device, ALERTS), NOW));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(devices.length);
  },
);

function predicateOf(filter: FilterRecord) {
  const parsed = parseConditions(filter.conditions, catalogOf(filter.orgId as OrgId));
  if (!parsed.ok) {
    throw new Error(JSON.stringify(parsed.error));
  }
  const compiled = compilePredicate(parsed.value, translatePattern);
  if (!compiled.ok) {
    throw new Error(JSON.stringify(compiled.error));
  }
  return compiled.value;
}
