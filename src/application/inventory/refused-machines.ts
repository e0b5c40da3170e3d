/**
 * Machines whose partial inventory was refused because they are unknown. Their next contact asks for a full one
 * (Contract: §13). Per process and bounded; a forgotten machine returns with its next refusal.
 */
import type { OrgId } from '#domain/ids.ts';

const MAX_MACHINES = 10_000;

/** Real ids have some forty characters. */
const MAX_ID_LENGTH = 500;

export class RefusedMachines {
  /** In order of refusal. */
  readonly #machines = new Set<string>();

  add(orgId: OrgId, inventoryId: string): void {
    if (inventoryId.length > MAX_ID_LENGTH) return;
    this.#machines.add(toKey(orgId, inventoryId));
    const [oldest] = this.#machines;
    if (this.#machines.size > MAX_MACHINES && oldest !== undefined) this.#machines.delete(oldest);
  }

  has(orgId: OrgId, inventoryId: string): boolean {
    return this.#machines.has(toKey(orgId, inventoryId));
  }
}

function toKey(orgId: OrgId, inventoryId: string): string {
  return `${orgId} ${inventoryId}`;
}
