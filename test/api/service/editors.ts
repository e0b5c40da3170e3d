/** Callers of every reach who may change devices and custom fields, in new tenants. */
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { anApiKey, anOrganization, aPartner, aUser } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import type { Ask, TestService } from './service.ts';

/** All hold devices:write except `user` and `key without`, which belong to organization A. */
export type EditorName = 'A' | 'B' | 'user' | 'P' | 'P in A' | 'Q' | 'system' | 'key without';

/** Partner P with the organizations A and B, and partner Q. */
export interface Editors {
  readonly p: PartnerId;
  readonly q: PartnerId;
  readonly a: OrgId;
  readonly b: OrgId;
  as(name: EditorName): Ask;
  idOf(name: Exclude<EditorName, 'key without'>): string;
}

export async function addEditors(service: TestService): Promise<Editors> {
  const [p, q] = [aPartner(), aPartner()];
  const a = anOrganization({ partnerId: p.id });
  const b = anOrganization({ partnerId: p.id });
  const person = (membership: Membership, permissions: readonly string[] = ['devices:write']) =>
    aUser({ membership, permissions });
  const people = {
    A: person({ scope: 'organization', orgId: a.id }),
    B: person({ scope: 'organization', orgId: b.id }),
    user: person({ scope: 'organization', orgId: a.id }, ['users:write']),
    P: person({ scope: 'partner', partnerId: p.id, orgIds: null }),
    'P in A': person({ scope: 'partner', partnerId: p.id, orgIds: [a.id] }),
    Q: person({ scope: 'partner', partnerId: q.id, orgIds: null }),
    system: person({ scope: 'system' }),
  };
  const key = anApiKey({ userId: people.A.id });
  await loadFleet(service.composition.backend, [p, q, a, b, ...Object.values(people), key]);
  return {
    p: p.id,
    q: q.id,
    a: a.id,
    b: b.id,
    as: (name) =>
      name === 'key without'
        ? (method, path, body, headers) =>
            service.as('none')(method, path, body, { 'X-API-Key': key.key, ...headers })
        : service.asUser(people[name].id),
    idOf: (name) => people[name].id,
  };
}
