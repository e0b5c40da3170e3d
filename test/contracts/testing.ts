/**
 * `fleetsift/testing`: the contract of every port as a suite, to test your adapters with. Some suites use `fast-check`,
 * which you must install as well.
 */
import { CONTRACTS, testAllContracts } from './all-contracts.ts';
import { provideTestFunctions, type TestFunctions } from './test-functions.ts';

export type { BackendCapabilities } from './all-contracts.ts';
export type { ContractBackend } from './contract-backend.ts';
export type { Expect, Matchers, TestFunctions } from './test-functions.ts';

/** The suites by name; each takes a function that gives the ports under test. */
export type Contracts = typeof CONTRACTS & { readonly testAllContracts: typeof testAllContracts };

/** The suites, which register their tests with these functions: `contractsWith({ describe, test, ... })`. */
export function contractsWith(functions: TestFunctions): Contracts {
  provideTestFunctions(functions);
  return { ...CONTRACTS, testAllContracts };
}
