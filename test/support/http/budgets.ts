/** Budgets for requests: one that no test uses up, and one that a single request uses up. */
import type { ShareLimits } from '#application/admission/fair-share.ts';
import type { RequestBudgets } from '#application/admission/request-budgets.ts';

const ample: ShareLimits = {
  total: 1e9,
  perTenant: 1e9,
  perCaller: 1e9,
  maxWaitingPerCaller: 0,
  maxWaitingPerTenant: 0,
  maxWaitMs: 0,
};

export const AMPLE_BUDGETS: RequestBudgets = {
  evaluation: ample,
  search: ample,
  export: ample,
  inventory: ample,
  work: ample,
  identification: ample,
  'sign-in': ample,
  bytes: ample,
};

const single: ShareLimits = { ...ample, total: 2, perTenant: 1, perCaller: 1 };

/** Each tenant may run one request, and no request may wait. */
export const SINGLE_BUDGETS: RequestBudgets = {
  ...AMPLE_BUDGETS,
  evaluation: single,
  search: single,
  export: single,
  inventory: single,
  work: single,
  'sign-in': single,
};
