import type { Panel, Query, Row, Unit } from './model.ts'

/** The dashboard in the order in which one looks at it. */
export const rows: readonly Row[] = [
  {
    title: 'Now',
    panels: [
      stat('Leaders', 'short', 'sum(cloudffmpeg_leader{S})'),
      series('vCPUs', 'short', [
        query(leads('cloudffmpeg_running_vcpus{S}'), 'running'),
        query(leads('cloudffmpeg_capacity_vcpus{S}'), 'capacity'),
      ]),
      series('Waiting commands by reason', 'short', [
        query(leads('cloudffmpeg_waiting_commands{S}', 'reason'), '{{reason}}'),
      ]),
      series('Oldest wait by reason', 's', [
        query(leads('cloudffmpeg_waiting_oldest_seconds{S}', 'reason'), '{{reason}}'),
      ]),
      series('Answers of 5xx', 'percentunit', [
        query(
          '(sum(rate(cloudffmpeg_http_requests_total{S,code=~"5.."}[5m])) or vector(0)) / (sum(rate(cloudffmpeg_http_requests_total{S}[5m])) > 0 or vector(1))',
          '5xx',
        ),
      ]),
      series('Failed commands by fault', 'ops', [
        query(
          orNone(
            'sum by (fault) (rate(cloudffmpeg_commands_finished_total{S,fault!="none"}[5m]))',
            'fault',
          ),
          '{{fault}}',
        ),
      ]),
    ],
  },
  {
    title: 'Stages',
    panels: [
      series('Median of each stage', 's', [query(quantile(0.5, 'stage'), '{{stage}}')], 12),
      series('95 % of each stage', 's', [query(quantile(0.95, 'stage'), '{{stage}}')], 12),
      {
        title: 'Wait in the queue',
        kind: 'heatmap',
        unit: 's',
        queries: [
          query(
            'sum by (le) (increase(cloudffmpeg_stage_seconds_bucket{S,stage="queue"}[5m]))',
            '{{le}}',
          ),
        ],
      },
      series('Ended commands', 'ops', [
        query('sum by (state) (rate(cloudffmpeg_commands_finished_total{S}[5m]))', '{{state}}'),
      ]),
      series('Lost attempts by reason', 'ops', [
        query(
          orNone('sum by (reason) (rate(cloudffmpeg_attempts_lost_total{S}[5m])) > 0', 'reason'),
          '{{reason}}',
        ),
      ]),
    ],
  },
  {
    title: 'Fairness',
    panels: [
      series('Waiting accounts', 'short', [
        query(leads('cloudffmpeg_accounts_waiting{S}'), 'accounts'),
      ]),
      series('Spread of attained service', 's', [
        query(leads('cloudffmpeg_fair_spread_seconds{S}'), 'greatest minus least'),
      ]),
      series('Queues full, by plan', 'ops', [
        query('sum by (plan) (rate(cloudffmpeg_queue_full_total{S}[5m])) or vector(0)', '{{plan}}'),
      ]),
      series('Live Jobs by lane', 'short', [
        query(leads('cloudffmpeg_live_jobs{S}', 'lane'), '{{lane}}'),
      ]),
    ],
  },
  {
    title: 'Warm runners',
    panels: [
      series('Runners without a command, and bound', 'short', [
        query(leads('cloudffmpeg_warm_standbys{S}', 'state'), '{{state}}'),
        query(leads('cloudffmpeg_warm_desired{S}'), 'desired'),
      ]),
      series('Commands with no runner that waited, by why', 'ops', [
        query('sum by (reason) (rate(cloudffmpeg_warm_misses_total{S}[5m]))', '{{reason}}'),
        query('sum(rate(cloudffmpeg_warm_binds_total{S,result="bound"}[5m]))', 'bound'),
      ]),
      series('Failures of waiting runners', 'ops', [
        query(
          orNone('sum by (reason) (rate(cloudffmpeg_warm_failures_total{S}[5m])) > 0', 'reason'),
          '{{reason}}',
        ),
      ]),
      series('From bound to assigned (95 %)', 's', [
        query(
          // NaN without a command that was bound.
          '(histogram_quantile(0.95, sum by (le) (rate(cloudffmpeg_warm_bind_to_assigned_seconds_bucket{S}[5m]))) >= 0) or vector(0)',
          'bound to assigned',
        ),
      ]),
      series('Changes of size', 'ops', [
        query('sum by (result) (rate(cloudffmpeg_warm_resizes_total{S}[5m]))', '{{result}}'),
      ]),
      series('Off, by why', 'short', [
        query(leads('cloudffmpeg_warm_off{S}', 'reason'), '{{reason}}'),
      ]),
    ],
  },
  {
    title: 'Storage and network',
    panels: [
      series('Bytes of runners', 'Bps', [
        query(
          'sum by (direction) (rate(cloudffmpeg_transfer_bytes_total{S}[5m]))',
          '{{direction}}',
        ),
      ]),
      series('Storage errors', 'ops', [
        query(
          'sum(rate(cloudffmpeg_commands_finished_total{S,error_status="STORAGE_ERROR"}[5m])) or vector(0)',
          'STORAGE_ERROR',
        ),
      ]),
      series('Oldest that is not swept', 's', [
        query(leads('cloudffmpeg_sweep_oldest_seconds{S}', 'kind'), '{{kind}}'),
      ]),
      series('Retention behind', 's', [
        query(leads('cloudffmpeg_retention_behind_seconds{S}'), 'visits'),
        query(leads('cloudffmpeg_account_deletion_age_seconds{S}'), 'deletions of accounts'),
      ]),
    ],
  },
  {
    title: 'Webhooks and streams',
    panels: [
      series('Oldest due delivery', 's', [query('max(cloudffmpeg_webhook_due_seconds{S})', 'due')]),
      series('Attempts to deliver', 'ops', [
        query(
          'sum by (result) (rate(cloudffmpeg_webhook_attempts_total{S}[5m])) or vector(0)',
          '{{result}}',
        ),
      ]),
      series('Open streams', 'short', [
        query('sum by (kind) (cloudffmpeg_streams{S})', '{{kind}}'),
      ]),
    ],
  },
  {
    title: 'Machines',
    panels: [
      series('Resident memory', 'bytes', [
        query('process_resident_memory_bytes{S}', '{{component}} {{pod}}'),
      ]),
      series('Lag of the event loop (99 %)', 's', [
        query('nodejs_eventloop_lag_p99_seconds{S}', '{{component}} {{pod}}'),
      ]),
      series('Statements that wait for a connection', 'short', [
        query('cloudffmpeg_database_pool_waiting{S}', '{{component}} {{pod}}'),
      ]),
      series('Statements', 'ops', [
        query(
          'sum by (component) (rate(cloudffmpeg_database_seconds_count{S}[5m]))',
          '{{component}}',
        ),
      ]),
      series('Requests to the Kubernetes API by lane', 'reqps', [
        query(
          'sum by (lane) (rate(cloudffmpeg_kube_throttle_wait_seconds_count{S}[5m]))',
          '{{lane}}',
        ),
      ]),
      series('Wait for the rate limit of the Kubernetes API (99 %)', 's', [
        query(
          'histogram_quantile(0.99, sum by (le, lane) (rate(cloudffmpeg_kube_throttle_wait_seconds_bucket{S}[5m])))',
          '{{lane}}',
        ),
      ]),
      series('Requests of runners at the gateway', 'reqps', [
        query('sum by (code) (rate(cloudffmpeg_gateway_requests_total{S}[5m]))', '{{code}}'),
      ]),
    ],
  },
]

/** The figure of the process that leads: one that led before keeps those of its term. */
function leads(metric: string, by?: string): string {
  const grouped = by === undefined ? 'max' : `max by (${by})`
  return `${grouped} (${metric} and on (instance) cloudffmpeg_leader{S} == 1)`
}

/** A line at 0 that is named none, where a counter has no series, or none above 0 that is shown. */
function orNone(expr: string, label: string): string {
  return `${expr} or label_replace(vector(0), "${label}", "none", "", "")`
}

/** Without the stages that nothing passed in these minutes, whose quantile is NaN. */
function quantile(part: number, by: string): string {
  return `histogram_quantile(${part}, sum by (le, ${by}) (rate(cloudffmpeg_stage_seconds_bucket{S}[5m]))) >= 0`
}

function query(expr: string, legend: string): Query {
  return { expr, legend }
}

function stat(title: string, unit: Unit, expr: string): Panel {
  return { title, kind: 'stat', unit, queries: [query(expr, '')] }
}

function series(title: string, unit: Unit, queries: readonly Query[], width = 8): Panel {
  return { title, kind: 'timeseries', unit, queries, width }
}
