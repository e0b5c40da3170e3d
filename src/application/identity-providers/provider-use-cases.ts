import { type MakeEntry, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { ManageProvidersDeps } from './hold-provider.ts';
import {
  type ChangeProvider,
  type CreateProvider,
  type DeleteProvider,
  type ListProviders,
  makeChangeProvider,
  makeCreateProvider,
  makeDeleteProvider,
  makeListProviders,
  makeReadProvider,
  makeVerifyDomains,
  type ReadProvider,
  type VerifyDomains,
} from './manage-providers.ts';

/** Contract: §16. */
export interface IdentityProviderUseCases {
  readonly listProviders: ListProviders;
  readonly readProvider: ReadProvider;
  readonly createProvider: CreateProvider;
  readonly changeProvider: ChangeProvider;
  readonly deleteProvider: DeleteProvider;
  readonly verifyDomains: VerifyDomains;
}

export interface IdentityProviderPorts extends Omit<ManageProvidersDeps, 'makeEntry' | 'deny'> {
  readonly auditLog: AuditLog;
  readonly makeEntry?: MakeEntry;
}

export function makeIdentityProviderUseCases(ports: IdentityProviderPorts): IdentityProviderUseCases {
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const deps = { ...ports, makeEntry, deny: makeDeny({ ...ports, makeEntry }) };
  return {
    listProviders: makeListProviders(deps),
    readProvider: makeReadProvider(deps),
    createProvider: makeCreateProvider(deps),
    changeProvider: makeChangeProvider(deps),
    deleteProvider: makeDeleteProvider(deps),
    verifyDomains: makeVerifyDomains(deps),
  };
}
