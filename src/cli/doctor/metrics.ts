// Who may read GET /metrics.
import type { Config } from '../../config/config.ts';
import { isLoopbackHost } from '../../service/checks/address.ts';
import { type Finding, ok, warn } from '../../service/checks/finding.ts';

export function checkMetrics({
  host,
  port,
  metricsToken,
}: Pick<Config, 'host' | 'port' | 'metricsToken'>): Finding {
  if (metricsToken !== null) return ok('metrics', '/metrics asks for METRICS_TOKEN');
  if (isLoopbackHost(host)) return ok('metrics', `/metrics is read on this machine alone (HOST is ${host})`);
  return warn(
    'metrics',
    `Everybody who reaches port ${port} of ${host} can read /metrics. Set METRICS_TOKEN, or let the proxy or firewall before it refuse that path.`,
  );
}
