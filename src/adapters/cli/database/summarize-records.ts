import type { FleetCounts } from '#application/ports/fleet/fleet-writer.ts';

/** Returns text such as `2 sites, 1 device`. */
export function summarizeRecords(counts: Partial<FleetCounts>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const [one, many] = NOUNS[kind as keyof FleetCounts];
      return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
    });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

const NOUNS: Readonly<Record<keyof FleetCounts, readonly [one: string, many: string]>> = {
  partner: ['partner', 'partners'],
  organization: ['organization', 'organizations'],
  site: ['site', 'sites'],
  user: ['user', 'users'],
  apiKey: ['API key', 'API keys'],
  enrolmentKey: ['enrolment key', 'enrolment keys'],
  customField: ['custom field', 'custom fields'],
  device: ['device', 'devices'],
  script: ['script', 'scripts'],
  alert: ['alert', 'alerts'],
  filter: ['filter', 'filters'],
  deletionRequest: ['deletion request', 'deletion requests'],
  auditEntry: ['audit entry', 'audit entries'],
};
