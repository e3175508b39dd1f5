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
    /** Name under which browsers save the object in place of showing it; absent: as it is stored. */
    readonly saveAs?: string
    readonly endpoint: 'internal' | 'public'
  }): Promise<string>
  /** URLs that read the keys, in their order, for the address that users reach; 0.03 ms each, all in one turn. */
  presignGets(keys: readonly string[], expiresSeconds: number): Promise<string[]>
  /**
   * One URL for each object, in their order. The PUT must carry exactly these headers, and as many
   * bytes as announced.
   */
  presignPuts(
    objects: readonly (NewObject & { readonly sizeBytes: number })[],
    expiresSeconds: number,
  ): Promise<SignedPut[]>
  /** The PUT must carry as many bytes as announced; null: any number. */
  presignPart(part: {
    readonly key: string
    readonly uploadId: string
    readonly partNumber: number
    readonly sizeBytes: number | null
    readonly expiresSeconds: number
  }): Promise<string>
  /** @returns the upload's id; the object's type is fixed here, not by its parts */
  createMultipart(object: NewObject): Promise<string>
  /** Safe to repeat. */
  completeMultipart(upload: CompletedUpload): Promise<Completion>
  /** Safe to repeat. */
  abortMultipart(key: string, uploadId: string): Promise<void>
  /** Aborts every unfinished multipart upload below `prefix`, unrecorded ones included. */
  abortMultiparts(prefix: string): Promise<void>
  /** Aborts every unfinished multipart upload to exactly this key, unrecorded ones included. */
  abortMultipartsOf(key: string): Promise<void>
  head(key: string): Promise<StoredObject | null>
  /** All objects whose key begins with `prefix`, by their key. */
  list(prefix: string): Promise<Map<string, StoredObject>>
  /**
   * Deletes page by page, so that a folder of any size is swept.
   * @returns how many objects went
   * @throws the reason of the first object that the store did not delete, after all others have gone
   */
  deletePrefix(prefix: string): Promise<number>
}

export interface SignedPut {
  readonly url: string
  readonly headers: Record<string, string>
}

/** Calls of the API server for clients that upload by themselves. Signed for their address. */
export interface ClientUploads extends Pick<
  ObjectStore,
  'createMultipart' | 'completeMultipart' | 'abortMultipart' | 'abortMultiparts' | 'head'
> {
  /**
   * URLs for parts `first` to `first + count - 1`, each for `partBytes`, the last one of the file for
   * the rest; about 0.02 ms each, all in one turn.
   */
  presignParts(parts: {
    readonly key: string
    readonly uploadId: string
    readonly first: number
    readonly count: number
    readonly partBytes: number
    readonly sizeBytes: number
    readonly expiresSeconds: number
  }): Promise<string[]>
  /** Stored parts, by their number; null if the upload no longer exists. */
  listParts(key: string, uploadId: string): Promise<Map<number, StoredObject> | null>
}

/** An object, or a part of one. */
export interface StoredObject {
  /** Without quotes. */
  readonly etag: string
  readonly sizeBytes: number
}

/** Objects that our own processes write and read themselves: nothing large. */
export interface SmallObjects {
  /** Replaces what is there. */
  putBytes(object: NewObject & { readonly bytes: Uint8Array }): Promise<void>
  /** The whole object; null if it does not exist. Rejects above `maxBytes`. */
  readBytes(object: { readonly key: string; readonly maxBytes: number }): Promise<Uint8Array | null>
  /** The bytes from `start` to `end`, `end` excluded. Rejects if the object does not exist. */
  readRange(range: {
    readonly key: string
    readonly start: number
    readonly end: number
  }): Promise<AsyncIterable<Uint8Array>>
}

/** Reads of a bucket of any size. */
export interface ObjectListing extends Pick<ObjectStore, 'head'> {
  /** All objects whose key begins with `prefix`, up to 1,000 at a time, by ascending key. */
  pages(prefix: string): AsyncIterable<readonly ListedObject[]>
}

export interface ListedObject extends StoredObject {
  readonly key: string
}

/** Calls of the sweep of files. */
export interface ObjectRemoval extends Pick<ObjectStore, 'abortMultiparts' | 'deletePrefix'> {
  /**
   * At most 1,000 keys; those that are gone already count as deleted.
   * @returns the keys whose objects still exist, with the reason of each
   */
  deleteObjects(keys: readonly string[]): Promise<ReadonlyMap<string, Error>>
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
  | { readonly kind: 'completed'; readonly etag: string }
  /** Parts are missing or differ, or the object has another size. */
  | { readonly kind: 'refused'; readonly reason: string }

/** All of it. */
export interface S3 extends ObjectStore, ClientUploads, ObjectListing, ObjectRemoval, SmallObjects {
  close(): void
}

export interface ObjectStoreOptions {
  readonly bucket: string
  /** Prefix of all keys; empty, or ends in a slash. */
  readonly prefix?: string
  readonly region: string
  /** How pods and our own processes reach the store. */
  readonly endpoint: string | null
  /** How users reach it: the host is part of a signature. null = the same. */
  readonly publicEndpoint: string | null
  readonly pathStyle: boolean
  /** Delete many objects by one request; default: true. */
  readonly bulkDelete?: boolean
  /** null: what the SDK finds, such as the identity of the pod. */
  readonly credentials: Credentials | null
  /** Signs URLs for users in place of `credentials`, whose sessions may end before the URLs do. */
  readonly presignCredentials?: Credentials
}

/** A key, or a function that is called for each request. */
export type Credentials = AccessKey | (() => Promise<AccessKey>)

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** When it has to be asked for again; a time in the past: for each request. */
  readonly expiration?: Date
}

/** The object store is unavailable now. */
export class ObjectStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the object store is unavailable', { cause })
    this.name = 'ObjectStoreUnavailable'
  }
}
