import { pauseImageName } from '../../local-cluster/images/pause-image.ts'

/** An extended resource that the story gives the node. */
export const device = 'example.com/story-card'
export const toleration = { key: 'example.com/large', operator: 'Exists', effect: 'NoSchedule' }
export const arch = process.arch === 'arm64' ? 'arm64' : 'amd64'
const otherArch = arch === 'arm64' ? 'amd64' : 'arm64'
const small = { resources: { requests: { cpu: '50m', memory: '64Mi' } } }

/** A release with a profile of each kind, whose servers find their storage credentials in a file. */
export const profileValues = {
  plans: {
    small: { profile: 'large' },
    patient: { profile: 'device', scratchMbytes: 500 },
    unlimited: { profile: 'spot' },
  },
  storage: {
    accessKeyId: '',
    secretAccessKey: '',
    credentials: { mode: 'default' },
  },
  apiServer: { ...small, ...fromFile() },
  operator: {
    ...small,
    ...fromFile(),
    keepFinishedSeconds: 3_600,
    keepFinished: 500,
    appliedAccounts: ['default', 'small', 'patient'],
  },
  runner: {
    profiles: {
      large: {
        memoryPerVcpuMbytes: 1_536,
        scratchMbytes: 2_048,
        tolerations: [toleration],
        arch: [arch],
        nodeSelector: { 'kubernetes.io/os': 'linux' },
      },
      device: { extraResources: { [device]: 1 }, scratchMbytes: 700 },
      elsewhere: { arch: [otherArch] },
      spot: { spot: { fallback: 'large' } },
    },
    prePull: { enabled: true, pauseImage: pauseImageName },
  },
}

/** A Secret with the file of the SDK of AWS, as a sidecar or a driver of secrets may write it. */
export function credentialsOf(s3: { accessKeyId: string; secretAccessKey: string }): object {
  const credentials = `[default]\naws_access_key_id=${s3.accessKeyId}\naws_secret_access_key=${s3.secretAccessKey}\n`
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'my-credentials' },
    stringData: { credentials },
  }
}

function fromFile(): object {
  return {
    extraEnv: [{ name: 'AWS_SHARED_CREDENTIALS_FILE', value: '/etc/aws/credentials' }],
    extraVolumes: [{ name: 'aws', secret: { secretName: 'my-credentials' } }],
    extraVolumeMounts: [{ name: 'aws', mountPath: '/etc/aws', readOnly: true }],
  }
}
