import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BegunUpload, UploadJournal } from '../upload/journal.ts'

/**
 * The state of an upload on disk: first the session, then a line per stored part. Lines are only
 * appended; a kill can truncate only the last one, whose part is then uploaded again. The URLs are
 * credentials, so the file has mode 0600.
 */
export function uploadJournal(file: string): UploadJournal {
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch(() => '')
      return parse(text)
    },
    async begin(facts, session) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(file, `${JSON.stringify({ file: facts, session })}\n`, { mode: 0o600 })
    },
    stored: (part, etag) => appendFile(file, `${JSON.stringify({ part, etag })}\n`),
    remove: () => rm(file, { force: true }),
  }
}

function parse(text: string): BegunUpload | null {
  const [head, ...parts] = text.split('\n').map(parsedLine)
  if (typeof head !== 'object' || head === null || !('session' in head)) return null
  const { file, session } = head as Pick<BegunUpload, 'file' | 'session'>
  const etags = new Map<number, string>()
  for (const line of parts) {
    if (typeof line !== 'object' || line === null || !('part' in line) || !('etag' in line))
      continue
    etags.set(Number(line.part), String(line.etag))
  }
  return { file, session, etags }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that a killed process did not complete.
    return null
  }
}
