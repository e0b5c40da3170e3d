import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { SimpleTable } from './simple-table.tsx';

const { column } = words.devicePage;

export function NetworkTab({ device: { network } }: { readonly device: Device }) {
  if (network.length === 0) return <p className="soft">{words.devicePage.noNetwork}</p>;
  return (
    <SimpleTable
      label={words.devicePage.tabs.network}
      heads={[column.ipAddress, column.publicIp, column.macAddress]}
      rows={network.map(({ ipAddress, publicIp, macAddress }) => [ipAddress, publicIp, macAddress])}
    />
  );
}
