import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { formatDateTime } from '#console/parts/display/format.ts';
import { customText } from './custom-fields/custom-field.tsx';
import styles from './side-by-side.module.css';

const said = words.devicePage.ends;

/** Shows both devices beside each other before the merge (Contract: §10). */
export function SideBySide({ kept, gone }: { readonly kept: Device; readonly gone: Device }) {
  const seenLast = (gone.lastSeenAt ?? '') > (kept.lastSeenAt ?? '') ? gone : kept;
  return (
    <table className={styles.table} aria-label={said.mergeTitle}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{said.value}</span>
          </th>
          <th scope="col">{nameOf(kept)}</th>
          <th scope="col">{nameOf(gone)}</th>
          <th scope="col">{said.stays}</th>
        </tr>
      </thead>
      <tbody>
        {[...ROWS, ...customRows(kept, gone)].map(({ id, title, read, stays }) => {
          const [left, right] = [read(kept), read(gone)];
          return (
            <tr key={id} data-differs={left !== right || undefined}>
              <th scope="row">{title}</th>
              <td>{left || said.none}</td>
              <td>
                {right || said.none}
                {left !== right && <span className="visually-hidden"> {said.differs}</span>}
              </td>
              <td className={styles.stays}>{stays(kept, gone, seenLast) || said.none}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly read: (device: Device) => string;
  readonly stays: (kept: Device, gone: Device, seenLast: Device) => string;
}

type RowId = keyof typeof said.rows;

const row = (id: RowId, read: Row['read'], stays: Row['stays']): Row => ({
  id,
  title: said.rows[id],
  read,
  stays,
});
const own = (id: RowId, read: Row['read']) => row(id, read, (kept) => read(kept));
const ownFirst = (id: RowId, read: Row['read']) => row(id, read, (kept, gone) => read(kept) || read(gone));
const reported = (id: RowId, read: Row['read']) => row(id, read, (_kept, _gone, seenLast) => read(seenLast));

const instantText = (instant: string) => formatDateTime(new Date(instant));

const ROWS: readonly Row[] = [
  reported('lastSeen', ({ lastSeenAt }) =>
    lastSeenAt === null ? words.devicePage.neverSeen : instantText(lastSeenAt),
  ),
  ownFirst('name', ({ displayName }) => displayName ?? ''),
  own('status', ({ status }) => words.deviceStatuses[status]),
  own('site', ({ site }) => site?.name ?? ''),
  row(
    'tags',
    ({ tags }) => tags.join(', '),
    (kept, gone) => [...new Set([...kept.tags, ...gone.tags])].join(', '),
  ),
  row(
    'alerts',
    ({ totals }) => String(totals.alerts),
    (kept, gone) => String(kept.totals.alerts + gone.totals.alerts),
  ),
  row(
    'enrolled',
    ({ enrolledAt }) => (enrolledAt === null ? '' : instantText(enrolledAt)),
    (kept, gone) => {
      const [earliest] = [kept.enrolledAt, gone.enrolledAt].filter((instant) => instant !== null).sort();
      return earliest === undefined ? '' : instantText(earliest);
    },
  ),
  reported('hostname', ({ hostname }) => hostname),
  reported('serial', ({ hardware }) => hardware?.serialNumber ?? ''),
  reported('model', ({ hardware }) => hardware?.model ?? ''),
  reported('system', ({ osType, osVersion }) => osVersion ?? osType ?? ''),
  reported('user', ({ lastUser }) => lastUser ?? ''),
  reported('address', ({ network }) => network.map(({ ipAddress }) => ipAddress ?? '').join(', ')),
];

/** The custom fields in which either device has a value. */
function customRows(kept: Device, gone: Device): readonly Row[] {
  return kept.custom
    .map(({ key, name, type }): Row => {
      const read = ({ custom }: Device) =>
        customText(type, custom.find((field) => field.key === key)?.value ?? null) ?? '';
      return { id: `custom.${key}`, title: name, read, stays: () => read(kept) || read(gone) };
    })
    .filter(({ read }) => read(kept) !== '' || read(gone) !== '');
}
