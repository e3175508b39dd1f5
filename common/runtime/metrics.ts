import { Registry, collectDefaultMetrics, Counter, Gauge, Histogram } from 'prom-client'

export const metricsPrefix = 'cloudffmpeg_'

/** One registry per process, passed in: a global one would be shared by the tests of two processes. */
export function createRegistry(settings: { component: string; version: string }): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ component: settings.component })
  collectDefaultMetrics({ register: registry })
  leaveOutGaugesNamedLikeCounters(registry)
  gauge(registry, 'build_info', 'Version of the program, as a label.', ['version'])
    .labels(settings.version)
    .set(1)
  return registry
}

/**
 * Prometheus takes what ends in `_total` for a counter, of which only the rate means anything. The same
 * figures are there by type, e.g. `nodejs_active_handles`.
 */
function leaveOutGaugesNamedLikeCounters(registry: Registry): void {
  for (const metric of registry.getMetricsAsArray()) {
    if (metric.name.endsWith('_total') && metric instanceof Gauge) {
      registry.removeSingleMetric(metric.name)
    }
  }
}

/**
 * Label values come from closed lists only (state, verb, code, ...): one label per command or URL
 * would end the Prometheus server that scrapes us.
 */
export function counter<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> {
  return new Counter({ name: metricsPrefix + name, help, labelNames, registers: [registry] })
}

/**
 * Prometheus sees no increase in a series that begins with a count, so an alert would miss the first burst.
 * @param series all that can be counted
 */
export function beginAtZero<L extends string>(
  counted: Counter<L>,
  series: readonly Readonly<Record<L, string>>[],
): void {
  for (const labels of series) counted.inc(labels, 0)
}

export function gauge<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Gauge<L> {
  return new Gauge({ name: metricsPrefix + name, help, labelNames, registers: [registry] })
}

/** @param buckets upper bounds in seconds */
export function histogram<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[] = [],
  buckets: readonly number[] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
  ],
): Histogram<L> {
  return new Histogram({
    name: metricsPrefix + name,
    help,
    labelNames,
    buckets: [...buckets],
    registers: [registry],
  })
}
