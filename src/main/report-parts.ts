/** Inventory reports and enrolment keys. */
import type { Factories } from './ingredients.ts';

export const REPORT_PARTS: Factories<
  'enrolment' | 'reporters' | 'readMessage' | 'answerAgent' | 'takeInventory'
> = {
  enrolment: async (from) => {
    const { makeEnrolmentUseCases } = await import('#application/enrolment/enrolment-use-cases.ts');
    const { randomSecrets: secrets } = await import('#adapters/auth/secret-generator.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa');
    return makeEnrolmentUseCases({ ...backend, ...deps, secrets });
  },
  reporters: async (from) => {
    const { makeReporterVerifier } = await import('#adapters/auth/reporter-verifier.ts');
    const { backend, clock } = await from('backend', 'clock');
    return makeReporterVerifier({ ...backend, clock });
  },
  // Loaded by the first report.
  readMessage: () => async (document) => {
    const { readDocument } = await import('#adapters/glpi/messages/message-reader.ts');
    return readDocument(document);
  },
  answerAgent: async (from) => {
    const { makeAnswerAgent } = await import('#application/inventory/answer-agent.ts');
    const { makeVisitEntryFactory } = await import('#application/audit/make-entry.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'readMessage', 'reporters');
    return makeAnswerAgent({ ...backend, ...deps, makeVisitEntry: makeVisitEntryFactory(deps) });
  },
  takeInventory: async (from) => {
    const { makeTakeInventory } = await import('#application/inventory/take-inventory.ts');
    const { makeEntryFactory } = await import('#application/audit/make-entry.ts');
    const { makeDeny } = await import('#application/audit/deny.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'readMessage');
    const makeEntry = makeEntryFactory(deps);
    const deny = makeDeny({ ...backend, makeEntry });
    return makeTakeInventory({ ...backend, ...deps, makeEntry, deny });
  },
};
