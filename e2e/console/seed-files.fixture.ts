import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { claim } from '../../testing/support/api/outcomes.ts'
import { filesByFFmpeg } from './storage.fixture.ts'
import type { TestApp } from '../../testing/support/api/app.ts'
import type { TestStorage } from './storage.fixture.ts'

interface Seed {
  readonly name: string
  readonly type: string
  readonly mbytes: number
  readonly args?: readonly string[]
}

const lavfi = (source: string) => ['-f', 'lavfi', '-i', source]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

/** Oldest first. */
const seeds: readonly Seed[] = [
  { name: 'episode.mp3', type: 'audio', mbytes: 3.4, args: lavfi('sine=d=2') },
  { name: 'chapters.srt', type: 'subtitles', mbytes: 0.02 },
  { name: 'frames.zip', type: 'zip', mbytes: 41.7 },
  { name: 'film.m3u8', type: 'output_manifest', mbytes: 22.1 },
  {
    name: 'poster.png',
    type: 'image',
    mbytes: 0.4,
    args: [...lavfi('mandelbrot=s=640x360'), '-frames:v', '1'],
  },
  {
    name: 'a-name-that-is-longer-than-its-tile.mp4',
    type: 'video',
    mbytes: 12.8,
    args: [...lavfi('testsrc2=s=640x360:r=25:d=12'), ...h264],
  },
  {
    name: 'small.mp4',
    type: 'video',
    mbytes: 4.6,
    args: [...lavfi('gradients=s=640x360:r=25:d=5:seed=7:n=4'), ...h264],
  },
]

/** Outputs of commands, an upload that has not ended and a URL that could not be fetched. */
export async function seedFiles(app: TestApp, storage: TestStorage): Promise<void> {
  await app.post('/v1/files/store-file', { file_url: 'https://media.example/in/clip.mov' })
  await app.age(900)
  for (const { name, type, mbytes, args } of seeds) {
    const commandId = await app.submit()
    const { podUid } = await claim(app, commandId)
    const key = `public/${commandId}/${name}`
    if (args !== undefined) {
      const bytes = (await filesByFFmpeg(args, name)).get(name)
      if (bytes !== undefined) storage.objects.set(key, bytes)
    }
    const format = name.split('.').at(-1) ?? null
    const picture = type === 'video' || type === 'image' ? { width: 640, height: 360 } : {}
    const video = type === 'video' ? { codec: 'h264', duration: 12, frame_rate: 25 } : {}
    const media = { ...unknownMedia, file_type: type, file_format: format, ...picture, ...video }
    const file = { ...newFile(commandId), key, media, sizeBytes: Math.round(mbytes * 1_048_576) }
    await app.store.commitOutcome(commitOf(commandId, podUid, { status: 'SUCCESS', files: [file] }))
    const release = 'update commands set released_at = now() where command_id = $1'
    await app.query('release', release, [commandId])
    await app.age(120)
  }
}

/** The newest output becomes private. @returns its id */
export async function hideOutput(app: TestApp, name: string): Promise<string> {
  const [file] = await app.query<{ id: string }>(
    'hide',
    `update files set is_private = true where key like '%/' || $1 returning file_id as id`,
    [name],
  )
  if (file === undefined) throw new Error(`no output ${name}`)
  return file.id
}
