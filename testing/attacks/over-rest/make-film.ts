import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { runPlainly } from '../../corpus/plain-shell.ts'

/** A second of picture and sound. */
export async function makeFilm(root: string, job: string): Promise<Buffer> {
  const work = path.join(job, 'work')
  await mkdir(work, { recursive: true })
  const { code, log } = await runPlainly(
    ['-f lavfi -i testsrc2=s=64x48:d=1 -f lavfi -i sine=d=1 -c:v mpeg4 -c:a aac in.mp4'],
    { root, job },
  )
  if (code !== 0) throw new Error(`the film could not be made: ${log.slice(-500)}`)
  return readFile(path.join(work, 'in.mp4'))
}
