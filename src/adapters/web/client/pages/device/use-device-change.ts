import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeviceChanges } from '#adapters/http/api-types.ts';
import { changeDevice, deviceQuery } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';

export interface DeviceChange {
  readonly isSaving: boolean;
  readonly error: unknown;
  save(changes: DeviceChanges): Promise<boolean>;
  reset(): void;
}

/** Saves changes with the device's etag. On a conflict, it loads the other version and says so. */
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
