import { useState } from 'react';
import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { SearchField } from '#console/pages/lists/search-field.tsx';
import { SimpleTable } from './simple-table.tsx';
import styles from './software-tab.module.css';

const { column } = words.devicePage;

export function SoftwareTab({ device: { software } }: { readonly device: Device }) {
  const [wanted, setWanted] = useState('');
  if (software.length === 0) return <p className="soft">{words.devicePage.noSoftware}</p>;
  const found = software.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={words.devicePage.findSoftware} value={wanted} onChange={setWanted} />
        <p role="status" className="soft">
          {wanted === ''
            ? words.devicePage.softwareCount(software.length)
            : words.devicePage.softwareFound(found.length, software.length)}
        </p>
      </div>
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
