import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { runPlainly } from '../../corpus/plain-shell.ts'

/** An attack as a customer would send it. */
export interface AttackSubmission {
  readonly name: string
  readonly command: string
  /** Content by name: unpacked into the working folder, or `in_1`, `in_2`, … in this order. */
  readonly files: Readonly<Record<string, string>>
  /** `zip`: bare names are allowed, in and out; `files`: by placeholders alone. */
  readonly form: 'zip' | 'files'
}

/** Addresses that a pod must not reach for a command. */
export interface AttackAddresses {
  /** Host and port of a listener that counts its visitors. */
  readonly listener: string
  /** The service's own: API, storage. */
  readonly own: readonly string[]
}

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
