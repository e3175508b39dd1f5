import { expect } from 'chai'
import { customerArgv } from './final-argv.ts'
import { argvOf, finalArgvOf, planOf } from '../../../testing/support/plan-one.ts'

const raw = String.raw

describe('customerArgv', () => {
  const values: [string, string[]][] = [
    [
      raw`-vf select='lte(n\,1)+gt(trunc(t/10),2)',setpts='PTS*0.025'`,
      ['-vf', raw`select='lte(n\,1)+gt(trunc(t/10),2)',setpts='PTS*0.025'`],
    ],
    [raw`-vf "select='gt(scene\,0.4)'"`, ['-vf', raw`select='gt(scene\,0.4)'`]],
    ['-vf "select=\'gt(scene,0.4)\'"', ['-vf', "select='gt(scene,0.4)'"]],
    [raw`-vf select=gt(scene\,0.4)`, ['-vf', raw`select=gt(scene\,0.4)`]],
    [raw`-vf select=gt(scene\\,0.4)`, ['-vf', raw`select=gt(scene\,0.4)`]],
    ["-vf 'drawtext=text=it'\\''s'", ['-vf', "drawtext=text=it's"]],
    ["-vf 'hflip'", ['-vf', 'hflip']],
    ['-vf drawtext=text="A B":x=10', ['-vf', 'drawtext=text=A B:x=10']],
    [raw`-vf drawtext=text='a\\: b'`, ['-vf', raw`drawtext=text=a\\: b`]],
    ["-vf scale='if(gt(a,1),640,-1)':-1", ['-vf', "scale='if(gt(a,1),640,-1)':-1"]],
    ["-vf nosuch='a,b'", ['-vf', "nosuch='a,b'"]],
    [raw`-vf nosuch=a=1:b=c\\\\\:d`, ['-vf', raw`nosuch=a=1:b=c\\:d`]],
    [
      '-filter_complex [0:v]split[a][b];[a]hflip[c];[b][c]hstack',
      ['-filter_complex', '[0:v]split[a][b];[a]hflip[c];[b][c]hstack'],
    ],
    [
      raw`-metadata title='My film' -metadata artist=It\'s -vf ""`,
      ['-metadata', 'title=My film', '-metadata', "artist=It's", '-vf', ''],
    ],
    [raw`-metadata comment="say \"hi\" \n"`, ['-metadata', raw`comment=say "hi" \n`]],
    ['-af pan=stereo|c0=c0', ['-af', 'pan=stereo|c0=c0']],
    [
      '-vf subtitles={{ in_2 }}:force_style=Fontsize=24',
      ['-vf', 'subtitles=../in/in_2.mp4:force_style=Fontsize=24'],
    ],
  ]
  for (const [text, expected] of values) {
    it(`gives FFmpeg ${JSON.stringify(expected)} for ${text}`, () => {
      expect(argvOf(`-i {{in_1}} ${text} {{out_1}}`)).to.deep.equal([
        '-i',
        '../in/in_1.mp4',
        ...expected,
        'out.mp4',
      ])
    })
  }

  it('keeps the number of threads of filters, of which some expressions stand only one, within its vCPUs', () => {
    const argv = argvOf('-filter_threads 1 -filter_complex_threads 9 -i {{in_1}} {{out_1}}')
    expect(argv.slice(0, 4)).to.deep.equal(['-filter_threads', '1', '-filter_complex_threads', '4'])
  })

  it('leaves out what the service sets itself', () => {
    const dropped =
      'ffmpeg -y -n -nostdin -stdin -hide_banner -nohide_banner -stats -nostats -loglevel debug -v quiet -stats_period 2 -cpucount 9'
    expect(argvOf(`${dropped} -i {{in_1}} {{out_1}}`)).to.deep.equal([
      '-i',
      '../in/in_1.mp4',
      'out.mp4',
    ])
    expect(argvOf('/usr/bin/ffmpeg -i {{in_1}} {{out_1}}')[0]).to.equal('-i')
    expect(planOf('-y -v debug -i {{in_1}} {{out_1}}').steps[0]?.dropped).to.deep.equal([
      '-y',
      '-v debug',
    ])
  })

  const threads: [string, string][] = [
    ['0', '4'],
    ['2', '2'],
    ['4', '4'],
    ['512', '4'],
    ['auto', '4'],
    ['2*256', '4'],
    ['-1', '4'],
  ]
  for (const [requested, given] of threads) {
    it(`makes -threads ${requested} -threads ${given} with 4 vCPUs`, () => {
      expect(
        argvOf(`-threads ${requested} -i {{in_1}} -threads:v ${requested} {{out_1}}`),
      ).to.deep.equal(['-threads', given, '-i', '../in/in_1.mp4', '-threads:v', given, 'out.mp4'])
    })
  }

  const playlist = { outputs: { out_playlist_1: 'playlist.m3u8' } }

  it("puts a playlist's segments into its folder, where the playlist expects them", () => {
    expect(
      argvOf(
        '-i {{in_1}} -f hls -hls_segment_filename seg%03d.ts -hls_fmp4_init_filename init.mp4 -master_pl_name m.m3u8 {{out_playlist_1}}',
        playlist,
      ).slice(2),
    ).to.deep.equal([
      '-f',
      'hls',
      '-hls_segment_filename',
      'out_playlist_1/seg%03d.ts',
      '-hls_fmp4_init_filename',
      'init.mp4',
      '-master_pl_name',
      'm.m3u8',
      'out_playlist_1/playlist.m3u8',
    ])
  })

  it('puts the variants of a master playlist into its folder', () => {
    expect(
      argvOf(
        '-i {{in_1}} -f hls -master_pl_name {{out_playlist_1}} -hls_segment_filename v%v/s%d.ts v%v/part.m3u8',
        playlist,
      ).slice(2),
    ).to.deep.equal([
      '-f',
      'hls',
      '-master_pl_name',
      'playlist.m3u8',
      '-hls_segment_filename',
      'out_playlist_1/v%v/s%d.ts',
      'out_playlist_1/v%v/part.m3u8',
    ])
  })

  it('puts segments of a tee leg into the folder of its playlist', () => {
    const outputs = { out_playlist_1: 'playlist.m3u8', out_1: 'out.ts' }
    expect(
      argvOf(
        `-i {{in_1}} -f tee "[f=hls:hls_segment_filename='s%d.ts']{{out_playlist_1}}|[f=mpegts]{{out_1}}"`,
        { outputs },
      ).at(-1),
    ).to.equal(
      "[f=hls:hls_segment_filename='out_playlist_1/s%d.ts']out_playlist_1/playlist.m3u8|[f=mpegts]out.ts",
    )
  })

  it('leaves segment names alone that name their folder themselves', () => {
    const folder = { outputs: 'OUTPUT_FOLDER' } as const
    const hls = (name: string): string | undefined =>
      argvOf(`-i {{in_1}} -hls_segment_filename ${name} hls/a.m3u8`, folder).at(-2)
    expect(hls('hls/s%d.ts')).to.equal('hls/s%d.ts')
    expect(hls('s%d.ts')).to.equal('hls/s%d.ts')
  })
})

describe('finalArgv', () => {
  it('names a DASH manifest that is read back by its protocol', () => {
    const chain = [
      '-i {{in_1}} -c copy {{out_playlist_1}}',
      '-i {{out_playlist_1}} -c copy {{out_1}}',
    ]
    const outputs = { out_playlist_1: 'm.mpd', out_1: 'a.mp4' }
    const step = planOf(chain, { outputs }).steps[1]
    const options = { inputPaths: {}, vcpuCount: 1, maxPixels: 1 }
    expect(step && customerArgv(step, options)).to.include('file:out_playlist_1/m.mpd')
  })

  it('the final argv is the complete command line of the published GIF sample', () => {
    const filter =
      "select='gt(trunc(t/2),trunc(prev_t/2))',setpts='PTS*0.1',scale=trunc(oh*a/2)*2:320:force_original_aspect_ratio=decrease,pad=trunc(oh*a/2)*2:320:-1:-1"
    expect(
      finalArgvOf(`-i {{in_1}} -vf ${filter} -loop 0 -an -vsync vfr {{out_1}}`, {
        outputs: { out_1: 'out.gif' },
      }),
    ).to.deep.equal([
      '-hide_banner',
      '-nostdin',
      '-y',
      '-loglevel',
      'level+info',
      '-nostats',
      '-stats_period',
      '1',
      '-progress',
      'pipe:3',
      '-cpucount',
      '4',
      '-filter_threads',
      '4',
      '-filter_complex_threads',
      '4',
      '-max_pixels',
      '67108864',
      '-i',
      '../in/in_1.mp4',
      '-threads',
      '4',
      '-vf',
      filter,
      '-loop',
      '0',
      '-an',
      '-vsync',
      'vfr',
      'out.gif',
    ])
  })

  const parameters: [string, number, string[]][] = [
    ['-c:v libx264', 4, ['-threads', '4', '-c:v', 'libx264']],
    ['-c:v libx264 -threads 2', 4, ['-c:v', 'libx264', '-threads', '2']],
    ['-c:v libx264 -threads:v 2', 4, ['-threads', '4', '-c:v', 'libx264', '-threads:v', '2']],
    ['-c:v libx265', 4, ['-threads', '4', '-x265-params', 'pools=4', '-c:v', 'libx265']],
    ['-vcodec hevc', 4, ['-threads', '4', '-x265-params', 'pools=4', '-vcodec', 'hevc']],
    [
      '-c:v libx265 -x265-params crf=20:bframes=0',
      4,
      ['-threads', '4', '-c:v', 'libx265', '-x265-params', 'crf=20:bframes=0:pools=4'],
    ],
    [
      '-c:v libx265 -x265-params pools=2',
      4,
      ['-threads', '4', '-c:v', 'libx265', '-x265-params', 'pools=2'],
    ],
    [
      '-c:v libx265 -x265-params:v:0 crf=20',
      2,
      [
        '-threads',
        '2',
        '-x265-params',
        'pools=2',
        '-c:v',
        'libx265',
        '-x265-params:v:0',
        'crf=20:pools=2',
      ],
    ],
    ['-c:v libsvtav1', 16, ['-threads', '16', '-svtav1-params', 'lp=6', '-c:v', 'libsvtav1']],
    [
      '-c:v libsvtav1 -svtav1-params tune=0',
      3,
      ['-threads', '3', '-c:v', 'libsvtav1', '-svtav1-params', 'tune=0:lp=3'],
    ],
    ['-c copy', 4, ['-threads', '4', '-c', 'copy']],
    ['-c:v mjpeg', 4, ['-c:v', 'mjpeg']],
    ['-vcodec mjpeg -threads 2', 4, ['-vcodec', 'mjpeg', '-threads', '2']],
    ['-c:v libx264 -c:v:1 mjpeg', 4, ['-threads', '4', '-c:v', 'libx264', '-c:v:1', 'mjpeg']],
    ['-f hevc', 4, ['-threads', '4', '-x265-params', 'pools=4', '-f', 'hevc']],
    ['-f hevc -c:v copy', 4, ['-threads', '4', '-f', 'hevc', '-c:v', 'copy']],
    [
      "-c:v libx265 -x265-params ''",
      4,
      ['-threads', '4', '-c:v', 'libx265', '-x265-params', 'pools=4'],
    ],
    [
      '-c:v libx265 -x265-params crf=20:',
      4,
      ['-threads', '4', '-c:v', 'libx265', '-x265-params', 'crf=20:pools=4'],
    ],
    [
      '-x264-params threads=128:lookahead-threads=16:keyint=60',
      4,
      ['-threads', '4', '-x264-params', 'threads=4:lookahead-threads=4:keyint=60'],
    ],
    [
      '-c:v libx265 -x265-params pools=64:frame-threads=2',
      4,
      ['-threads', '4', '-c:v', 'libx265', '-x265-params', 'pools=4:frame-threads=2'],
    ],
    [
      '-c:v libsvtav1 -svtav1-params lp=6:preset=8',
      2,
      ['-threads', '2', '-c:v', 'libsvtav1', '-svtav1-params', 'lp=2:preset=8'],
    ],
    ['-c:v libx264 -vthreads 128', 4, ['-threads', '4', '-c:v', 'libx264', '-vthreads', '4']],
    [
      '-threads 3 -dec 0:0 -c:v ffv1',
      4,
      ['-threads', '3', '-dec', '0:0', '-threads', '4', '-c:v', 'ffv1'],
    ],
    [
      '-x264opts lookahead_threads=auto:threads=2*512',
      4,
      ['-threads', '4', '-x264opts', 'lookahead_threads=auto:threads=4'],
    ],
  ]
  for (const [options, vcpus, expected] of parameters) {
    it(`sizes the threads of ${options} for ${vcpus} vCPUs`, () => {
      const argv = finalArgvOf(`-i {{in_1}} ${options} {{out_1}}`, {}, vcpus)
      expect(argv.slice(argv.indexOf('../in/in_1.mp4') + 1, -1)).to.deep.equal(expected)
    })
  }

  it('sizes the pool for a raw HEVC file by its name', () => {
    const argv = finalArgvOf('-i {{in_1}} {{out_1}}', { outputs: { out_1: 'a.265' } })
    expect(argv.slice(-5)).to.deep.equal(['-threads', '4', '-x265-params', 'pools=4', 'a.265'])
  })

  it('leaves the JPEG encoder the one thread that it takes by itself', () => {
    for (const name of ['a.jpg', 'a.JPEG', 'a.mjpg']) {
      const argv = finalArgvOf('-i {{in_1}} -vsync 0 {{out_1}}', { outputs: { out_1: name } })
      expect(argv.slice(-3)).to.deep.equal(['-vsync', '0', name])
    }
    const other = finalArgvOf('-i {{in_1}} -c:v libx264 -f mp4 {{out_1}}', {
      outputs: { out_1: 'a.jpg' },
    })
    expect(other).to.include('-threads')
  })

  it('limits pictures before every input and only lets customers lower the limit', () => {
    const argv = finalArgvOf(
      '-max_pixels 999999999999 -i {{in_1}} -max_pixels 1000 -i {{in_2}} -f lavfi -i testsrc {{out_1}}',
    )
    const limits = argv.flatMap((word, index) => (word === '-max_pixels' ? [argv[index + 1]] : []))
    expect(limits).to.deep.equal(['67108864', '1000', '67108864'])
  })
})
