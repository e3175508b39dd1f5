import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { writeZip } from '../../../e2e/steps/zip.ts'
import { makeSamples } from '../samples.ts'

/** The samples of the corpus below `folder`, and the archive among them as `samples.zip`. */
export async function prepareSamples(root: string, folder: string): Promise<string> {
  await mkdir(path.join(folder, 'in'), { recursive: true })
  const samples = await makeSamples(root, folder)
  const archived = path.join(samples, 'zip')
  const names = await readdir(archived)
  await writeZip(
    path.join(samples, 'samples.zip'),
    Object.fromEntries(names.map((name) => [name, path.join(archived, name)])),
  )
  return samples
}
