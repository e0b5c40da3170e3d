/** Limits open connections, and ends connections that do not read their answer. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Open connections per address; further ones are closed at once. */
  readonly connectionsPerAddress: number;
  /** Open connections in all. */
  readonly connections: number;
  /** Milliseconds that a client may leave an answer unread. */
  readonly stallMs: number;
}

/**
 * A connection without an address is closed, because its client is gone. Node keeps an address that was read here, also
 * after a reset.
 *
 * @param isTrustedProxy whether many clients share this address
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
  // Node restarts the timer whenever the client reads something.
  server.setTimeout(limits.stallMs, (socket: Socket & { readonly _httpMessage?: unknown }) => {
    const isWaitingForUs = Boolean(socket._httpMessage) && socket.writableLength === 0;
    if (!isWaitingForUs) socket.destroy();
  });
}

/** For the database, files and the listener. */
const RESERVED_DESCRIPTORS = 256;

/** The process's limit of open files, less a reserve. */
export function maxConnectionsOfProcess(): number {
  // Otherwise the report looks up the name of every peer.
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report;
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { readonly userLimits?: UserLimits };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? Math.max(RESERVED_DESCRIPTORS, limit - RESERVED_DESCRIPTORS) : UNLIMITED;
}

/** If the process or the system has no limit. */
const UNLIMITED = 65_536;

interface UserLimits {
  readonly open_files?: { readonly soft: number | string };
}
