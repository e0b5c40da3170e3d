/**
 * Each command makes the agent report now, then starts its system service. Run by hand, an agent reports only once
 * (docs/operating.md, "Machines that report").
 */

export type AgentSystem = 'windows' | 'macos' | 'linux';

/** `baseUrl` is where the console is: its origin, and the path of BASE_URL. */
export function agentCommand(system: AgentSystem, baseUrl: string, key: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  const address = `${protocol}//any:${key}@${host}${pathname.replace(/\/$/, '')}/inventory`;
  switch (system) {
    case 'windows':
      return `msiexec /i GLPI-Agent-1.x-x64.msi /quiet SERVER="${address}" RUNNOW=1`;
    case 'macos':
      return [
        `sudo /Applications/GLPI-Agent/bin/glpi-agent --server '${address}'`,
        keepIn('/Applications/GLPI-Agent/etc/conf.d', address),
        'sudo launchctl kickstart -k system/com.teclib.glpi-agent',
      ].join(' && ');
    case 'linux':
      return [
        `sudo glpi-agent --server '${address}'`,
        keepIn('/etc/glpi-agent/conf.d', address),
        // The RPM package installs its service disabled.
        'sudo systemctl enable glpi-agent',
        'sudo systemctl restart glpi-agent',
      ].join(' && ');
  }
}

function keepIn(folder: string, address: string): string {
  return `echo 'server = ${address}' | sudo tee ${folder}/fleetsift.cfg >/dev/null`;
}

export function likelySystem(userAgent: string): AgentSystem {
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'macos';
  return /Linux|BSD|CrOS/.test(userAgent) ? 'linux' : 'windows';
}
