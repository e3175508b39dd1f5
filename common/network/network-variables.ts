import { shape } from '../settings/settings.ts'

const texts = { type: 'array', items: { type: 'string' }, shape: shape<string[]>() } as const

/** Which addresses URLs of customers may name: of inputs by the operator, of webhooks by the API server. */
export const networkVariables = {
  CLOUD_FFMPEG_ALLOW_CIDRS: {
    ...texts,
    default: [],
    description: 'Private ranges that URLs may lead to, RANGE or RANGE:PORT, a JSON array.',
  },
  CLOUD_FFMPEG_DENY_CIDRS: {
    ...texts,
    default: [],
    description:
      'Further ranges that they may not lead to, e.g. of pods and Services, a JSON array.',
  },
  CLOUD_FFMPEG_DENY_ENDPOINTS: {
    ...texts,
    default: [],
    description: 'host:port of our own services, which they never reach, a JSON array.',
  },
  CLOUD_FFMPEG_READ_KUBERNETES_API: {
    type: 'boolean',
    default: false,
    description:
      "Deny the addresses of the Kubernetes API's servers as well, which are read in namespace default.",
  },
} as const
