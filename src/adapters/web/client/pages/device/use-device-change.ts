import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeviceChanges } from '#adapters/http/api-types.ts';
import { changeDevice, deviceQuery } from '#console/api/devices/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';

export interface DeviceChange {
  readonly isSaving: boolean;
  /** Why the last change was not made; null where it was. */
  readonly error: unknown;
  /** Whether it was made. */
  save(changes: DeviceChanges): Promise<boolean>;
  /** Forgets the error. */
  reset(): void;
}

/** Changes a device as it was read. Where somebody else was faster, theirs is loaded, and said in words. */
export function useDeviceChange(id: string, etag: string | null): DeviceChange {
  const api = useApi();
  const queries = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return {
    isSaving,
    error,
    async save(changes) {
      setIsSaving(true);
      setError(null);
      try {
        await changeDevice(api, queries, id, etag, changes);
        return true;
      } catch (fault) {
        const isConflict = fault instanceof ApiError && fault.status === 412;
        if (isConflict) await queries.refetchQueries({ queryKey: deviceQuery(api, id).queryKey });
        setError(isConflict ? new Error(words.devicePage.conflict) : fault);
        return false;
      } finally {
        setIsSaving(false);
      }
    },
    reset: () => setError(null),
  };
}
