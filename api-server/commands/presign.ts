import type { Presign } from './file-urls.ts'

export interface StorageAccess {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly pathStyle: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/**
 * Signs GETs of private outputs. The SDK is loaded with the first one: it is half of what this
 * process would read at start, and most installations store nothing in private.
 * @param access `null`: presigning is not configured
 */
export function createPresign(access: StorageAccess | null): Presign {
  let loaded: Promise<Presign> | undefined
  return async (key, seconds) => {
    if (access === null) throw new Error('no storage credential to sign private URLs with')
    loaded ??= load(access)
    return (await loaded)(key, seconds)
  }
}

async function load(access: StorageAccess): Promise<Presign> {
  const [{ GetObjectCommand, S3Client }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const { endpoint, bucket, region, pathStyle, accessKeyId, secretAccessKey } = access
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
  })
  return (key, seconds) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
      expiresIn: seconds,
    })
}
