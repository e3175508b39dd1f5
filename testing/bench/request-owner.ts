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
