import path from 'node:path'
import { InvalidSettings } from '../settings/settings.ts'
import { secretFile } from '../settings/secret-file.ts'
import type { AccessKey, Credentials, ObjectStoreOptions } from './object-store.ts'
import type { Settings } from '../settings/settings.ts'

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
  CLOUD_FFMPEG_STORAGE_PREFIX: {
    type: 'string',
    default: '',
    pattern: '^([A-Za-z0-9._-]+/)*$',
    description:
      'In front of the keys of all objects, with a slash at its end; part of the public base.',
  },
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
  CLOUD_FFMPEG_STORAGE_BULK_DELETE: {
    type: 'boolean',
    default: true,
    description:
      'Delete up to 1,000 objects by one request (DeleteObjects); off where the storage has no such call.',
  },
  CLOUD_FFMPEG_STORAGE_CREDENTIALS: {
    type: 'string',
    enum: ['static', 'default'],
    default: 'static',
    description:
      'static: the access key below; default: what the SDK of AWS finds, such as the identity of the pod.',
  },
  CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: {
    type: 'string',
    optional: true,
    description: 'Credential that may read, write and delete in the bucket.',
  },
  CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: {
    type: 'string',
    optional: true,
    description: 'Its secret.',
  },
  CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER: {
    type: 'string',
    optional: true,
    description:
      'Folder whose files accessKeyId and secretAccessKey hold both, read for each request.',
  },
  CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER: {
    type: 'string',
    optional: true,
    description:
      'The same of a key that signs the URLs of users in place of the other credentials.',
  },
} as const

export function objectStoreOptions(
  settings: Settings<typeof storageVariables>,
): ObjectStoreOptions {
  const presign = settings.CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER
  return {
    bucket: settings.CLOUD_FFMPEG_STORAGE_BUCKET,
    prefix: settings.CLOUD_FFMPEG_STORAGE_PREFIX,
    region: settings.CLOUD_FFMPEG_STORAGE_REGION,
    endpoint: settings.CLOUD_FFMPEG_STORAGE_ENDPOINT ?? null,
    publicEndpoint: settings.CLOUD_FFMPEG_STORAGE_PUBLIC_ENDPOINT ?? null,
    pathStyle: settings.CLOUD_FFMPEG_STORAGE_PATH_STYLE,
    bulkDelete: settings.CLOUD_FFMPEG_STORAGE_BULK_DELETE,
    credentials: credentialsOf(settings),
    ...(presign === undefined ? {} : { presignCredentials: keyIn(presign) }),
  }
}

function credentialsOf(settings: Settings<typeof storageVariables>): Credentials | null {
  if (settings.CLOUD_FFMPEG_STORAGE_CREDENTIALS === 'default') return null
  const folder = settings.CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER
  if (folder !== undefined) return keyIn(folder)
  const accessKeyId = settings.CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID
  const secretAccessKey = settings.CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey }
  }
  throw new InvalidSettings([
    'CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: it and its secret are not set; or name CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER',
  ])
}

/** Past: the SDK requests the key again before each request. */
const always = new Date(0)

/** @throws InvalidSettings if the folder has no key */
function keyIn(folder: string): () => Promise<AccessKey> {
  const [id, secret] = ['accessKeyId', 'secretAccessKey'].map((name) =>
    secretFile(path.join(folder, name)),
  ) as [() => string, () => string]
  const read = () => {
    // The kubelet replaces both files at once; between the two reads, too.
    for (;;) {
      const accessKeyId = id()
      const secretAccessKey = secret()
      if (id() === accessKeyId) return { accessKeyId, secretAccessKey, expiration: always }
    }
  }
  try {
    read()
  } catch (error) {
    throw new InvalidSettings([`the access key of the storage: ${String(error)}`])
  }
  return () => Promise.resolve(read())
}
