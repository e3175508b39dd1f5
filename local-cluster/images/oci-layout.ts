import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { runCommand } from '../host/run-command.ts'

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface OciLayout {
  /** Bytes of the layers, config and manifest: what a registry stores and a node pulls. */
  readonly bytes: number
}

/**
 * Writes an image as an OCI layout with layers of zstd: a fifth smaller than gzip, which is what
 * `docker push` and `buildah push` make of them. containerd reads such layers since 1.5, CRI-O since
 * 1.20, Docker since 23; registries store them as any blob.
 * @param archive docker-archive with uncompressed layers
 * @param level of zstd, 1 to 19: above that a node needs more than 8 MB of memory to read a layer
 */
export async function writeOciLayout(
  { archive, folder, tag }: { archive: string; folder: string; tag: string },
  level = 19,
): Promise<OciLayout> {
  const blobs = path.join(folder, 'blobs/sha256')
  await mkdir(blobs, { recursive: true })
  const unpacked = await mkdtemp(path.join(folder, 'unpacked-'))
  try {
    await runCommand('tar', ['-xf', archive, '-C', unpacked])
    const read = (name: string): Promise<Buffer> => readFile(path.join(unpacked, name))
    const [source] = JSON.parse((await read('manifest.json')).toString()) as [
      { Config: string; Layers: string[] },
    ]
    const config = await writeBlob(blobs, types.config, await read(source.Config))
    const layers: Descriptor[] = []
    for (const layer of source.Layers) {
      layers.push(await compress(path.join(unpacked, layer), blobs, level))
    }
    const text = JSON.stringify({ schemaVersion: 2, mediaType: types.manifest, config, layers })
    const manifest = await writeBlob(blobs, types.manifest, Buffer.from(text))
    const annotations = { 'org.opencontainers.image.ref.name': tag }
    const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] }
    await writeFile(path.join(folder, 'index.json'), JSON.stringify(index))
    await writeFile(path.join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
    return { bytes: [manifest, config, ...layers].reduce((sum, { size }) => sum + size, 0) }
  } finally {
    await rm(unpacked, { recursive: true })
  }
}

const types = {
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+zstd',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
}

async function writeBlob(blobs: string, mediaType: string, bytes: Buffer): Promise<Descriptor> {
  const hex = createHash('sha256').update(bytes).digest('hex')
  await writeFile(path.join(blobs, hex), bytes)
  return { mediaType, digest: `sha256:${hex}`, size: bytes.length }
}

async function compress(layer: string, blobs: string, level: number): Promise<Descriptor> {
  const compressed = `${layer}.zst`
  // One thread: with ZSTD_c_nbWorkers the stream of Node.js 24 pushes after its end where input is large.
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: 1,
  }
  const hash = createHash('sha256')
  await pipeline(
    createReadStream(layer),
    createZstdCompress({ params }),
    async function* hashed(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(compressed),
  )
  const hex = hash.digest('hex')
  const { size } = await stat(compressed)
  await rename(compressed, path.join(blobs, hex))
  return { mediaType: types.layer, digest: `sha256:${hex}`, size }
}
