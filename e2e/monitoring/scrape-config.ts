/** A ServiceMonitor or PodMonitor as the API server stores it; the fields that the chart sets. */
export interface Monitor {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly spec: {
    readonly namespaceSelector: { readonly matchNames: readonly string[] }
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly endpoints?: readonly Endpoint[]
    readonly podMetricsEndpoints?: readonly Endpoint[]
  }
}

interface Endpoint {
  readonly port: string
  readonly path: string
  readonly interval: string
  readonly scrapeTimeout: string
}

/**
 * The scrape configurations that the Prometheus Operator makes of a monitor: the same targets, and the labels namespace, job,
 * instance, pod, container and endpoint (its documents, "Design", and the generator's defaults).
 * @param discovery URL of the service that finds the targets, see `discovery.ts`
 */
export function scrapeConfigs(monitor: Monitor, discovery: string): object[] {
  const isService = monitor.kind === 'ServiceMonitor'
  const { endpoints = [], podMetricsEndpoints = [], namespaceSelector, selector } = monitor.spec
  const namespaces = namespaceSelector.matchNames.map((name) => RegExp.escape(name))
  const object = isService ? 'service' : 'pod'
  const port = isService
    ? '__meta_kubernetes_endpointslice_port_name'
    : '__meta_kubernetes_pod_container_port_name'
  const job = `${monitor.metadata.namespace}/${monitor.metadata.name}`
  return [...endpoints, ...podMetricsEndpoints].map((endpoint) => ({
    job_name: `${object}/${job}`,
    metrics_path: endpoint.path,
    scrape_interval: endpoint.interval,
    scrape_timeout: endpoint.scrapeTimeout,
    http_sd_configs: [
      { url: `${discovery}/${isService ? 'endpointslice' : 'pod'}`, refresh_interval: '1s' },
    ],
    relabel_configs: [
      {
        action: 'keep',
        source_labels: ['__meta_kubernetes_namespace'],
        regex: namespaces.join('|'),
      },
      ...Object.entries(selector.matchLabels).map(([label, value]) => ({
        action: 'keep',
        source_labels: [`__meta_kubernetes_${object}_label_${label.replaceAll(/[^\w]/g, '_')}`],
        regex: value.replaceAll('.', String.raw`\.`),
      })),
      { action: 'keep', source_labels: [port], regex: endpoint.port },
      ...[
        ['namespace', '__meta_kubernetes_namespace'],
        ['pod', '__meta_kubernetes_pod_name'],
        ['container', '__meta_kubernetes_pod_container_name'],
        ...(isService ? [['service', '__meta_kubernetes_service_name']] : []),
        ...(isService ? [['job', '__meta_kubernetes_service_name']] : []),
      ].map(([target_label, source]) => ({ target_label, source_labels: [source] })),
      ...(isService ? [] : [{ target_label: 'job', replacement: job }]),
      { target_label: 'endpoint', replacement: endpoint.port },
    ],
  }))
}
