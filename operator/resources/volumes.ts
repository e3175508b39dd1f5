import type { V1Volume, V1VolumeMount, V1VolumeProjection } from '@kubernetes/client-node'
import { gatewayAudience } from '../../common/domain/resource-names.ts'
import type { RunnerSettings } from './runner-settings.ts'

export const tokenFile = '/var/run/secrets/cloud-ffmpeg/token'
export const trustFile = '/var/run/secrets/cloud-ffmpeg/trust.crt'
const tokenSeconds = 3600

/** Inputs and outputs share one working disk. What FFmpeg may write holds neither the token nor the socket. */
export function volumesFor(settings: RunnerSettings): V1Volume[] {
  return [
    scratchVolume(settings),
    { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    { name: 'link', emptyDir: { sizeLimit: '1Mi' } },
    {
      name: 'gateway-token',
      projected: {
        // Group-readable: the runner is not root, the kubelet gives the file to the pod's fsGroup.
        defaultMode: 0o440,
        sources: [
          {
            serviceAccountToken: {
              audience: gatewayAudience,
              expirationSeconds: tokenSeconds,
              path: 'token',
            },
          },
          ...trustOf(settings),
        ],
      },
    },
  ]
}

/**
 * Beside the token: a volume of its own would delay each start. Not optional: without it inputs would fail as if their
 * certificates were wrong, while the kubelet names what is missing.
 */
function trustOf({ trustCaConfigMap: name }: RunnerSettings): V1VolumeProjection[] {
  return name === null
    ? []
    : [{ configMap: { name, items: [{ key: 'ca.crt', path: 'trust.crt' }] } }]
}

/** A claim is made with the pod and goes with it: a volume of a Job would outlive an attempt. */
function scratchVolume({ scratchMbytes, scratchClaim }: RunnerSettings): V1Volume {
  const size = `${scratchMbytes}Mi`
  if (scratchClaim === null) return { name: 'scratch', emptyDir: { sizeLimit: size } }
  const { storageClassName } = scratchClaim
  return {
    name: 'scratch',
    ephemeral: {
      volumeClaimTemplate: {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: scratchClaim.size ?? size } },
          ...(storageClassName === null ? {} : { storageClassName }),
        },
      },
    },
  }
}

export const transferMounts: V1VolumeMount[] = [
  { name: 'scratch', subPath: 'in', mountPath: '/job/in' },
  { name: 'scratch', subPath: 'work', mountPath: '/job/work' },
  { name: 'link', mountPath: '/link' },
  { name: 'gateway-token', mountPath: '/var/run/secrets/cloud-ffmpeg', readOnly: true },
]

/** No token, and inputs that a step cannot change for later steps. */
export const ffmpegMounts: V1VolumeMount[] = [
  { name: 'scratch', subPath: 'in', mountPath: '/job/in', readOnly: true },
  { name: 'scratch', subPath: 'work', mountPath: '/job/work' },
  { name: 'tmp', mountPath: '/job/tmp' },
  { name: 'link', mountPath: '/link' },
]
