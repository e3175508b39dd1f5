import { copyFile, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { filesBelow } from './job-folder.ts'
import { mediaDifferences } from './media-differences.ts'
import { probeBoth } from './plain-shell.ts'

export interface FolderComparison {
  readonly differences: readonly string[]
  readonly identical: number
  readonly alike: number
}

/**
 * Compares the working folders of two jobs, file by file. Files with the same bytes are the same;
 * media that encoders wrote with another number of threads have to be alike.
 * `playlists`: folders that a playlist has to itself in the service.
 */
export async function folderDifferences(
  { root, plain, service }: { readonly root: string; plain: string; service: string },
  { playlists, lengthsVary }: { readonly playlists: readonly string[]; lengthsVary: boolean },
): Promise<FolderComparison> {
  const ours = new Map<string, string>()
  for (const name of await filesBelow(path.join(service, 'work'))) {
    const own = playlists.find((folder) => name.startsWith(`${folder}/`))
    ours.set(own === undefined ? name : name.slice(own.length + 1), name)
  }
  const theirs = await filesBelow(path.join(plain, 'work'))
  const differences = [
    ...theirs.filter((name) => !ours.has(name)).map((name) => `${name} is missing here`),
    ...[...ours.keys()]
      .filter((name) => !theirs.includes(name))
      .map((name) => `${name} is not written by plain FFmpeg`),
  ]
  let identical = 0
  const unlike: { name: string; file: string; bytes: [Buffer, Buffer] }[] = []
  for (const name of theirs) {
    const file = ours.get(name)
    if (file === undefined) continue
    const bytes: [Buffer, Buffer] = [
      await readFile(path.join(plain, 'work', name)),
      await readFile(path.join(service, 'work', file)),
    ]
    if (bytes[0].equals(bytes[1])) identical += 1
    else unlike.push({ name, file, bytes })
  }
  const media = unlike.filter(({ name, bytes }) => {
    if (isPassLog.test(name)) return false
    if (!isText.test(name)) return true
    const [one, other] = bytes.map((each) => steadyText(each.toString()))
    if (one !== other)
      differences.push(`${name} says\n${String(other)}\ninstead of\n${String(one)}`)
    return false
  })
  const links = await linkedPlainly(plain, media)
  const answers = await probeBoth(links, { root, plain, service })
  for (const [index, { name, bytes }] of media.entries()) {
    const answer = answers[index] ?? { plain: '', service: '' }
    const found = mediaDifferences(answer.plain, answer.service, lengthsVary)
    for (const difference of found ?? unread(name)) differences.push(`${name}: ${difference}`)
    const [one, other] = [bytes[0].length, bytes[1].length]
    if (!lengthsVary && Math.abs(one - other) > 0.15 * one + 4096) {
      differences.push(`${name}: ${String(one)} bytes in plain FFmpeg, ${String(other)} here`)
    }
  }
  return { differences, identical, alike: unlike.length }
}

/** Names as the service has them, since probing reads the same name in both jobs. */
async function linkedPlainly(
  plain: string,
  files: readonly { name: string; file: string }[],
): Promise<string[]> {
  for (const { name, file } of files) {
    if (name === file) continue
    const target = path.join(plain, 'work', file)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(path.join(plain, 'work', name), target)
  }
  return files.map(({ file }) => file)
}

/** A fragment cannot be played without its beginning; its size is compared. */
function unread(name: string): string[] {
  return name.endsWith('.m4s') ? [] : ['other bytes']
}

/** Statistics of encoders, where the number of threads is written down. */
const isPassLog = /(?:-\d+\.log|2pass\.log|\.mbtree|\.cutree)$/
const isText =
  /\.(?:txt|log|json|csv|srt|vtt|ass|xml|md5|framemd5|framecrc|crc|ffmeta|m3u8|mpd|ffconcat)$/

/** Bandwidths and ranges follow from the bytes of segments, dates from the hour. */
function steadyText(text: string): string {
  return text
    .replaceAll(/(BANDWIDTH=|bandwidth="|BYTERANGE[:=]"?)[\d@]+/g, '$1N')
    .replaceAll(/(DATE-TIME:)\S+/g, '$1N')
}
