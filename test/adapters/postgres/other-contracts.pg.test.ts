/** The other half of the contracts. */
import { testContractsOnPostgres } from './contracts-on-postgres.ts';

testContractsOnPostgres(1);
