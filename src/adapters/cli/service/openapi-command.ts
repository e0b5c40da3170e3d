/** `openapi`: prints the OpenAPI document of the API, without a database (Contract: §15). */
import { Command } from 'commander';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { toStandardOutput } from '#adapters/cli/terminal/write-output.ts';

export function openApiCommand({ makeOpenApiDocument }: CliRuntime): Command {
  return new Command('openapi').description('Print the OpenAPI document of the API').action(async () => {
    const text = JSON.stringify(await makeOpenApiDocument(), null, 2);
    await toStandardOutput(inOnePiece(`${text}\n`));
  });
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}
