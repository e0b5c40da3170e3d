/** Bounds what clients may hold open, and ends connections that take nothing of their answer. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections there may be, and how long one may stall. */
export interface ConnectionLimits {
  /** Connections of one address at once; more are closed as they come. */
  readonly connectionsPerAddress: number;
  /** Connections in all. */
  readonly connections: number;
  /** How long a client may take nothing of an answer that waits for it, in milliseconds. */
  readonly stallMs: number;
}

/**
 * Connections without an address are closed: their client has gone again. Reading it here makes Node keep it, so that
 * a client that resets the connection later is still known.
 *
 * @param isTrustedProxy whether many clients stand behind this address
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
): void {
  const open = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined) {
      socket.destroy();
      return;
    }
    if (isTrustedProxy(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > limits.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
  // Node's timer begins anew whenever the client takes something.
  server.setTimeout(limits.stallMs, (socket: Socket & { readonly _httpMessage?: unknown }) => {
    const isWaitingForUs = Boolean(socket._httpMessage) && socket.writableLength === 0;
    if (!isWaitingForUs) socket.destroy();
  });
}

/** Descriptors that are kept for the database, files and the listener. */
const RESERVED_DESCRIPTORS = 256;

/** As many connections as the process may have files open, less a reserve. */
export function maxConnectionsOfProcess(): number {
  // Otherwise the report looks up the name of every peer.
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report;
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { readonly userLimits?: UserLimits };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? Math.max(RESERVED_DESCRIPTORS, limit - RESERVED_DESCRIPTORS) : UNLIMITED;
}

/** Of a process without a limit, or on a system that has none. */
const UNLIMITED = 65_536;

interface UserLimits {
  readonly open_files?: { readonly soft: number | string };
}
