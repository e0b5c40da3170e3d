/** What every outbox promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testMailClaims } from './mail-outbox/claims.contract.ts';
import { testMailForgetting } from './mail-outbox/forgetting.contract.ts';
import { testMailQueue } from './mail-outbox/queue.contract.ts';
import { testMailRetries } from './mail-outbox/retries.contract.ts';

export function testMailOutbox(backend: () => ContractBackend): void {
  testMailQueue(backend);
  testMailClaims(backend);
  testMailRetries(backend);
  testMailForgetting(backend);
}
