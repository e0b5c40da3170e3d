/** What every store of deletion requests promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testClaimDue } from './deletion-request-store/claim-due.contract.ts';
import { testDeletionRequestMoves } from './deletion-request-store/moves.contract.ts';
import { testReviewerCandidates } from './deletion-request-store/people.contract.ts';
import { testDeletionRequestReader } from './deletion-request-store/reader.contract.ts';
import { testTakeReminder } from './deletion-request-store/take-reminder.contract.ts';
import { testDeletionRequestWriter } from './deletion-request-store/writer.contract.ts';

export function testDeletionRequestStore(backend: () => ContractBackend): void {
  testDeletionRequestReader(backend);
  testDeletionRequestWriter(backend);
  testDeletionRequestMoves(backend);
  testReviewerCandidates(backend);
  testClaimDue(backend);
  testTakeReminder(backend);
}
