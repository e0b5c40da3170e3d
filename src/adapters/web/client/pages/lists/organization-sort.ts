import type { Organization } from '#adapters/http/api-types.ts';

export const ORGANIZATION_SORTS = ['name', '-name', 'devices', '-devices'] as const;
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number];

/** By name, as the API lists them, or by the number of their devices; ties by name. */
export function sortOrganizations(
  byName: readonly Organization[],
  sort: OrganizationSort,
): readonly Organization[] {
  switch (sort) {
    case 'name':
      return byName;
    case '-name':
      return byName.toReversed();
    case 'devices':
      return byName.toSorted((a, b) => a.deviceCount - b.deviceCount);
    case '-devices':
      return byName.toSorted((a, b) => b.deviceCount - a.deviceCount);
  }
}
