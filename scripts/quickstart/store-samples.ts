import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { storedType } from '../../common/domain/stored-type.ts'
import { createObjectStore } from '../../common/storage/create-object-store.ts'
import { makeRecipeSamples } from '../../e2e/stories/recipes/recipe-samples.ts'
import type { ImagePrograms } from '../../images/image-programs.ts'
import type { Say } from '../../local-cluster/host/progress.ts'
import type { S3 } from '../../local-cluster/servers/s3.ts'
import { exists } from '../../local-cluster/tools/cached.ts'

interface Options {
  readonly programs: ImagePrograms
  /** Folder of the samples, which an earlier run may have made. */
  readonly folder: string
  readonly say: Say
}

/** Makes the files of docs/recipes.md. */
export async function makeSamples({ programs, folder, say }: Options): Promise<void> {
  if (await exists(folder)) return
  say('making the samples of docs/recipes.md (usually 5 s)')
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  await makeRecipeSamples(partial, programs)
  await rename(partial, folder)
}

interface Storing {
  readonly s3: S3
  /** Folder whose files are stored. */
  readonly folder: string
}

const bucket = 'samples'

/**
 * Puts the samples below one address, since a list names clips beside itself. The bucket is one of their own, since in
 * that of the service a command reads files of its account alone.
 * @returns their URL without a name
 */
export async function storeSamples({ s3, folder }: Storing): Promise<string> {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3
  const credentials = { accessKeyId, secretAccessKey }
  const options = { bucket, endpoint, region, publicEndpoint: null, pathStyle: true, credentials }
  await s3.createBucket(bucket, { publicPrefix: '' })
  const store = createObjectStore(options)
  try {
    const names = await readdir(folder)
    const storing = names.map(async (name) => {
      const bytes = await readFile(path.join(folder, name))
      await store.putBytes({ key: name, bytes, ...storedType(name) })
    })
    await Promise.all(storing)
  } finally {
    store.close()
  }
  return `${endpoint}/${bucket}`
}
