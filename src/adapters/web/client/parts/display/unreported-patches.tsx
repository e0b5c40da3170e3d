import { useQuery } from '@tanstack/react-query';
import { deviceCountQuery, type Wanted } from '#console/api/devices.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { DevicesLink } from './device-link.tsx';

const NEVER_REPORTED = 'patches.reported:no';

interface UnreportedPatchesProps {
  /** The filter, narrowed to devices that have never reported patches. */
  readonly ofThese: Wanted;
  readonly orgId: string | null;
}

/**
 * Shows how many devices of the filter have never reported patches. If there are none, shows the number
 * without the filter, because a filter on pending patches excludes such devices.
 */
export function UnreportedPatches({ ofThese, orgId }: UnreportedPatchesProps) {
  const api = useApi();
  const { data: these } = useQuery(deviceCountQuery(api, ofThese, orgId));
  const { data: others } = useQuery({
    ...deviceCountQuery(api, { q: NEVER_REPORTED }, orgId),
    enabled: these === 0,
  });
  const said = words.devices.unreportedPatches;
  if (these === undefined || (these === 0 && (others ?? 0) === 0)) return null;
  return (
    <p className="soft">
      {these > 0 ? (
        'q' in ofThese ? (
          <DevicesLink q={ofThese.q}>{said.these(these)}</DevicesLink>
        ) : (
          said.these(these)
        )
      ) : (
        <DevicesLink q={NEVER_REPORTED}>{said.others(others ?? 0)}</DevicesLink>
      )}
    </p>
  );
}

/** `filter` is filter text, or conditions as JSON. */
export function asksForPatches(filter: string): boolean {
  return /patches\.(?:pending|failedTitle)/i.test(filter);
}

export function unreportedOfText(q: string): Wanted {
  return { q: `(${q}) ${NEVER_REPORTED}` };
}

export function unreportedOfConditions(conditions: unknown): Wanted {
  const never = { field: 'patches.reported', operator: 'equals', value: false };
  return { conditions: { operator: 'AND', conditions: [conditions, never] } };
}
