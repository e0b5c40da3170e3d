/** Loads that bring a device of another organization. */
import type { OrganizationRecord } from './fleet-record.ts';

/** Whose the device is, and how to move it; for whoever loads fleets, who may see every organization. */
export function explainForeignDevice({ id, name }: Pick<OrganizationRecord, 'id' | 'name'>): string {
  return `the device belongs to the organization ${JSON.stringify(name)} (${id}); --allow-moves moves it, with its history, to the organization that the file names`;
}
