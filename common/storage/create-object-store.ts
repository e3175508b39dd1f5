import { Readable } from 'node:stream'
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { ListedObject, ObjectStoreOptions, S3, StoredObject } from './object-store.ts'
import { asking, clientFor, unquoted } from './client.ts'
import { deleteObjects, deletePrefix } from './delete-objects.ts'
import { multipartUploads } from './multipart-uploads.ts'
import { presignedUrls } from './presigned-urls.ts'
import { withPrefix } from './with-prefix.ts'
import { storedHeaders } from './stored-headers.ts'

/** The bucket of a real S3 server, or what lies below the prefix in it. */
export function createObjectStore(options: ObjectStoreOptions): S3 {
  const { prefix = '' } = options
  const store = wholeBucket(options)
  return prefix === '' ? store : withPrefix(store, prefix)
}

function wholeBucket(options: ObjectStoreOptions): S3 {
  const { bucket: Bucket, prefix = '' } = options
  const clients = clientsFor(options)
  const { internal } = clients
  const head = async (key: string) => {
    const answer = await asking(
      () => internal.send(new HeadObjectCommand({ Bucket, Key: key })),
      ['NotFound', 'NoSuchKey'],
    )
    if (answer === null) return null
    return { sizeBytes: answer.ContentLength ?? 0, etag: unquoted(answer.ETag) }
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
  const deleting = { client: internal, Bucket, isBulk: options.bulkDelete ?? true }

  return {
    ...presignedUrls(clients, { bucket: Bucket, region: options.region, prefix }),
    ...multipartUploads({ client: internal, Bucket, head, prefix }),

    async putBytes({ bytes, ...object }) {
      const headers = storedHeaders(object, prefix)
      const command = new PutObjectCommand({ Bucket, Key: object.key, ...headers, Body: bytes })
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

/** One client where users reach the store at the same address and by the same credentials as we. */
function clientsFor(options: ObjectStoreOptions) {
  const { endpoint, publicEndpoint, credentials, presignCredentials = credentials } = options
  const internal = clientFor(options, endpoint)
  if (publicEndpoint === null && presignCredentials === credentials) {
    return { internal, public: internal }
  }
  return { internal, public: clientFor(options, publicEndpoint ?? endpoint, presignCredentials) }
}
