/** Reads what agents send, and what people send in their place (Contract: §13). */
import type { AgentMessage } from '#domain/inventory/agent-message.ts';
import type { Result } from '#domain/result.ts';

/** The most bytes that a document has, as it is sent and after inflating: 32 MiB (Contract: §13). */
export const MAX_DOCUMENT_BYTES = 32 * 1_048_576;

/** A document on its way: `zlib` is RFC 1950, `gzip` RFC 1952. */
export interface CodedDocument {
  readonly bytes: Uint8Array;
  readonly coding: 'plain' | 'zlib' | 'gzip';
}

/** Why a document is no message. */
export type DocumentRefusal =
  /** Beyond `MAX_DOCUMENT_BYTES`; no more than that was inflated. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-json'; readonly fault: string }
  /** Every fault that was found, at least one: `is …` and `has …` go on after the document's name, as above. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/** Holds up nobody for long, whatever the document is; documents may wait for each other. Never rejects. */
export type MessageReader = (document: CodedDocument) => Promise<Result<AgentMessage, DocumentRefusal>>;
