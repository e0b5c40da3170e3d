import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Badge } from '#console/parts/display/badge.tsx';
import { SimpleTable } from './simple-table.tsx';

const { column, patchStatuses } = words.devicePage;

const TONES = { pending: 'amber', installed: 'green', failed: 'red' } as const;

/** In the order of what is to be done about them. */
const ORDER = ['failed', 'pending', 'installed'] as const;

export function PatchesTab({ device: { patches } }: { readonly device: Device }) {
  if (patches.length === 0) return <p className="soft">{words.devicePage.noPatches}</p>;
  const sorted = ORDER.flatMap((status) => patches.filter((patch) => patch.status === status));
  return (
    <SimpleTable
      label={words.devicePage.tabs.patches}
      heads={[column.patch, column.status]}
      rows={sorted.map(({ title, status }) => [
        title,
        <Badge key={status} tone={TONES[status]}>
          {patchStatuses[status]}
        </Badge>,
      ])}
    />
  );
}
