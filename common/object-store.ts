import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

/**
 * The bucket. Bytes never pass through here: runners and users get URLs that are good for one key,
 * one method and a while. All methods reject with `ObjectStoreUnavailable` where trying again later
 * may help.
 */
export interface ObjectStore {
  /** A URL that reads `key`; `public` signs for the address that users reach. */
  presignGet(options: {
    readonly key: string
    readonly expiresSeconds: number
    readonly endpoint: 'internal' | 'public'
  }): Promise<string>
  /** The PUT must carry exactly these headers, and as many bytes as announced. */
  presignPut(
    object: NewObject & { readonly sizeBytes: number; readonly expiresSeconds: number },
  ): Promise<{ url: string; headers: Record<string, string> }>
  presignPart(part: {
    readonly key: string
    readonly uploadId: string
    readonly partNumber: number
    readonly expiresSeconds: number
  }): Promise<string>
  /** @returns the upload's id; the object's type is fixed here, not by its parts */
  createMultipart(object: NewObject): Promise<string>
  /** Safe to repeat. */
  completeMultipart(upload: CompletedUpload): Promise<Completion>
  /** Safe to repeat. */
  abortMultipart(key: string, uploadId: string): Promise<void>
  /** Aborts every unfinished multipart upload below `prefix`, also those that nobody recorded. */
  abortMultiparts(prefix: string): Promise<void>
  head(key: string): Promise<{ sizeBytes: number } | null>
  /** Deletes page by page, so that a folder of any size is swept. @returns how many objects went */
  deletePrefix(prefix: string): Promise<number>
}

export interface NewObject {
  readonly key: string
  readonly contentType: string
  /** Browsers save it instead of showing it. */
  readonly attachment: boolean
}

export interface CompletedUpload {
  readonly key: string
  readonly uploadId: string
  readonly sizeBytes: number
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[]
}

export type Completion =
  /** The object exists with this size. */
  | { readonly kind: 'completed' }
  /** Parts are missing or differ, or the object has another size. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface ObjectStoreOptions {
  readonly bucket: string
  readonly region: string
  /** How pods and our own processes reach the store. */
  readonly endpoint: string | null
  /** How users reach it: the host is part of a signature. null = the same. */
  readonly publicEndpoint: string | null
  readonly pathStyle: boolean
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The object store cannot be asked now. */
export class ObjectStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the object store is unavailable', { cause })
    this.name = 'ObjectStoreUnavailable'
  }
}

export function createObjectStore(options: ObjectStoreOptions): ObjectStore & { close(): void } {
  const { bucket: Bucket } = options
  const internal = clientFor(options, options.endpoint)
  const clients = {
    internal,
    public: options.publicEndpoint === null ? internal : clientFor(options, options.publicEndpoint),
  }
  const head = async (key: string) => {
    const answer = await asking(
      () => internal.send(new HeadObjectCommand({ Bucket, Key: key })),
      ['NotFound', 'NoSuchKey'],
    )
    return answer === null ? null : { sizeBytes: answer.ContentLength ?? 0 }
  }
  const abortMultipart = async (key: string, uploadId: string) => {
    const command = new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId })
    await asking(() => internal.send(command), ['NoSuchUpload', 'NoSuchKey', 'NotFound'])
  }

  return {
    presignGet: ({ key, expiresSeconds, endpoint }) =>
      getSignedUrl(clients[endpoint], new GetObjectCommand({ Bucket, Key: key }), {
        expiresIn: expiresSeconds,
      }),

    async presignPut({ sizeBytes, expiresSeconds, ...object }) {
      const headers = headersOf(object)
      const command = new PutObjectCommand({
        ...inputOf(Bucket, object),
        ContentLength: sizeBytes,
      })
      const url = await getSignedUrl(internal, command, {
        expiresIn: expiresSeconds,
        // Left to itself the presigner does not sign the type, and an upload could choose its own.
        signableHeaders: new Set([...Object.keys(headers), 'content-length', 'host']),
      })
      return { url, headers }
    },

    presignPart: ({ key, uploadId, partNumber, expiresSeconds }) =>
      getSignedUrl(
        internal,
        new UploadPartCommand({ Bucket, Key: key, UploadId: uploadId, PartNumber: partNumber }),
        { expiresIn: expiresSeconds },
      ),

    async createMultipart(object) {
      const command = new CreateMultipartUploadCommand(inputOf(Bucket, object))
      const answer = await asking(() => internal.send(command))
      if (answer?.UploadId === undefined) throw new Error('no UploadId in the answer')
      return answer.UploadId
    },

    async completeMultipart({ key, uploadId, sizeBytes, parts }) {
      const command = new CompleteMultipartUploadCommand({
        Bucket,
        Key: key,
        UploadId: uploadId,
        MultipartUpload: {
          Parts: parts
            .toSorted((a, b) => a.partNumber - b.partNumber)
            .map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag })),
        },
      })
      // The answer may be an error inside a 200, or get lost after the object was made; only the
      // object tells. A repeated call finds no upload any more, but the object.
      const error: unknown = await internal.send(command).then(
        () => null,
        (reason: unknown) => reason,
      )
      const stored = await head(key)
      if (stored?.sizeBytes === sizeBytes) return { kind: 'completed' }
      if (stored !== null) {
        return { kind: 'refused', reason: `stored ${stored.sizeBytes} of ${sizeBytes} bytes` }
      }
      if (error instanceof S3ServiceException && !isTransient(error)) {
        return { kind: 'refused', reason: error.name }
      }
      throw new ObjectStoreUnavailable(error)
    },

    abortMultipart,

    async abortMultiparts(prefix) {
      for (;;) {
        // Always the first page: what was on it is gone by the next round.
        const list = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })
        const page = await asking(() => internal.send(list))
        const uploads = page?.Uploads ?? []
        for (const { Key = '', UploadId = '' } of uploads) await abortMultipart(Key, UploadId)
        if (uploads.length === 0) return
      }
    },

    head,

    async deletePrefix(prefix) {
      // An empty prefix is the whole bucket; no caller means that.
      if (!prefix.endsWith('/')) throw new TypeError(`'${prefix}' does not end in a slash`)
      let deleted = 0
      for (;;) {
        // Always the first page: what was on it is gone by the next round.
        const list = new ListObjectsV2Command({ Bucket, Prefix: prefix })
        const page = await asking(() => internal.send(list))
        const keys = (page?.Contents ?? []).flatMap(({ Key }) => Key ?? [])
        if (keys.length === 0) return deleted
        const Objects = keys.map((Key) => ({ Key }))
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })
        const answer = await asking(() => internal.send(command))
        const failed = answer?.Errors?.[0]
        if (failed !== undefined) {
          throw new ObjectStoreUnavailable(new Error(`${failed.Key}: ${failed.Code}`))
        }
        deleted += keys.length
      }
    },

    close() {
      clients.internal.destroy()
      clients.public.destroy()
    },
  }
}

function clientFor(options: ObjectStoreOptions, endpoint: string | null): S3Client {
  return new S3Client({
    region: options.region,
    credentials: options.credentials,
    forcePathStyle: options.pathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    // By default a presigned PUT demands the CRC32 of the empty body that it was signed with.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 15_000 },
  })
}

function inputOf(Bucket: string, { key, contentType, attachment }: NewObject) {
  return {
    Bucket,
    Key: key,
    ContentType: contentType,
    ...(attachment ? { ContentDisposition: 'attachment' } : {}),
  }
}

function headersOf({ contentType, attachment }: NewObject): Record<string, string> {
  return {
    'content-type': contentType,
    ...(attachment ? { 'content-disposition': 'attachment' } : {}),
  }
}

/** @param absent error names that mean "it is not there", answered with null */
async function asking<T>(
  send: () => Promise<T>,
  absent: readonly string[] = [],
): Promise<T | null> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof S3ServiceException && absent.includes(error.name)) return null
    throw isTransient(error) ? new ObjectStoreUnavailable(error) : error
  }
}

/** No answer at all, or one that says that the store, not the request, is at fault. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true
  const status = error.$metadata.httpStatusCode ?? 0
  return status >= 500 || status === 429 || status === 408 || error.name === 'SlowDown'
}
