/** Requests by `VERB resource.group/subresource`, e.g. `PATCH ffmpegcommands.cloudffmpeg.dev/status`. */
export type RequestCounts = ReadonlyMap<string, number>

/**
 * Reads `apiserver_request_total` out of kube-apiserver's metrics (Prometheus text format), all
 * answers together: a refused request cost one too. Lists and watches are left out, because they
 * come with time and not with commands.
 */
export function requestCounts(metrics: string): RequestCounts {
  const counts = new Map<string, number>()
  for (const [, labelText = '', value = ''] of metrics.matchAll(
    /^apiserver_request_total\{(.*)\} (\S+)$/gm,
  )) {
    const { verb = '', resource = '', group = '', subresource = '' } = labelsOf(labelText)
    if (notCounted.has(verb) || resource === '') continue
    const place = `${resource}${group && `.${group}`}${subresource && `/${subresource}`}`
    const key = `${verb} ${place}`
    counts.set(key, (counts.get(key) ?? 0) + Number(value))
  }
  return counts
}

const notCounted = new Set(['LIST', 'WATCH', 'WATCHLIST', 'CONNECT'])

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}

/** What was counted between the two. */
export function requestsBetween(before: RequestCounts, after: RequestCounts): RequestCounts {
  const differences = [...after].map(
    ([key, count]) => [key, count - (before.get(key) ?? 0)] as const,
  )
  return new Map(differences.filter(([, count]) => count > 0))
}

/**
 * Who makes a request while a command runs: this service, its and Kubernetes' Events, or Kubernetes
 * for the sake of the command's Job. Null for what happens without commands too (Leases, node status).
 * kube-apiserver's metrics carry no user agent, so the owner follows from verb and resource: of the
 * operator's verbs none is used by Kubernetes' own controllers on the same resource.
 */
export function requestOwner(request: string): 'ours' | 'events' | 'kubernetes' | null {
  if (ours.has(request)) return 'ours'
  const [, place = ''] = request.split(' ')
  if (/^events(\.|$)/.test(place)) return 'events'
  return /^(pods|jobs\.batch|ffmpegcommands\.cloudffmpeg\.dev)(\/|$)/.test(place) ||
    place === 'serviceaccounts/token'
    ? 'kubernetes'
    : null
}

const ours = new Set([
  'POST ffmpegcommands.cloudffmpeg.dev',
  'PATCH ffmpegcommands.cloudffmpeg.dev',
  'PATCH ffmpegcommands.cloudffmpeg.dev/status',
  'DELETE ffmpegcommands.cloudffmpeg.dev',
  'POST jobs.batch',
  'PATCH jobs.batch',
])
