/** Series by which an alert is tested, in promtool's notation, one sample a minute; `{S}` are the release's labels. */
export interface AlertSeries {
  readonly firing: Readonly<Record<string, string>>
  readonly silent: Readonly<Record<string, string>>
}

const leads = { 'cloudffmpeg_leader{S}': '1x240' }
const gauge = (name: string, firing: number, silent: number, labels = ''): AlertSeries => ({
  firing: { [`${name}{S${labels}}`]: `${firing}x240` },
  silent: { [`${name}{S${labels}}`]: `${silent}x240` },
})
/** A gauge of the leader: the same figure of a process that does not lead is silent, too. */
const ofLeader = (name: string, firing: number, silent: number, labels = ''): AlertSeries => {
  const { firing: above, silent: below } = gauge(name, firing, silent, labels)
  const stale = { [`${name}{F${labels}}`]: `${firing}x240`, 'cloudffmpeg_leader{F}': '0x240' }
  return { firing: { ...above, ...leads }, silent: { ...below, ...leads, ...stale } }
}
const counter = (series: string, firing: string, silent: string): AlertSeries => ({
  firing: { [series]: firing },
  silent: { [series]: silent },
})
const finished = 'cloudffmpeg_commands_finished_total'
const started = 'cloudffmpeg_http_request_seconds_bucket'
const throttled = 'cloudffmpeg_kube_throttle_wait_seconds_bucket'
/** All of a histogram's observations at or below one bound, or above it. */
const buckets = (name: string, labels: string): AlertSeries => {
  const of = (below: string) => ({
    [`${name}{S${labels},le="1"}`]: below,
    [`${name}{S${labels},le="5"}`]: '0+60x240',
    [`${name}{S${labels},le="+Inf"}`]: '0+60x240',
  })
  return { firing: of('0x240'), silent: of('0+60x240') }
}
const share = (part: string, firing: string, silent: string, whole: string): AlertSeries => ({
  firing: { [part]: firing, [whole]: '0+100x240' },
  silent: { [part]: silent, [whole]: '0+100x240' },
})

/** Keys are names of alerts. */
export const alertSeries: Readonly<Record<string, AlertSeries>> = {
  NoLeader: gauge('cloudffmpeg_leader', 0, 1),
  LeaderFlaps: counter('cloudffmpeg_leader_terms_total{S,end="lost"}', '0+1x240', '0x200 1x40'),
  DatabaseDown: gauge('cloudffmpeg_database_up', 0, 1),
  DatabasePoolFull: gauge('cloudffmpeg_database_pool_waiting', 3, 0),
  DatabaseFailover: counter(
    'cloudffmpeg_database_timeline_changes_total{S}',
    '0x235 1x5',
    '0x100 1x140',
  ),
  ApiErrors: share(
    'cloudffmpeg_http_requests_total{S,code="500"}',
    '0+2x240',
    '0x240',
    'cloudffmpeg_http_requests_total{S,code="200"}',
  ),
  ApiSlow: buckets(started, ',route="/v1/run-ffmpeg-command"'),
  ServiceFaults: share(
    `${finished}{S,fault="service"}`,
    '0+2x240',
    '0x240',
    `${finished}{S,fault="none"}`,
  ),
  StartTimeouts: counter(`${finished}{S,error_status="START_TIMEOUT"}`, '0+1x240', '0x238 2x2'),
  RunnersRefused: ofLeader('cloudffmpeg_waiting_commands', 1, 0, ',reason="POLICY"'),
  AttemptsLost: share(
    'cloudffmpeg_attempts_lost_total{S}',
    '0+10x240',
    '0+1x240',
    `${finished}{S,fault="none"}`,
  ),
  StorageErrors: counter(`${finished}{S,error_status="STORAGE_ERROR"}`, '0+1x240', '0x238 3x2'),
  DispatchBroken: gauge('cloudffmpeg_dispatch_breaker_open', 1, 0),
  DispatchStuck: ofLeader('cloudffmpeg_dispatch_error_seconds', 200, 60),
  // The first refusal begins its series.
  PoisonRows: counter('cloudffmpeg_dispatch_refused_total{S,code="422"}', '_x220 1x20', '1x240'),
  OversizedResource: counter('cloudffmpeg_dispatch_oversized_total{S}', '0x200 1x40', '1x240'),
  Orphans: ofLeader('cloudffmpeg_orphans', 1, 0, ',kind="record"'),
  QuotaDifference: ofLeader('cloudffmpeg_quota_differences', 1, 0, ',kind="unused"'),
  QueueWaitsForCapacity: {
    ...ofLeader('cloudffmpeg_waiting_oldest_seconds', 9_000, 900, ',reason="CAPACITY"'),
    silent: {
      'cloudffmpeg_waiting_oldest_seconds{S,reason="ACCOUNT_VCPUS"}': '90000x240',
      ...leads,
    },
  },
  Unrecorded: ofLeader('cloudffmpeg_unrecorded_terminal_age_seconds', 90, 20),
  Unmirrored: ofLeader('cloudffmpeg_unmirrored_age_seconds', 300, 5),
  WatchSilent: gauge('cloudffmpeg_watch_last_contact_seconds', 200, 30, ',kind="Pod"'),
  KubeThrottled: buckets(throttled, ',lane="start"'),
  WarmMisses: share(
    'cloudffmpeg_warm_misses_total{S,reason="empty"}',
    '0+50x240',
    '0+10x240',
    'cloudffmpeg_warm_binds_total{S,result="bound"}',
  ),
  // One burst is a drained node.
  WarmFailures: counter(
    'cloudffmpeg_warm_failures_total{S,reason="quota"}',
    '0x200 1 1 1 1 1 2 2 2 2 2 3 3 3 3 3 4 4 4 4 4 5 5 5 5 5 6 6 6 6 6 7 7 7 7 7 8 8 8 8 8',
    '0x229 4x10',
  ),
  SweepBehind: ofLeader('cloudffmpeg_sweep_oldest_seconds', 30_000, 3_600, ',kind="file"'),
  RetentionBehind: ofLeader('cloudffmpeg_retention_behind_seconds', 200_000, 3_600),
  AccountDeletionLate: ofLeader('cloudffmpeg_account_deletion_age_seconds', 90_000, 3_600),
  WebhooksLate: gauge('cloudffmpeg_webhook_due_seconds', 400, 20),
  EventLoopBlocked: gauge('nodejs_eventloop_lag_p99_seconds', 0.9, 0.02),
  Paused: gauge('cloudffmpeg_paused', 1, 0, ',what="admission"'),
  // The time of a rule test begins at 0.
  CertificateExpires: gauge(
    'cloudffmpeg_gateway_certificate_expiry_timestamp_seconds',
    100_000,
    9e6,
  ),
}
