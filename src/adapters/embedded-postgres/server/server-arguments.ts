/** The server's settings, all on its command line; the cluster's files stay unchanged. */
import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

export interface ServerArguments {
  /** As the server's account can name it. */
  readonly directory: string;
  readonly port: number;
  readonly clusterName: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Durability (fsync, checksums) keeps PostgreSQL's safe defaults. */
export function serverArguments({ directory, port, clusterName, settings }: ServerArguments): string[] {
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: sharedBuffers(),
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Statements and details contain user input, which must not be logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...settings,
    cluster_name: clusterName,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, '-p', String(port), ...options];
}

/** A sixteenth of memory, from 32 to 256 MiB, because the service shares the machine. */
function sharedBuffers(): string {
  const mebibytes = Math.floor(totalmem() / MEBIBYTE / 16);
  return `${Math.min(256, Math.max(32, mebibytes))}MB`;
}
