/** Refusals of inventories that exceed a limit on software titles (Contract: §13). */
import type { ApplicationError } from '#application/application-error.ts';
import { TITLE_LIMITS, type TitleLimit } from '#domain/device/title-quota.ts';

const exceeded = (limit: TitleLimit): ApplicationError => ({
  code: 'quota_exceeded',
  detail: `Quota exceeded: ${TITLE_LIMITS[limit]}.`,
});

export const TITLE_REFUSALS: Readonly<Record<TitleLimit, ApplicationError>> = {
  'too-many-titles': exceeded('too-many-titles'),
  'too-many-versions': exceeded('too-many-versions'),
  'too-many-title-bytes': exceeded('too-many-title-bytes'),
  'too-long-title': exceeded('too-long-title'),
};
