/** Vacuums and analyzes what a large load has written, as the owner of the tables. */
import {
  type ConnectionOptions,
  connectionConfig,
  makeClient,
} from '#adapters/postgres/setup/connections/connection-config.ts';

/** Refreshes the planner's statistics, and marks pages all-visible for index-only scans. */
export async function refreshStatistics(
  url: string,
  by: Pick<ConnectionOptions, 'isPooled'> = {},
): Promise<void> {
  const owner = makeClient(connectionConfig(url, { ...by, applicationName: 'fleetsift load' }));
  await owner.connect();
  try {
    await owner.query(
      'vacuum (analyze) device, device_state, device_names, device_hardware, device_network, device_software, software_title, organization_software, alert, script, patch, device_search, alert_search, script_search, device_search_block, alert_search_block, script_search_block',
    );
  } finally {
    await owner.end();
  }
}
