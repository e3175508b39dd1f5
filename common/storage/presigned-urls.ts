import { GetObjectCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ObjectStore, S3 } from './object-store.ts'
import { createPresigner } from './presigner.ts'
import { encodedKey } from './sign-like.ts'
import { headersOf, storedHeaders } from './stored-headers.ts'

/** @param clients by the address that their URLs have */
export function presignedUrls(
  clients: Readonly<Record<'internal' | 'public', S3Client>>,
  { bucket: Bucket, region, prefix }: { bucket: string; region: string; prefix: string },
): Pick<S3, 'presignGet' | 'presignGets' | 'presignPuts' | 'presignPart' | 'presignParts'> {
  const presigners = {
    internal: createPresigner(clients.internal, region),
    public: createPresigner(clients.public, region),
  }
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

    async presignGets(keys, expiresSeconds) {
      const command = new GetObjectCommand({ Bucket, Key: 'x' })
      const { url, sign } = await presigners.public.like(command, expiresSeconds, ['host'])
      const folder = new URL(url).pathname.slice(0, -1)
      return keys.map((key) =>
        sign({ method: 'GET', pathname: folder + encodedKey(key), headers: {} }),
      )
    },

    async presignPuts(objects, expiresSeconds) {
      const command = new PutObjectCommand({ Bucket, Key: 'x', ContentLength: 0 })
      const { url, sign } = await presigners.internal.like(command, expiresSeconds)
      const folder = new URL(url).pathname.slice(0, -1)
      return objects.map(({ sizeBytes, ...object }) => {
        const { key } = object
        const headers = headersOf(storedHeaders(object, prefix))
        const signed = { ...headers, 'content-length': String(sizeBytes) }
        return {
          url: sign({ method: 'PUT', pathname: folder + encodedKey(key), headers: signed }),
          headers,
        }
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
          method: 'PUT',
          parameter: { name: 'partNumber', value: String(part) },
          headers: { 'content-length': String(bytesOf(part)) },
        })
      })
    },
  }
}

type PartToSign = Parameters<ObjectStore['presignPart']>[0]

/** Content-Disposition by RFC 6266: programs that do not know `filename*` take the ASCII name. */
function attachmentNamed(name: string): string {
  const plain = name.replaceAll(/[^\w.() -]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
