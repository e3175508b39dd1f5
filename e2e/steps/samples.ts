import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeZip } from './zip.ts'
import type { ImagePrograms } from '../../images/image-programs.ts'

/** Files as people have them, made by FFmpeg's own sources: nothing to fetch or to license. */
export async function makeSamples(folder: string, programs: ImagePrograms): Promise<void> {
  const ffmpeg = (args: string[], target: string) => programs.ffmpeg(args, target)
  const at = (name: string): string => path.join(folder, name)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4']
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=4']
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  await ffmpeg([...picture, ...tone, ...h264], at('clip.mp4'))
  await ffmpeg(
    [
      ...tone,
      ...picture,
      '-map',
      '0',
      '-map',
      '1',
      '-frames:v',
      '1',
      '-disposition:v',
      'attached_pic',
      '-id3v2_version',
      '3',
    ],
    at('cover.mp3'),
  )
  await ffmpeg([...picture, '-frames:v', '1'], at('picture.png'))
  await writeFile(at('words.srt'), words)
  await writeFile(at('corrupt.mp4'), Buffer.alloc(4_096, 'not a film'))
  await writeFile(at('empty.mp4'), '')
  await writeZip(at('parts.zip'), { 'clips/a.mp4': at('clip.mp4'), 'words.srt': at('words.srt') })
}

const picture = '-f lavfi -i testsrc2=size=1280x720:rate=25:duration=10'
/** A key frame every two seconds, as cameras and platforms write them. */
const encoding = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50 -c:a aac -ac 2 -shortest'

/** The film of docs/recipes.md, from FFmpeg's test sources: no download and no licence. */
export const filmArguments: readonly string[] = [
  ...picture.split(' '),
  ...stereo(10),
  ...encoding.split(' '),
]

/** Loud in each other second, so that a meter finds a range of loudness. */
export function stereo(seconds: number): string[] {
  const loudness = '(0.05+0.2*lt(mod(t,2),1))'
  const side = `${loudness}*sin(2*PI*440*t)|${loudness}*sin(2*PI*550*t)`
  return ['-f', 'lavfi', '-i', `aevalsrc='${side}':s=48000:d=${seconds}`]
}

/** Subtitles. */
export const words = '1\n00:00:00,500 --> 00:00:02,000\nHello\n'
