/** Commands that make a machine report (docs/operating.md, "Machines that report"). */

export type AgentSystem = 'windows' | 'macos' | 'linux';

/** `origin` has no trailing slash. */
export function reportAddress(origin: string, key: string): string {
  const { protocol, host } = new URL(origin);
  return `${protocol}//any:${key}@${host}/inventory`;
}

export function agentCommand(system: AgentSystem, origin: string, key: string): string {
  const address = reportAddress(origin, key);
  switch (system) {
    case 'windows':
      return `msiexec /i GLPI-Agent-x64.msi /quiet SERVER="${address}" RUNNOW=1`;
    case 'macos':
      return `sudo /Applications/GLPI-Agent/bin/glpi-agent --server '${address}'`;
    case 'linux':
      return `sudo glpi-agent --server '${address}'`;
  }
}

export function likelySystem(userAgent: string): AgentSystem {
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macos';
  return /Linux|BSD|CrOS/.test(userAgent) ? 'linux' : 'windows';
}
