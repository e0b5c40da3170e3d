import type { ContractBackend } from './contract-backend.ts';
export function testFilterSemantics(_backend: () => ContractBackend): void {}
