import { useQueryClient } from '@tanstack/react-query';
import type { DeviceChanges } from '#adapters/http/api-types.ts';
import { changeDevice, deviceQuery } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useSending } from '#console/parts/fields/form.tsx';

export interface DeviceChange {
  readonly isSaving: boolean;
  readonly error: unknown;
  save(changes: DeviceChanges): Promise<boolean>;
  /** Like `save`, but throws instead of setting `error`, for dialogs that show the error themselves. */
  attempt(changes: DeviceChanges): Promise<void>;
  reset(): void;
}

/** On a conflict, loads the newer version, and the error says so. */
export function useDeviceChange(id: string, etag: string | null): DeviceChange {
  const api = useApi();
  const queries = useQueryClient();
  const { isSending, fault, send, forget } = useSending();
  async function attempt(changes: DeviceChanges) {
    try {
      await changeDevice(api, queries, id, etag, changes);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      await queries.refetchQueries({ queryKey: deviceQuery(api, id).queryKey });
      throw new Error(words.devicePage.conflict);
    }
  }
  return {
    isSaving: isSending,
    error: fault,
    save: (changes) => send(() => attempt(changes)),
    attempt,
    reset: forget,
  };
}
