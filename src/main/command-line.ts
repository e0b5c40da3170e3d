/** The dependencies of the command line. Each is loaded by the first command that uses it. */
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import type { Config } from '#adapters/system/read-config.ts';
import type { ComposeConfig } from './composition.ts';
import type { Assembly } from './ingredients.ts';

/** Facts that only `main.ts` knows. */
export interface CommandLineContext {
  readonly config: Config;
  /** The package's version. */
  readonly version: string;
  /** Writes to the terminal. */
  readonly report: (message: string) => void;
  readonly assemble: (config: ComposeConfig) => Promise<Assembly>;
}

export function makeRuntime(context: CommandLineContext): CliRuntime {
  const { config, version, report } = context;
  return {
    version,
    config,
    clock: systemClock,
    newId: uuidV7,
    bindServer: async () => (await import('#adapters/http/serve.ts')).bindServer(config),
    bindMetrics: async () => {
      const { host, metricsPort: port } = config;
      return port === null
        ? null
        : (await import('#adapters/metrics/serve-metrics.ts')).bindMetrics({ host, port });
    },
    startEmbeddedDatabase: async () => {
      const { startEmbeddedPostgres } = await import('#adapters/embedded-postgres/embedded-postgres.ts');
      return startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: report });
    },
    openService: async (databaseUrl, { migrate = config.migrate, allowsLostKeys = false } = {}) => {
      const { openCommandService } = await import('./command-service.ts');
      return openCommandService(context, { databaseUrl, migrate, allowsLostKeys });
    },
    makeDemo: async (now) => {
      const { demoFleet } = await import('#adapters/demo/demo-fleet.ts');
      const { randomDemoSecrets } = await import('#adapters/demo/demo-accounts.ts');
      const { currentTotpCode } = await import('#adapters/auth/otpauth-totp.ts');
      return { ...demoFleet(now, randomDemoSecrets()), currentTotpCode };
    },
    importLoadFiles: async () => {
      const { LoadFileError } = await import('#adapters/load/load-file-error.ts');
      const { printRecord } = await import('#adapters/load/print-record.ts');
      return { ...(await import('#adapters/load/read-load-file.ts')), LoadFileError, printRecord };
    },
    importInventories: () => import('#adapters/glpi/read-inventory.ts'),
    importSecrets: async () => (await import('#adapters/auth/secret-generator.ts')).randomSecrets,
    explainFailure: async (error) => {
      const { isRefusedInMaintenance } = await import('#adapters/postgres/database-error.ts');
      return isRefusedInMaintenance(error)
        ? 'the data of a partner in maintenance is read-only, and nothing was changed; to let changes through again, run: partner maintenance off'
        : null;
    },
    listensAt: async () => (await import('#adapters/http/serve.ts')).toUrl(config.host, config.port),
    makeOpenApiDocument: async () => {
      const { makeOpenApiDocument } = await import('#adapters/http/openapi/openapi-document.ts');
      return makeOpenApiDocument(version);
    },
  };
}
