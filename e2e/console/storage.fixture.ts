import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { listenAt } from '../../testing/support/http-server.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import { runnerRoot } from '../../images/build-runner.ts'
import { plainPng } from './png.fixture.ts'

/** A storage of another origin than the page. */
export interface TestStorage {
  readonly url: string
  /** Content of objects; every other object is a picture of 4 by 3 pixels. */
  readonly objects: Map<string, Uint8Array>
  /** Whether scripts of other origins may read it. */
  allowsPages: boolean
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.mp4': 'video/mp4',
  '.m4s': 'video/mp4',
  '.ts': 'video/mp2t',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
}

export async function startStorage(): Promise<TestStorage> {
  const objects = new Map<string, Uint8Array>()
  const storage = { objects, allowsPages: false }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage')
    const key = decodeURIComponent(pathname.slice(1))
    const bytes = objects.get(key) ?? plainPng(4, 3)
    const type = objects.has(key) ? types[path.extname(key)] : 'image/png'
    const cors = storage.allowsPages ? { 'Access-Control-Allow-Origin': '*' } : {}
    const disposition = searchParams.get('response-content-disposition')
    const saved = disposition === null ? {} : { 'Content-Disposition': disposition }
    const length = { 'Content-Length': bytes.length }
    response.writeHead(200, { 'Content-Type': type, ...length, ...cors, ...saved })
    response.end(bytes)
  })
  const { url, close } = await listenAt('127.0.0.1', server)
  return Object.assign(storage, { url, close })
}

/**
 * Runs FFmpeg of the runner image.
 * @param output name of a file, which is written to an empty folder
 * @returns all files of that folder by their names
 */
export async function filesByFFmpeg(
  args: readonly string[],
  output: string,
): Promise<Map<string, Uint8Array>> {
  const say = (line: string) => console.log(`  ${line}`)
  const root = await runnerRoot({ settings: clusterSettings(process.env), say })
  const folder = `/tmp/${randomUUID()}`
  await mkdir(path.join(root, folder))
  try {
    const command = [root, '/usr/bin/ffmpeg', '-v', 'error', ...args, `${folder}/${output}`]
    await runCommand('chroot', command)
    const names = await readdir(path.join(root, folder))
    const files = names.map(
      async (name) => [name, await readFile(path.join(root, folder, name))] as const,
    )
    return new Map(await Promise.all(files))
  } finally {
    await rm(path.join(root, folder), { recursive: true, force: true })
  }
}
