import { asOwner, type ConnectionOptions } from '#adapters/postgres/setup/connections/connection-config.ts';

const LOADED_TABLES = [
  ...['device_software', 'device', 'organization_software', 'device_hardware', 'device_state', 'patch'],
  ...['device_search', 'device_network', 'device_names', 'alert', 'device_search_block', 'alert_search'],
  ...[
    'alert_search_block',
    'script',
    'script_search',
    'script_search_block',
    'software_title',
    'software_version',
  ],
];

const CONNECTIONS = 2;

/** Also vacuums, which marks pages all-visible for index-only scans. */
export async function refreshStatistics(
  url: string,
  by: Pick<ConnectionOptions, 'isPooled'> = {},
): Promise<void> {
  const tables = LOADED_TABLES.values();
  const work = () =>
    asOwner(url, { ...by, applicationName: 'fleetsift load' }, async (owner) => {
      for (const table of tables) await owner.query(`vacuum (analyze) ${table}`);
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}
