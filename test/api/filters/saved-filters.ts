/** Saves valid filters over HTTP; a test names only the members that it is about. */
import { type Answer, type Ask, FILTERS } from '#test/api/service/service.ts';

export const ONLINE = {
  operator: 'AND',
  conditions: [{ field: 'status', operator: 'equals', value: 'online' }],
};

export function createFilter(ask: Ask, body: object = {}): Promise<Answer> {
  return ask('POST', FILTERS, { name: 'Online', conditions: ONLINE, ...body });
}

export function urlOf({ id }: { readonly id: string }): string {
  return `${FILTERS}/${id}`;
}
