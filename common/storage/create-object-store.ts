import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type {
  ListedObject,
  NewObject,
  ObjectStore,
  ObjectStoreOptions,
  S3,
  StoredObject,
} from './object-store.ts'
import { asking, clientFor } from './client.ts'
import { completeMultipart } from './complete-multipart.ts'
import { deleteObjects, deletePrefix } from './delete-objects.ts'
import { createPresigner } from './presigner.ts'
import { withPrefix } from './with-prefix.ts'
import { encodedKey } from './sign-like.ts'
import { headersOf, storedHeaders } from './stored-headers.ts'

/** The bucket of a real S3 server, or what lies below the prefix in it. */
export function createObjectStore(options: ObjectStoreOptions): S3 {
  const { prefix = '' } = options
  const store = wholeBucket(options)
  return prefix === '' ? store : withPrefix(store, prefix)
}

function wholeBucket(options: ObjectStoreOptions): S3 {
  const { bucket: Bucket, prefix = '' } = options
  const internal = clientFor(options, options.endpoint)
  const { publicEndpoint, presignCredentials = options.credentials } = options
  const isSame = publicEndpoint === null && presignCredentials === options.credentials
  const clients = {
    internal,
    public: isSame
      ? internal
      : clientFor(options, publicEndpoint ?? options.endpoint, presignCredentials),
  }
  const presigners = {
    internal: createPresigner(clients.internal, options.region),
    public: createPresigner(clients.public, options.region),
  }
  const head = async (key: string) => {
    const answer = await asking(
      () => internal.send(new HeadObjectCommand({ Bucket, Key: key })),
      ['NotFound', 'NoSuchKey'],
    )
    if (answer === null) return null
    return { sizeBytes: answer.ContentLength ?? 0, etag: unquoted(answer.ETag) }
  }
  const abortMultipart = async (key: string, uploadId: string) => {
    const command = new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId })
    await asking(() => internal.send(command), ['NoSuchUpload', 'NoSuchKey', 'NotFound'])
  }
  const abortListed = async (prefix: string, isMeant: (key: string) => boolean) => {
    for (;;) {
      // Always the first page: what was on it is gone by the next round. The shortest key is the first.
      const list = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix })
      const page = await asking(() => internal.send(list))
      const uploads = (page?.Uploads ?? []).filter(({ Key = '' }) => isMeant(Key))
      for (const { Key = '', UploadId = '' } of uploads) await abortMultipart(Key, UploadId)
      if (uploads.length === 0) return
    }
  }
  async function* pages(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    let after: string | undefined
    do {
      const list = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: after })
      const page = await asking(() => internal.send(list))
      yield (page?.Contents ?? []).map(({ Key = '', ETag, Size = 0 }) => ({
        key: Key,
        sizeBytes: Size,
        etag: unquoted(ETag),
      }))
      after = page?.NextContinuationToken
    } while (after !== undefined)
  }
  const inputOf = (object: NewObject) => ({
    Bucket,
    Key: object.key,
    ...storedHeaders(object, prefix),
  })
  const deleting = { client: internal, Bucket, isBulk: options.bulkDelete ?? true }
  const partToSign = ({ key, uploadId, partNumber, sizeBytes, expiresSeconds }: PartToSign) => {
    const part = { Bucket, Key: key, UploadId: uploadId, PartNumber: partNumber }
    const length = sizeBytes === null ? {} : { ContentLength: sizeBytes }
    const headers = sizeBytes === null ? ['host'] : ['content-length', 'host']
    return [new UploadPartCommand({ ...part, ...length }), expiresSeconds, headers] as const
  }

  return {
    presignGet({ key, expiresSeconds, endpoint, saveAs }) {
      const saved =
        saveAs === undefined ? {} : { ResponseContentDisposition: attachmentNamed(saveAs) }
      const command = new GetObjectCommand({ Bucket, Key: key, ...saved })
      return presigners[endpoint].url(command, expiresSeconds)
    },

    async presignPuts(objects, expiresSeconds) {
      const command = new PutObjectCommand({ Bucket, Key: 'x', ContentLength: 0 })
      const { url, sign } = await presigners.internal.like(command, expiresSeconds)
      const folder = new URL(url).pathname.slice(0, -1)
      return objects.map(({ sizeBytes, ...object }) => {
        const { key } = object
        const headers = headersOf(storedHeaders(object, prefix))
        const signed = { ...headers, 'content-length': String(sizeBytes) }
        return { url: sign({ pathname: folder + encodedKey(key), headers: signed }), headers }
      })
    },

    presignPart: (part) => presigners.internal.url(...partToSign(part)),

    async presignParts({ first, count, partBytes, sizeBytes, ...upload }) {
      const bytesOf = (part: number) => Math.min(partBytes, sizeBytes - (part - 1) * partBytes)
      const one = { ...upload, partNumber: first, sizeBytes: bytesOf(first) }
      const { sign } = await presigners.public.like(...partToSign(one))
      return Array.from({ length: count }, (_, index) => {
        const part = first + index
        return sign({
          parameter: { name: 'partNumber', value: String(part) },
          headers: { 'content-length': String(bytesOf(part)) },
        })
      })
    },

    async createMultipart(object) {
      const command = new CreateMultipartUploadCommand(inputOf(object))
      const answer = await asking(() => internal.send(command))
      if (answer?.UploadId === undefined) throw new Error('no UploadId in the answer')
      return answer.UploadId
    },

    completeMultipart: (upload) => completeMultipart({ client: internal, Bucket, head }, upload),

    abortMultipart,

    abortMultiparts: (prefix) => abortListed(prefix, () => true),
    abortMultipartsOf: (key) => abortListed(key, (other) => other === key),

    async listParts(Key, UploadId) {
      const parts = new Map<number, StoredObject>()
      let after: string | undefined
      do {
        const list = new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: after })
        const page = await asking(() => internal.send(list), ['NoSuchUpload', 'NoSuchKey'])
        if (page === null) return null
        for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? []) {
          parts.set(PartNumber, { etag: unquoted(ETag), sizeBytes: Size })
        }
        after = page.IsTruncated === true ? page.NextPartNumberMarker : undefined
      } while (after !== undefined)
      return parts
    },

    async putBytes({ bytes, ...object }) {
      const command = new PutObjectCommand({ ...inputOf(object), Body: bytes })
      await asking(() => internal.send(command))
    },

    async readBytes({ key: Key, maxBytes }) {
      const command = new GetObjectCommand({ Bucket, Key })
      const answer = await asking(() => internal.send(command), ['NoSuchKey', 'NotFound'])
      if (answer === null) return null
      const { Body, ContentLength = 0 } = answer
      if (Body === undefined) throw new Error(`no body in the answer for ${Key}`)
      if (ContentLength > maxBytes) {
        if (Body instanceof Readable) Body.destroy()
        throw new Error(`${Key} has ${ContentLength} bytes, at most ${maxBytes} are read`)
      }
      return asking(() => Body.transformToByteArray())
    },

    async readRange({ key: Key, start, end }) {
      const command = new GetObjectCommand({ Bucket, Key, Range: `bytes=${start}-${end - 1}` })
      const answer = await asking(() => internal.send(command))
      if (!(answer?.Body instanceof Readable)) throw new Error(`no body in the answer for ${Key}`)
      return answer.Body
    },

    head,
    deleteObjects: (keys) => deleteObjects(deleting, keys),
    deletePrefix: (prefix) => deletePrefix(deleting, prefix),

    async list(prefix) {
      const objects = new Map<string, StoredObject>()
      for await (const page of pages(prefix)) {
        for (const { key, ...object } of page) objects.set(key, object)
      }
      return objects
    },
    pages,

    close() {
      clients.internal.destroy()
      clients.public.destroy()
    },
  }
}

type PartToSign = Parameters<ObjectStore['presignPart']>[0]

function unquoted(etag = ''): string {
  return etag.replaceAll('"', '')
}

/** Content-Disposition by RFC 6266: programs that do not know `filename*` take the ASCII name. */
function attachmentNamed(name: string): string {
  const plain = name.replaceAll(/[^\w.() -]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
