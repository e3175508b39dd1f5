import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runPlainly } from './plain-shell.ts'

/**
 * Makes the files that the corpus names, small and of many kinds, and the folder `zip` with what an
 * archive of a customer holds. Answers their folder.
 */
export async function makeSamples(root: string, job: string): Promise<string> {
  const samples = path.join(job, 'work')
  await mkdir(path.join(samples, 'zip'), { recursive: true })
  for (const [name, text] of Object.entries(texts)) await writeFile(path.join(samples, name), text)
  const font = 'usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
  await copyFile(path.join(root, font), path.join(samples, 'font.ttf'))
  const { code, log } = await runPlainly(commands, { root, job })
  if (code !== 0) throw new Error(`the samples could not be made: ${log.slice(-2000)}`)
  for (const [name, source] of Object.entries(zipped)) {
    await copyFile(path.join(samples, source), path.join(samples, 'zip', name))
  }
  return samples
}

/** Loud, silent from 1 s to 1.8 s, loud again; a different tone on each side. */
const sound =
  '-f lavfi -i "aevalsrc=\'if(between(t,1,1.8),0,0.4*sin(880*PI*t))|if(between(t,1,1.8),0,0.3*sin(1320*PI*t))\':s=44100:d=3"'
const picture = '-f lavfi -i testsrc2=s=320x180:r=25:d=3'
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25'

const commands = [
  `${picture} ${sound} ${h264} -c:a aac -b:a 96k -metadata title=Sample film.mp4`,
  `-f lavfi -i testsrc=s=240x180:r=30:d=2 -f lavfi -i sine=f=300:r=48000:d=2 ${h264} -c:a aac second.mp4`,
  `-f lavfi -i testsrc2=s=90x160:r=25:d=2 -f lavfi -i sine=d=2 -ac 2 ${h264} tall.mp4`,
  '-i film.mp4 -c copy -an silent.mp4',
  '-i film.mp4 -i subs.srt -i chapters.txt -map 0:v -map 0:a -map 0:a -map 1 -map 1 -map_metadata 2 -c copy -metadata:s:a:0 language=eng -metadata:s:a:1 language=fra -metadata:s:s:0 language=eng -metadata:s:s:1 language=deu film.mkv',
  `-i film.mp4 -t 1 -c:v libvpx -deadline realtime -b:v 200k -c:a libvorbis film.webm`,
  '-display_rotation 90 -i film.mp4 -c copy phone.mov',
  '-i film.mp4 -c:v mpeg4 -q:v 5 -c:a libmp3lame film.avi',
  '-i film.mp4 -c copy film.ts',
  '-i film.mp4 -t 1.5 -c copy part2.ts',
  '-i film.mp4 -c copy film.flv',
  '-i film.mp4 -vf scale=352:288,interlace -c:v mpeg2video -flags +ildct+ilme -b:v 1M -c:a mp2 interlaced.mpg',
  '-i film.mp4 -c:v wmv2 -c:a wmav2 film.wmv',
  '-i film.mp4 -vn voice.wav',
  '-i film.mp4 -vn -ac 1 mono.wav',
  '-i film.mp4 -vn -c:a copy voice.m4a',
  '-i voice.wav song.flac',
  '-i voice.wav -c:a libvorbis voice.ogg',
  '-i voice.wav -b:a 96k voice.mp3',
  '-i voice.wav -f s16le raw.pcm',
  `-f lavfi -i 'aevalsrc=${[440, 550, 660, 60, 770, 880].map((hertz) => `0.2*sin(${String(hertz)}*2*PI*t)`).join('|')}:c=5.1:d=2' surround.m4a`,
  '-f lavfi -i color=red@0.5:s=64x64,format=rgba,drawbox=8:8:48:48:white@1:t=fill -frames:v 1 logo.png',
  '-f lavfi -i testsrc=s=320x240 -frames:v 1 photo.jpg',
  '-f lavfi -i testsrc2=s=400x200 -frames:v 1 wide.jpg',
  '-f lavfi -i smptebars=s=320x180 -frames:v 1 picture.png',
  '-i picture.png picture.webp',
  '-f lavfi -i testsrc2=s=120x90:r=10:d=1 anim.gif',
  '-i voice.mp3 -i photo.jpg -map 0 -map 1 -c copy -id3v2_version 3 -metadata title=Song -metadata artist=Somebody -metadata:s:v title=Cover -disposition:v attached_pic music.mp3',
  `-f lavfi -i 'color=0x00FF00:s=320x180:r=25:d=2,drawbox=100:40:80:80:red:t=fill' ${h264} green.mp4`,
  `-f lavfi -i "color=black:s=320x180:r=25:d=3,drawbox=0:30:320:120:gray:t=fill:enable='gte(t,1)'" ${sound} ${h264} black.mp4`,
  '-f lavfi -i testsrc2=s=160x90:r=5:d=2 zip/frame_%03d.png',
  '-i film.mp4 -c copy -f segment -segment_time 1 -segment_list zip/recording.m3u8 zip/recording%d.ts',
]

const subtitles =
  '1\n00:00:00,200 --> 00:00:01,200\nHello <i>there</i>\n\n2\n00:00:01,500 --> 00:00:02,800\nGrüße, 日本\n\n'

const texts: Readonly<Record<string, string>> = {
  'subs.srt': subtitles,
  'subs.vtt': `WEBVTT\n\n${subtitles.replaceAll(',', '.').replaceAll(/^\d\n/gm, '')}`,
  'subs.ass': `[Script Info]
ScriptType: v4.00+
PlayResX: 320
PlayResY: 180

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,DejaVu Sans,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.20,0:00:01.50,Default,,0,0,0,,Hello
`,
  'text.txt': 'A line of text\nand a second one\n',
  'chapters.txt':
    ';FFMETADATA1\ntitle=With chapters\nartist=Somebody\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=3000\ntitle=Two\n',
  'list.txt': "file 'in_2.mp4'\nfile 'in_3.mp4'\n",
  'pictures.txt': "file 'in_2.jpg'\nduration 1\nfile 'in_3.jpg'\nduration 1\nfile 'in_3.jpg'\n",
  'cuts.txt':
    "file 'in_2.mp4'\ninpoint 0.5\noutpoint 1.5\nfile 'in_2.mp4'\ninpoint 2\noutpoint 3\n",
  'zip-list.txt': "file 'clip1.mp4'\nfile 'clip2.mp4'\n",
  'commands.txt': "0.5 drawtext reinit 'text=Second';\n1.0-2.0 [enter] hue s 0, [leave] hue s 1;\n",
  'lut.cube': `TITLE "Warm"\nLUT_3D_SIZE 2\n${['0 0 0', '1 0.1 0', '0 0.9 0', '1 1 0', '0 0 0.8', '1 0 0.8', '0 1 0.8', '1 1 0.8'].join('\n')}\n`,
}

/** Name in the archive, and the sample that it is. */
const zipped: Readonly<Record<string, string>> = {
  'clip1.mp4': 'film.mp4',
  'clip2.mp4': 'film.mp4',
  'input.mp4': 'film.mp4',
  'img1.jpg': 'wide.jpg',
  'img2.jpg': 'wide.jpg',
  'img3.jpg': 'wide.jpg',
  'logo.png': 'logo.png',
  'audio.mp3': 'voice.mp3',
  'subs.srt': 'subs.srt',
  'subs.ass': 'subs.ass',
  'sample_text.txt': 'text.txt',
  'DejaVuSans.ttf': 'font.ttf',
  'mylist.txt': 'zip-list.txt',
}
