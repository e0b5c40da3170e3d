import type { AccessScope } from '#domain/access/access-scope.ts';
import type {
  AlertDetails,
  AlertPosition,
  ListedAlert,
  ListedScript,
  ListedSite,
  ScriptPosition,
} from '#domain/fleet/fleet-lists.ts';
import type { AlertSeverity, AlertStatus } from '#domain/fleet/fleet-record.ts';
import type { AlertId, DeviceId } from '#domain/ids.ts';

/** Null members do not restrict the list. */
export interface AlertSelection {
  /** Part of title or message, folded (`foldCase`); empty matches all. */
  readonly foldedText: string;
  readonly status: AlertStatus | null;
  readonly severity: AlertSeverity | null;
  readonly deviceId: DeviceId | null;
}

export interface AlertQuery extends AlertSelection {
  /** Null starts with the newest alert. */
  readonly after: AlertPosition | null;
  /** 1 or more. */
  readonly limit: number;
}

export interface ScriptQuery {
  /** Part of name or description, folded (`foldCase`); empty matches all. */
  readonly foldedText: string;
  /** Null starts with the first script. */
  readonly after: ScriptPosition | null;
  /** 1 or more. */
  readonly limit: number;
}

/**
 * Lists of a fleet (Contract: §10). Rows that are added or removed never make pages repeat or skip others. Rejects
 * only if storage fails or the service is overloaded.
 */
export interface FleetLists {
  /** Sites in reach, in no order. */
  sites(scope: AccessScope): Promise<readonly ListedSite[]>;
  /** Alerts in reach, in the order of `compareAlerts`; null if `deviceId` is out of reach. */
  alerts(scope: AccessScope, query: AlertQuery): Promise<readonly ListedAlert[] | null>;
  /** Null if unknown or out of reach. */
  alert(scope: AccessScope, id: AlertId): Promise<AlertDetails | null>;
  /** In the order of `compareScripts`. Partners' scripts are in reach as in `Searcher`. */
  scripts(scope: AccessScope, query: ScriptQuery): Promise<readonly ListedScript[]>;
}
