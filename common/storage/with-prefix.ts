import type { S3 } from './object-store.ts'

/**
 * A store whose keys all begin with a prefix, of which callers know nothing: two installations share a bucket.
 * @param prefix ends in a slash
 */
export function withPrefix(store: S3, prefix: string): S3 {
  const inner = <T extends { readonly key: string }>(object: T): T => ({
    ...object,
    key: prefix + object.key,
  })
  const outer = (key: string) => key.slice(prefix.length)
  return {
    presignGet: (options) => store.presignGet(inner(options)),
    presignGets: (keys, expiresSeconds) =>
      store.presignGets(
        keys.map((key) => prefix + key),
        expiresSeconds,
      ),
    presignPuts: (objects, expiresSeconds) => store.presignPuts(objects.map(inner), expiresSeconds),
    presignPart: (part) => store.presignPart(inner(part)),
    presignParts: (parts) => store.presignParts(inner(parts)),
    createMultipart: (object) => store.createMultipart(inner(object)),
    completeMultipart: (upload) => store.completeMultipart(inner(upload)),
    abortMultipart: (key, uploadId) => store.abortMultipart(prefix + key, uploadId),
    abortMultiparts: (below) => store.abortMultiparts(prefix + below),
    abortMultipartsOf: (key) => store.abortMultipartsOf(prefix + key),
    listParts: (key, uploadId) => store.listParts(prefix + key, uploadId),
    putBytes: (object) => store.putBytes(inner(object)),
    readBytes: (object) => store.readBytes(inner(object)),
    readRange: (range) => store.readRange(inner(range)),
    head: (key) => store.head(prefix + key),
    async deleteObjects(keys) {
      const refused = await store.deleteObjects(keys.map((key) => prefix + key))
      return new Map([...refused].map(([key, error]) => [outer(key), error]))
    },
    deletePrefix: (below) => store.deletePrefix(prefix + below),
    async *pages(below) {
      for await (const page of store.pages(prefix + below)) {
        yield page.map((object) => ({ ...object, key: outer(object.key) }))
      }
    },
    async list(below) {
      const found = await store.list(prefix + below)
      return new Map([...found].map(([key, object]) => [outer(key), object]))
    },
    close: () => store.close(),
  }
}
