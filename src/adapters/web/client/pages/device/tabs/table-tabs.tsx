import { type ReactNode, useState } from 'react';
import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { SeverityBadge } from '#console/pages/lists/alert-parts.tsx';
import { SearchField } from '#console/pages/lists/toolbar.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Meter } from '#console/parts/display/meter.tsx';
import { DataTable } from '#console/parts/layout/data-table.tsx';
import styles from './table-tabs.module.css';

const { column, patchStatuses } = words.devicePage;

interface SimpleTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

interface SimpleRow {
  readonly key: string;
  readonly cells: readonly ReactNode[];
}

function SimpleTable({ label, heads, rows }: SimpleTableProps) {
  return (
    <DataTable
      label={label}
      columns={heads.map((title, i) => ({
        id: title,
        title,
        isMain: i === 0,
        cell: ({ cells }: SimpleRow) => cells[i] ?? <span className="soft">—</span>,
      }))}
      rows={rows.map((cells, row) => ({ key: String(row), cells }))}
      keyOf={({ key }) => key}
    />
  );
}

function Beginning({ shown, total }: { readonly shown: number; readonly total: number }) {
  return shown < total ? <p className="soft">{words.devicePage.beginning(shown, total)}</p> : null;
}

export function NetworkTab({ device: { network, totals } }: { readonly device: Device }) {
  if (network.length === 0) return <p className="soft">{words.devicePage.noNetwork}</p>;
  return (
    <>
      <Beginning shown={network.length} total={totals.network} />
      <SimpleTable
        label={words.devicePage.tabs.network}
        heads={[column.ipAddress, column.publicIp, column.macAddress]}
        rows={network.map(({ ipAddress, publicIp, macAddress }) => [ipAddress, publicIp, macAddress])}
      />
    </>
  );
}

export function VolumesTable({ device: { volumes, totals } }: { readonly device: Device }) {
  const size = (gb: number | null) => (gb === null ? null : words.devicePage.gibibytes(gb));
  return (
    <>
      <Beginning shown={volumes.length} total={totals.volumes} />
      <SimpleTable
        label={words.devicePage.volumes}
        heads={[column.volume, column.used, column.free, column.size, column.filesystem]}
        rows={volumes.map(({ name, filesystem, totalGb, freeGb }) => [
          name,
          totalGb === null || freeGb === null || totalGb <= 0 ? null : (
            <div key="used" className={styles.used}>
              <Meter percent={usedPercent(totalGb, freeGb)} />
            </div>
          ),
          size(freeGb),
          size(totalGb),
          filesystem,
        ])}
      />
    </>
  );
}

/** Rounded to a tenth, as the agents report it. */
function usedPercent(totalGb: number, freeGb: number): number {
  return Math.round(Math.min(Math.max(1 - freeGb / totalGb, 0), 1) * 1_000) / 10;
}

export function SoftwareTab({ device: { software, totals } }: { readonly device: Device }) {
  const [wanted, setWanted] = useState('');
  if (software.length === 0) return <p className="soft">{words.devicePage.noSoftware}</p>;
  const found = software.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <>
      <div className={`row ${styles.bar}`}>
        <SearchField label={words.devicePage.findSoftware} value={wanted} onChange={setWanted} />
        <p role="status" className="soft">
          {wanted === ''
            ? words.devicePage.softwareCount(totals.software)
            : words.devicePage.softwareFound(found.length, software.length)}
        </p>
      </div>
      <Beginning shown={software.length} total={totals.software} />
      {found.length === 0 ? (
        <p className="soft">{words.devicePage.noSoftwareMatches}</p>
      ) : (
        <SimpleTable
          label={words.devicePage.tabs.software}
          heads={[column.software, column.version]}
          rows={found.map(({ name, version }) => [name, version])}
        />
      )}
    </>
  );
}

const PATCH_TONES = { pending: 'amber', installed: 'green', failed: 'red' } as const;

const ORDER = ['failed', 'pending', 'installed'] as const;

export function PatchesTab({ device: { patches, totals } }: { readonly device: Device }) {
  if (patches === null) return <p className="soft">{words.devicePage.noPatches}</p>;
  if (patches.length === 0) return <p className="soft">{words.devicePage.upToDate}</p>;
  const sorted = ORDER.flatMap((status) => patches.filter((patch) => patch.status === status));
  return (
    <>
      <Beginning shown={patches.length} total={totals.patches} />
      <SimpleTable
        label={words.devicePage.tabs.patches}
        heads={[column.patch, column.status]}
        rows={sorted.map(({ title, status }) => [
          title,
          <Badge key={status} tone={PATCH_TONES[status]}>
            {patchStatuses[status]}
          </Badge>,
        ])}
      />
    </>
  );
}

export function AlertsTab({ device: { alerts, totals } }: { readonly device: Device }) {
  if (alerts.length === 0) return <p className="soft">{words.devicePage.noAlerts}</p>;
  return (
    <>
      <Beginning shown={alerts.length} total={totals.alerts} />
      <SimpleTable
        label={words.devicePage.tabs.alerts}
        heads={[column.severity, column.alert]}
        rows={alerts.map(({ id, severity, title, message }) => [
          <SeverityBadge key={id} severity={severity} />,
          <div key={id} className={styles.alert}>
            {title}
            {message !== null && <span className="soft">{message}</span>}
          </div>,
        ])}
      />
    </>
  );
}
