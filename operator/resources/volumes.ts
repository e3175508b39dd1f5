import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node'
import { gatewayAudience } from '../../common/domain/resource-names.ts'
import type { RunnerSettings } from './runner-settings.ts'

export const tokenFile = '/var/run/secrets/cloud-ffmpeg/token'
export const gatewayCaFile = '/var/run/secrets/cloud-ffmpeg-gateway/ca.crt'
const tokenSeconds = 3600

/** One working disk per pod. What FFmpeg may write holds neither the token nor the socket. */
export function volumesFor(settings: RunnerSettings): V1Volume[] {
  const scratch = `${settings.scratchMbytes}Mi`
  return [
    { name: 'inputs', emptyDir: { sizeLimit: scratch } },
    { name: 'work', emptyDir: { sizeLimit: scratch } },
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
        ],
      },
    },
    ...(settings.gatewayCaConfigMap === null
      ? []
      : [{ name: 'gateway-ca', configMap: { name: settings.gatewayCaConfigMap } }]),
  ]
}

export function transferMounts(settings: RunnerSettings): V1VolumeMount[] {
  return [
    { name: 'inputs', mountPath: '/job/in' },
    { name: 'work', mountPath: '/job/work' },
    { name: 'link', mountPath: '/link' },
    { name: 'gateway-token', mountPath: dirname(tokenFile), readOnly: true },
    ...(settings.gatewayCaConfigMap === null
      ? []
      : [{ name: 'gateway-ca', mountPath: dirname(gatewayCaFile), readOnly: true }]),
  ]
}

/** No token, and inputs that a step cannot change for later steps. */
export const ffmpegMounts: V1VolumeMount[] = [
  { name: 'inputs', mountPath: '/job/in', readOnly: true },
  { name: 'work', mountPath: '/job/work' },
  { name: 'tmp', mountPath: '/job/tmp' },
  { name: 'link', mountPath: '/link' },
]

function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
