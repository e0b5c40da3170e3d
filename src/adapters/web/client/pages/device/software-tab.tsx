import { useState } from 'react';
import type { Device } from '#console/api/device-types.ts';
import { words } from '#console/app/words.ts';
import { TextField } from '#console/parts/text-field.tsx';
import { SimpleTable } from './simple-table.tsx';

const { column } = words.devicePage;

export function SoftwareTab({ device: { software } }: { readonly device: Device }) {
  const [wanted, setWanted] = useState('');
  if (software.length === 0) return <p className="soft">{words.devicePage.noSoftware}</p>;
  const found = software.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <>
      <TextField
        label={words.devicePage.findSoftware}
        value={wanted}
        onChange={setWanted}
        hint={words.devicePage.softwareCount(software.length)}
      />
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
