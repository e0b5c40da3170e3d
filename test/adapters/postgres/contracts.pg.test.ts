/** One half of the contracts. */
import { testContractsOnPostgres } from './contracts-on-postgres.ts';

testContractsOnPostgres(0);
