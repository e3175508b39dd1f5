import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { InvalidSettings } from '../settings/settings.ts'
import { createObjectStore } from './create-object-store.ts'
import { objectStoreOptions } from './object-store-options.ts'

describe('objectStoreOptions', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'storage-key-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Replaces the files as the kubelet does for a Secret: a link to another folder. */
  async function project(accessKeyId: string): Promise<void> {
    const data = await mkdtemp(path.join(folder, 'data-'))
    await writeFile(path.join(data, 'accessKeyId'), accessKeyId)
    await writeFile(path.join(data, 'secretAccessKey'), `secret of ${accessKeyId}\n`)
    await symlink(data, path.join(folder, 'next'))
    await rename(path.join(folder, 'next'), path.join(folder, 'now'))
  }

  const optionsOf = (
    environment: Readonly<Record<string, string>>,
    mode: 'static' | 'default' = 'static',
  ) => {
    const storage = {
      endpoint: 'https://s3.example',
      publicEndpoint: '',
      publicBaseUrl: 'https://cdn.example',
      bucket: 'media',
      prefix: '',
      region: 'us-east-1',
      pathStyle: true,
      bulkDelete: true,
      credentials: { mode },
    }
    return objectStoreOptions({ storage, environment })
  }
  const signerOf = async (
    store: ReturnType<typeof createObjectStore>,
    endpoint: 'internal' | 'public',
  ) => {
    const url = await store.presignGet({ key: 'a', expiresSeconds: 60, endpoint })
    return new URL(url).searchParams.get('X-Amz-Credential')?.split('/')[0]
  }

  it('signs with the key that the folder holds now', async () => {
    await project('first')
    const own = path.join(folder, 'now')
    const store = createObjectStore(optionsOf({ CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER: own }))
    expect(await signerOf(store, 'internal')).to.equal('first')
    await project('second')
    expect(await signerOf(store, 'internal')).to.equal('second')
    expect(await signerOf(store, 'public')).to.equal('second')
    store.close()
  })

  it('signs the URLs of users with a key of their own where there is one', async () => {
    await project('long-lived')
    const store = createObjectStore(
      optionsOf({
        CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'own',
        CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'secret',
        CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER: path.join(folder, 'now'),
      }),
    )
    expect(await signerOf(store, 'internal')).to.equal('own')
    expect(await signerOf(store, 'public')).to.equal('long-lived')
    store.close()
  })

  it('leaves the credentials to the SDK with default', () => {
    expect(optionsOf({}, 'default').credentials).to.equal(null)
  })

  it('throws InvalidSettings without a key, and with a folder that has none', async () => {
    expect(() => optionsOf({})).to.throw(InvalidSettings, /CREDENTIALS_FOLDER/)
    await mkdir(path.join(folder, 'empty'))
    const empty = { CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER: path.join(folder, 'empty') }
    expect(() => optionsOf(empty)).to.throw(InvalidSettings, /accessKeyId/)
  })
})
