import type { ObjectStoreOptions } from './object-store.ts'
import type { Settings } from '../runtime/settings.ts'

/** Environment of every server that uses the storage. */
export const storageVariables = {
  CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: {
    type: 'string',
    description: "Base of the outputs' storage_url: a CDN, or the storage's endpoint and bucket.",
  },
  CLOUD_FFMPEG_STORAGE_ENDPOINT: {
    type: 'string',
    optional: true,
    description: "S3 endpoint as pods reach it; AWS's own if unset.",
  },
  CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT: {
    type: 'string',
    optional: true,
    description:
      'S3 endpoint as users reach it, the same if unset; signs URLs of private files and of upload parts.',
  },
  CLOUD_FFMPEG_STORAGE_BUCKET: { type: 'string', description: 'The bucket of all files.' },
  CLOUD_FFMPEG_STORAGE_REGION: {
    type: 'string',
    default: 'us-east-1',
    description: 'Region of the bucket.',
  },
  CLOUD_FFMPEG_STORAGE_PATH_STYLE: {
    type: 'boolean',
    default: true,
    description: 'Put the bucket into the path instead of the host name.',
  },
  CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: {
    type: 'string',
    description: 'Credential that may read, write and delete in the bucket.',
  },
  CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: { type: 'string', description: 'Its secret.' },
} as const

export function objectStoreOptions(
  settings: Settings<typeof storageVariables>,
): ObjectStoreOptions {
  return {
    bucket: settings.CLOUD_FFMPEG_STORAGE_BUCKET,
    region: settings.CLOUD_FFMPEG_STORAGE_REGION,
    endpoint: settings.CLOUD_FFMPEG_STORAGE_ENDPOINT ?? null,
    publicEndpoint: settings.CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT ?? null,
    pathStyle: settings.CLOUD_FFMPEG_STORAGE_PATH_STYLE,
    credentials: {
      accessKeyId: settings.CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID,
      secretAccessKey: settings.CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY,
    },
  }
}
