import type { V1PodSecurityContext, V1SecurityContext } from '@kubernetes/client-node'

const runnerUser = 10001

/** Both satisfy the *restricted* Pod Security Standard. */
export const podSecurityContext: V1PodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: runnerUser,
  runAsGroup: runnerUser,
  fsGroup: runnerUser,
  seccompProfile: { type: 'RuntimeDefault' },
}

export const containerSecurityContext: V1SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}
