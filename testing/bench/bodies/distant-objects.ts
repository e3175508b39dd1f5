import { randomUUID } from 'node:crypto'

/**
 * Objects whose bytes are read and discarded, and which listings of the bucket include. In production storage is another
 * machine: here the S3 server takes as much of the processors as everything else beside FFmpeg.
 */
export interface DistantObjects {
  /** @returns the ETag to answer with */
  add(path: string, sizeBytes: number): string
  /**
   * @param listing the S3 server's answer to ListObjectsV2
   * @param bucket path of the bucket, with a slash at its end
   */
  listed(listing: string, bucket: string, prefix: string): string
}

export function createDistantObjects(): DistantObjects {
  const objects = new Map<string, { readonly sizeBytes: number; readonly etag: string }>()
  return {
    add(path, sizeBytes) {
      const etag = `"${randomUUID().replaceAll('-', '')}"`
      objects.set(path, { sizeBytes, etag })
      return etag
    },
    listed(listing, bucket, prefix) {
      const contents = [...objects]
        .filter(([path]) => path.startsWith(bucket + prefix))
        .map(([path, { sizeBytes, etag }]) => {
          const key = escaped(path.slice(bucket.length))
          return `<Contents><Key>${key}</Key><ETag>${escaped(etag)}</ETag><Size>${sizeBytes}</Size></Contents>`
        })
      return listing.replace('</ListBucketResult>', `${contents.join('')}</ListBucketResult>`)
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${String(sign.charCodeAt(0))};`)
}
