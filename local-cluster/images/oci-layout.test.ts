import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect } from 'chai'
import { runCommand } from '../host/run-command.ts'
import { writeOciLayout } from './oci-layout.ts'

describe('an OCI layout', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'layout-'))
  })

  afterEach(() => rm(folder, { recursive: true }))

  const digestOf = (bytes: Buffer): string =>
    `sha256:${createHash('sha256').update(bytes).digest('hex')}`

  it('holds the layers of a docker-archive, compressed, under their digests', async () => {
    // The second one is as large as those that a stream gets in many chunks.
    const layers = [10_000, 4_000_000].map((times) => Buffer.from('layer'.repeat(times)))
    const config = { architecture: 'amd64', rootfs: { diff_ids: layers.map(digestOf) } }
    const archive = await dockerArchive(config, layers)
    const target = path.join(folder, 'layout')
    const { bytes } = await writeOciLayout({ archive, folder: target, tag: '1.2.3' }, 3)
    const blob = async ({ digest }: { digest: string }): Promise<Buffer> => {
      const found = await readFile(path.join(target, 'blobs', digest.replace(':', '/')))
      expect(digestOf(found)).to.equal(digest)
      return found
    }
    const index = JSON.parse(await readFile(path.join(target, 'index.json'), 'utf8')) as Index
    const [entry] = index.manifests
    if (entry === undefined) throw new Error('the index is empty')
    expect(entry.annotations['org.opencontainers.image.ref.name']).to.equal('1.2.3')
    const manifest = JSON.parse(String(await blob(entry))) as Manifest
    expect(JSON.parse(String(await blob(manifest.config)))).to.deep.equal(config)
    const found = await Promise.all(
      manifest.layers.map(async (layer) => {
        expect(layer.mediaType).to.equal('application/vnd.oci.image.layer.v1.tar+zstd')
        const compressed = await blob(layer)
        expect(layer.size).to.equal(compressed.length)
        return digestOf(zstdDecompressSync(compressed))
      }),
    )
    expect(found).to.deep.equal(config.rootfs.diff_ids)
    const sizes = await Promise.all(
      [entry, manifest.config, ...manifest.layers].map(async (each) => (await blob(each)).length),
    )
    expect(bytes).to.equal(sizes.reduce((sum, size) => sum + size, 0))
    const { size } = await stat(archive)
    expect(bytes).to.be.lessThan(size)
  })

  async function dockerArchive(config: object, layers: readonly Buffer[]): Promise<string> {
    const source = path.join(folder, 'source')
    await mkdir(source)
    await writeFile(path.join(source, 'config.json'), JSON.stringify(config))
    const names = layers.map((_, index) => `${index}.tar`)
    const manifest = [{ Config: 'config.json', RepoTags: ['a.example/b:1.2.3'], Layers: names }]
    await writeFile(path.join(source, 'manifest.json'), JSON.stringify(manifest))
    for (const [index, layer] of layers.entries()) {
      await writeFile(path.join(source, `${index}.tar`), layer)
    }
    const archive = path.join(folder, 'image.tar')
    await runCommand('tar', ['-cf', archive, '-C', source, '.'])
    return archive
  }
})

interface Blob {
  readonly digest: string
  readonly mediaType: string
  readonly size: number
}

interface Index {
  readonly manifests: (Blob & { readonly annotations: Record<string, string> })[]
}

interface Manifest {
  readonly config: Blob
  readonly layers: Blob[]
}
