/** Commands that make a machine report (docs/operating.md, "Machines that report"). */

export type AgentSystem = 'windows' | 'macos' | 'linux';

export function agentCommand(system: AgentSystem, origin: string, key: string): string {
  const { protocol, host } = new URL(origin);
  const address = `${protocol}//any:${key}@${host}/inventory`;
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
