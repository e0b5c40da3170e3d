/** Organizations, partners and sites, as administrators change them (Contract: §16). */
import type { ApplicationError } from '#application/application-error.ts';

export const NAME_TAKEN: ApplicationError = {
  code: 'name_taken',
  detail: 'Another one beside it has this name, in this or another case.',
};

export const NOT_EMPTY: ApplicationError = {
  code: 'not_empty',
  detail: 'The organization still has devices, people or filters; move or delete them first.',
};
