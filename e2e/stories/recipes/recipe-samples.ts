import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { filmArguments, stereo, words } from '../../steps/samples.ts'
import { writeZip } from '../../steps/zip.ts'
import type { ImagePrograms } from '../../../images/image-programs.ts'
import { brandFont } from '../../../testing/ffmpeg/brand-font.ts'

/** The files that docs/recipes.md says it uses, with the sizes and lengths that it says they have. */
export async function makeRecipeSamples(folder: string, programs: ImagePrograms): Promise<void> {
  const at = (name: string): string => path.join(folder, name)
  const make = (name: string, ...args: string[]) => programs.ffmpeg(args, at(name))
  await make('film.mp4', ...filmArguments)
  await make('intro.mp4', ...picture('640x480', 30, 5), ...tone(5), ...h264, '-ac', '1')
  await make(
    'camera.mov',
    ...picture('960x540', 25, 4),
    ...tone(4),
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
    '-pix_fmt',
    'yuv420p10le',
    '-c:a',
    'pcm_s16le',
  )
  await make(
    'presenter.mp4',
    '-f',
    'lavfi',
    '-i',
    'color=0x00ff00:size=640x360:rate=25:duration=5',
    '-f',
    'lavfi',
    '-i',
    'color=0xcc6633:size=120x240:rate=25:duration=5',
    ...tone(5),
    '-filter_complex',
    'overlay=x=100+60*t:y=120',
    ...h264,
  )
  const sway = 'crop=640:360:x=60+20*sin(n*1.7):y=60+20*cos(n*2.3)'
  await make('shaky.mp4', ...picture('800x480', 25, 5), '-vf', sway, ...h264)
  await make('interview.mp3', '-f', 'lavfi', '-i', `aevalsrc='${speech}':s=44100:d=10`)
  await make('music.mp3', '-f', 'lavfi', '-i', `aevalsrc='${chord}':s=44100:d=20`)
  const badge = 'color=white@0.8:size=200x80,format=rgba,drawbox=20:20:160:40:0x3366cc:fill'
  await make('logo.png', '-f', 'lavfi', '-i', badge, '-frames:v', '1')
  await make('beach.jpg', ...still('gradients=size=1280x720:c0=skyblue:c1=khaki:n=2'))
  await make('photo1.jpg', ...still('mandelbrot=size=800x600'))
  await make('photo2.jpg', ...still('gradients=size=450x800:seed=2'))
  await make('photo3.jpg', ...still('testsrc=size=960x540'))
  await writeFile(at('title.txt'), `${'100% "free": it\'s Tom, Ana & Co.'}\n`)
  await writeFile(at('words.srt'), words)
  const lato = await programs.read('/usr/share/fonts/truetype/lato/Lato-Black.ttf')
  await writeFile(at('brand.ttf'), brandFont(lato))
  await makeParts(at, make)
  await makeFrames(at, make)
}

type At = (name: string) => string
type Make = (name: string, ...args: string[]) => Promise<void>

/** Cut from one camera's film, as clips are that can be joined as they are. */
async function makeParts(at: At, make: Make): Promise<void> {
  for (const [name, seconds] of Object.entries({ 'part1.mp4': 4, 'part2.mp4': 3 })) {
    await make(name, ...picture('640x360', 25, seconds), ...stereo(seconds), ...h264)
  }
  await writeFile(at('list.txt'), "file 'part1.mp4'\nfile 'part2.mp4'\n")
  const names = ['list.txt', 'part1.mp4', 'part2.mp4']
  await writeZip(at('clips.zip'), Object.fromEntries(names.map((name) => [name, at(name)])))
}

/** Twenty pictures, two of them different: what is looked at is how many there are. */
async function makeFrames(at: At, make: Make): Promise<void> {
  const pictures = ['tick.jpg', 'tock.jpg']
  for (const [index, name] of pictures.entries()) {
    await make(name, ...still(`testsrc=size=641x361,trim=start=${index}`))
  }
  const entries: Record<string, string> = {}
  for (let number = 1; number <= 20; number += 1) {
    const name = `frame${String(number).padStart(3, '0')}.jpg`
    entries[name] = at(pictures[number % 2] ?? '')
  }
  await writeZip(at('frames.zip'), entries)
}

/** A key frame every two seconds, as cameras and platforms write them. */
const h264 = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-g',
  '50',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
  '-shortest',
]

/** Three seconds of speech, then three seconds of silence. */
const speech = '0.4*sin(2*PI*220*t)*lt(mod(t,6),3)'
const chord = '0.1*sin(2*PI*262*t)+0.1*sin(2*PI*330*t)+0.1*sin(2*PI*392*t)'

function picture(size: string, rate: number, seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`]
}

function tone(seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `sine=sample_rate=44100:duration=${seconds}`]
}

function still(source: string): string[] {
  return ['-f', 'lavfi', '-i', source, '-frames:v', '1', '-update', '1']
}
