import type { OrganizationRecord } from './fleet-record.ts';

/** Tells operators, who see every organization, which one owns the device and how to move it. */
export function explainForeignDevice({ id, name }: Pick<OrganizationRecord, 'id' | 'name'>): string {
  return `the device belongs to the organization ${JSON.stringify(name)} (${id}); --allow-moves moves it, with its history, to the organization that the file names`;
}
