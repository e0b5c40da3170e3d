/** Reads the lists of a fleet that take no counting (Contract: §10). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type {
  AlertPosition,
  ListedAlert,
  ListedScript,
  ListedSite,
  ScriptPosition,
} from '#domain/fleet/fleet-lists.ts';
import type { AlertSeverity, AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';

/** What an alert must fulfil; null leaves a member open. */
export interface AlertQuery {
  readonly status: AlertStatus | null;
  readonly severity: AlertSeverity | null;
  readonly deviceId: DeviceId | null;
  /** The page starts behind this place; null starts with the newest alert. */
  readonly after: AlertPosition | null;
  /** At most this many alerts; 1 or more. */
  readonly limit: number;
}

/** What a script must fulfil. */
export interface ScriptQuery {
  /** Name or description contains it, both folded (`foldCase`); the empty text is in all of them. */
  readonly foldedText: string;
  /** The page starts behind this place; null starts with the first script. */
  readonly after: ScriptPosition | null;
  /** At most this many scripts; 1 or more. */
  readonly limit: number;
}

/**
 * Whatever is added or removed while pages are read, no page repeats or skips anything else. None is an empty list.
 * Rejects only if storage fails or the service is overloaded.
 */
export interface FleetLists {
  /** The sites of the organizations in reach, in no particular order. */
  sites(scope: AccessScope): Promise<readonly ListedSite[]>;
  /** The alerts in reach that fulfil the query, in the order of `compareAlerts`; null if no such device is in reach. */
  alerts(scope: AccessScope, query: AlertQuery): Promise<readonly ListedAlert[] | null>;
  /**
   * The scripts in reach that fulfil the query, in the order of `compareScripts`. A partner's script is in reach as
   * `Searcher` has it.
   */
  scripts(scope: AccessScope, query: ScriptQuery): Promise<readonly ListedScript[]>;
}
