import type { OrgId } from '#domain/ids.ts';
import type { AgentMessage } from '#domain/inventory/device-inventory.ts';
import type { Result } from '#domain/result.ts';

/** 32 MiB, for a document both as sent and after inflating (Contract: §13). */
export const MAX_DOCUMENT_BYTES = 32 * 1_048_576;

/** `zlib` means RFC 1950, `gzip` RFC 1952. */
export interface CodedDocument {
  readonly bytes: Uint8Array;
  readonly coding: 'plain' | 'zlib' | 'gzip';
}

export type DocumentRefusal =
  /** Inflating stops at `MAX_DOCUMENT_BYTES`. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-json'; readonly fault: string }
  /** At least one fault. Each continues a sentence about the document, such as `is …` or `has …`. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/**
 * Reads documents of agents and scripts (Contract: §13). Documents may wait for each other, and organizations take
 * turns. Other work continues meanwhile. Never rejects.
 */
export type MessageReader = (
  document: CodedDocument,
  orgId: OrgId,
) => Promise<Result<AgentMessage, DocumentRefusal>>;
