/**
 * Which half of the bucket: `public/` is readable without authentication, `private/` only by
 * presigned URL.
 */
export type Visibility = 'public' | 'private'

export interface OutputKey {
  readonly visibility: Visibility
  readonly accountId: string
  readonly commandId: string
  /** UID of the pod that wrote it: two attempts can never overwrite each other's objects. */
  readonly attempt: string
  /** Path below the attempt, ending in the output's declared name. */
  readonly path: string
}

export function outputKey(key: OutputKey): string {
  return `${attemptPrefix(key)}${key.path}`
}

/** Ends in a slash. Everything an attempt ever wrote lies below it, so losing it is one sweep. */
export function attemptPrefix(key: Omit<OutputKey, 'path'>): string {
  return `${key.visibility}/${key.accountId}/${key.commandId}/${key.attempt}/`
}

/**
 * Key of a command's log. It lies outside the attempts' prefixes: the log is kept as long as its
 * record, independent of the outputs.
 */
export function logKey({
  accountId,
  commandId,
}: Pick<OutputKey, 'accountId' | 'commandId'>): string {
  return `private/${accountId}/logs/${commandId}.txt`
}

/**
 * Key of a result object: what a lost SUCCESS is recorded from again. Outside the attempts' prefixes:
 * the sweep of an attempt looks here first.
 */
export function resultKey({
  accountId,
  commandId,
  attempt,
}: Pick<OutputKey, 'accountId' | 'commandId' | 'attempt'>): string {
  return `${resultsPrefix(accountId)}${commandId}.${attempt}.json`
}

/** Ends in a slash. All result objects of an account lie below it. */
export function resultsPrefix(accountId: string): string {
  return `private/${accountId}/results/`
}

export interface FileKey {
  readonly visibility: Visibility
  readonly accountId: string
  readonly fileId: string
}

/** Key of a file that a client uploads. The name in it is safe in every URL and header. */
export function uploadKey(key: FileKey & { readonly name: string }): string {
  return `${filePrefix(key)}${key.name.replace(/[^A-Za-z0-9._-]/gu, '_')}`
}

/** Ends in a slash. All objects of a file that is not an output of a command lie below it. */
export function filePrefix({ visibility, accountId, fileId }: FileKey): string {
  return `${visibility}/${accountId}/${fileId}/`
}

/** Each ends in a slash. All objects of an account lie below them. */
export function accountPrefixes(accountId: string): string[] {
  return [`public/${accountId}/`, `private/${accountId}/`]
}

/** `base` is the public base URL, a CDN or the endpoint with the bucket. */
export function storageUrl(base: string, key: string): string {
  return `${base.replace(/\/+$/, '')}/${key.split('/').map(encodeURIComponent).join('/')}`
}
