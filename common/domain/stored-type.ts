import { mediaTypes } from './media-types.ts'

export interface StoredType {
  readonly contentType: string
  /**
   * Sent with `Content-Disposition: attachment`: a browser would run an HTML, SVG or script file
   * under the origin of the storage.
   */
  readonly attachment: boolean
}

/** By the extension alone, in any case: the type of an upload is fixed before anything is probed. */
export function storedType(fileName: string): StoredType {
  const mediaType = mediaTypeOf(fileName)
  if (mediaType === null) return { contentType: unknownType, attachment: true }
  // Browsers read a text without it in the code page of the user's language: UTF-8 becomes `Ã¼`.
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : ''
  return { contentType: mediaType + charset, attachment: false }
}

/** As in the record of a file: without parameters. @returns null for an unknown extension */
export function mediaTypeOf(fileName: string): string | null {
  return mediaTypes.get(extensionOf(fileName)) ?? null
}

export const unknownType = 'application/octet-stream'

/** Lower-case, without the dot; empty if there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase()
}
