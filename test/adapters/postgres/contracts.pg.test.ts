/** The PostgreSQL adapters against every contract but the largest, which is in `filter-semantics.pg.test.ts`. */
import { afterAll, beforeAll, inject } from 'vitest';
import type { AuditActor, AuditEntry } from '#domain/audit/audit-entry.ts';
import { testAccountEraser } from '#test/contracts/account-eraser.contract.ts';
import { testAccountStore } from '#test/contracts/account-store.contract.ts';
import { testApiKeyStore } from '#test/contracts/api-key-store.contract.ts';
import { testAuditLog } from '#test/contracts/audit-log.contract.ts';
import { testAuditReader } from '#test/contracts/audit-reader.contract.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testCustomFieldSource } from '#test/contracts/custom-field-source.contract.ts';
import { testDeletionRequestStore } from '#test/contracts/deletion-request-store.contract.ts';
import { testDeviceMatcher } from '#test/contracts/device-matcher.contract.ts';
import { testFleetWriter } from '#test/contracts/fleet-writer.contract.ts';
import { testInventoryStore } from '#test/contracts/inventory-store.contract.ts';
import { testMailOutbox } from '#test/contracts/mail-outbox.contract.ts';
import { testMfaStore } from '#test/contracts/mfa-store.contract.ts';
import { testOrganizationDirectory } from '#test/contracts/organization-directory.contract.ts';
import { testPatternChecker } from '#test/contracts/pattern-checker.contract.ts';
import { testPrincipalStore } from '#test/contracts/principal-store.contract.ts';
import { testRateLimiter } from '#test/contracts/rate-limiter.contract.ts';
import { testSavedFilterStore } from '#test/contracts/saved-filter-store.contract.ts';
import { testSearcher } from '#test/contracts/searcher.contract.ts';
import { testSessionStore } from '#test/contracts/session-store.contract.ts';
import { testSigningKeyStore } from '#test/contracts/signing-key-store.contract.ts';
import { testUnitOfWork } from '#test/contracts/unit-of-work.contract.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;
let backend: ContractBackend;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  backend = { ...world.backend, auditEntries: () => readAuditEntries(world) };
});

afterAll(() => world.close());

testSavedFilterStore(() => backend);
testUnitOfWork(() => backend);
testAuditLog(() => backend);
testAuditReader(() => backend);
testMailOutbox(() => backend);
testDeletionRequestStore(() => backend);
testAccountEraser(() => backend);
testDeviceMatcher(() => backend);
testSearcher(() => backend);
testPatternChecker(() => backend);
testCustomFieldSource(() => backend);
testOrganizationDirectory(() => backend);
testFleetWriter(() => backend);
testInventoryStore(() => backend);
testPrincipalStore(() => backend);
testAccountStore(() => backend);
testSigningKeyStore(() => backend);
testRateLimiter(() => backend);
testSessionStore(() => backend);
testMfaStore(() => backend);
testApiKeyStore(() => backend);

/** What the owner finds in the table, oldest first. */
async function readAuditEntries({ query }: PostgresWorld): Promise<readonly AuditEntry[]> {
  type Row = Omit<AuditEntry, 'at' | 'actor'> & { at: Date; actorType: string; actorId: string | null };
  const rows = await query<Row>(
    'owner',
    `select id, at, actor_type as "actorType", actor_id as "actorId", org_id as "orgId",
            partner_id as "partnerId", action, result, resource_type as "resourceType",
            resource_id as "resourceId", details, request_id as "requestId", ip
     from audit_log order by at, id`,
  );
  return rows.map(({ at, actorType, actorId, ...same }) => ({
    ...same,
    at: at.getTime(),
    actor: { type: actorType, id: actorId } as AuditActor,
  }));
}
