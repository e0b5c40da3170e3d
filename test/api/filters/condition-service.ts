/** A service with a fixed clock for suites about single conditions, and short ways to write conditions. */
import { expect } from 'vitest';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import {
  FILTERS,
  filterOf,
  type NewOrg,
  PREVIEW,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aDevice, fixedClock } from '#test/support/builders.ts';

/** The time of the fixed clock. */
export const NOW = Date.UTC(2026, 1, 1, 15);

/** The path of the value in a filter's first condition. */
export const VALUE = 'conditions.conditions[0].value';

export interface ConditionService {
  readonly service: TestService;
  /** An organization without devices, for refusals that depend on no device. */
  readonly empty: NewOrg;
  /** An organization with these devices. */
  withDevices(...devices: readonly DeviceOf[]): Promise<NewOrg>;
  /** Checks that create, preview and update refuse a condition alike, and returns the refusal. */
  refusedEverywhere(condition: object): Promise<unknown>;
  close(): Promise<void>;
}

type DeviceOf = Partial<DeviceRecord> & Pick<DeviceRecord, 'hostname'>;

export async function startConditionService(): Promise<ConditionService> {
  const service = await startService({ overrides: { clock: fixedClock(NOW) } });
  const empty = await service.inNewOrg(() => []);
  const good = { name: 'Good', conditions: and(is('hostname', 'isNotNull')) };
  const { id } = filterOf(await empty.ask('POST', FILTERS, good));
  return {
    service,
    empty,
    withDevices: (...devices) =>
      service.inNewOrg((orgId) => devices.map((device) => aDevice({ orgId, ...device }))),
    refusedEverywhere: async (condition) => {
      const conditions = and(condition);
      const [first, ...others] = [
        refusalOf(await empty.ask('POST', FILTERS, { name: 'Bad', conditions })),
        refusalOf(await empty.ask('POST', PREVIEW, { conditions })),
        refusalOf(await empty.ask('PATCH', `${FILTERS}/${id}`, { conditions })),
      ];
      expect(others).toStrictEqual([first, first]);
      return first;
    },
    close: () => service.close(),
  };
}

/** A condition as it is sent. */
export function is(field: string, operator: string, value?: unknown): object {
  return { field, operator, ...(value !== undefined && { value }) };
}

/** A group of conditions that must all hold. */
export function and(...conditions: readonly object[]): object {
  return { operator: 'AND', conditions };
}

/** The refusal of a body with these faults. */
export function invalid(...places: readonly (readonly [path: string, code: string])[]): readonly unknown[] {
  return [400, 'validation_failed', ...places];
}

export const BAD_VALUE = invalid([VALUE, 'invalid_value']);
