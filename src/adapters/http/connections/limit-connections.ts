import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections beyond either limit are closed at once. */
  readonly connectionsPerAddress: number;
  readonly connections: number;
  /** Milliseconds that a client may leave an answer unread. */
  readonly stallMs: number;
}

/**
 * Enforces `limits`. A connection without an address is closed, because its client is gone. Node remembers an
 * address that was read, so later reads return it even after a reset.
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
  // The timer restarts whenever the client reads.
  server.setTimeout(limits.stallMs, (socket: Socket & { readonly _httpMessage?: unknown }) => {
    const isWaitingForUs = Boolean(socket._httpMessage) && socket.writableLength === 0;
    if (!isWaitingForUs) socket.destroy();
  });
}

/** File descriptors kept free for the database, files and the listener. */
const RESERVED_DESCRIPTORS = 256;

export function maxConnectionsOfProcess(): number {
  // A report with network data would look up every peer's host name.
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report;
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { readonly userLimits?: UserLimits };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? Math.max(RESERVED_DESCRIPTORS, limit - RESERVED_DESCRIPTORS) : UNLIMITED;
}

const UNLIMITED = 65_536;

interface UserLimits {
  readonly open_files?: { readonly soft: number | string };
}
