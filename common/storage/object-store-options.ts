import path from 'node:path'
import type { Environment } from '../settings/environment.ts'
import { InvalidSettings } from '../settings/settings.ts'
import { secretFile } from '../settings/secret-file.ts'
import type { AccessKey, Credentials, ObjectStoreOptions } from './object-store.ts'
import type { SharedSettings } from '../settings/settings.ts'

type StorageSettings = Pick<SharedSettings, 'storage' | 'environment'>

export function objectStoreOptions({ storage, environment }: StorageSettings): ObjectStoreOptions {
  const presign = environment.CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER
  return {
    bucket: storage.bucket,
    prefix: storage.prefix,
    region: storage.region,
    endpoint: storage.endpoint || null,
    publicEndpoint: storage.publicEndpoint || null,
    pathStyle: storage.pathStyle,
    bulkDelete: storage.bulkDelete,
    credentials: storage.credentials.mode === 'default' ? null : credentialsIn(environment),
    ...(presign ? { presignCredentials: keyIn(presign) } : {}),
  }
}

function credentialsIn(environment: Environment): Credentials {
  const folder = environment.CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER
  if (folder) return keyIn(folder)
  const accessKeyId = environment.CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID
  const secretAccessKey = environment.CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey }
  throw new InvalidSettings([
    'CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER must name a folder with the access key; it is not set, nor CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID and its secret',
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
