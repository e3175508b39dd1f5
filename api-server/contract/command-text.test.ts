import { useApp, submission } from '../../testing/support/api/app.ts'
import { expect } from 'chai'
import { checkedCall, field, fieldsOf, refusalOf } from '../checked-call.fixture.ts'

const zip = { input_files: null, input_compressed_folder: 'https://media.example/parts.zip' }
const folder = { output_files: 'OUTPUT_FOLDER' }
const files = {
  input_files: {
    in_1: 'https://media.example/a.AVI',
    in_2: 'https://media.example/b.srt?sig=1',
    in_font: 'https://media.example/font.ttf',
  },
  output_files: { out_1: 'small.mp4' },
}

/** Options between input and output, and what FFmpeg gets for them. The tests of the parser have the other ones. */
const options: [string, string[]][] = [
  [
    "-vf select='lte(n\\,1)+gt(trunc(t/10),2)',setpts='PTS*0.025'",
    ['-vf', "select='lte(n\\,1)+gt(trunc(t/10),2)',setpts='PTS*0.025'"],
  ],
  ['-metadata comment="say \\"hi\\" \\n"', ['-metadata', 'comment=say "hi" \\n']],
  ['-c:v \\\n libx264', ['-c:v', 'libx264']],
  ['-vf subtitles={{in_2}}', ['-vf', 'subtitles=../in/in_2.srt']],
  ['-attach {{in_font}}', ['-attach', '../in/in_font.ttf']],
  ['-y -n -nostdin -stdin -hide_banner -stats -nostats', []],
  ['-threads 64', ['-threads', '8']],
]

/** Whole texts that are good with these fields in place of the usual ones. */
const good: [string, object][] = [
  ['-i {{in_1}} -f tee -map 0 [f=mp4]{{out_1}}|[f=mp4]{{out_2}}', two()],
  ['-i {{in_1}} -pass 1 -passlogfile two {{out_1}}', {}],
  [
    '-i {{in_1}} -map 0 -map 0 -f hls -var_stream_map "v:0 v:1" -master_pl_name {{out_playlist_1}} v%v/part.m3u8',
    { output_files: { out_playlist_1: 'a.m3u8' } },
  ],
  ['-i clips/a.mp4 -vf subtitles=x.srt:fontsdir=. {{out_1}}', zip],
  ['-i {{in_1}} -f segment parts/%03d.mp4', folder],
  ['-i {{in_1}} -metadata title=<<this>> {{out_1}}', {}],
]

/** Texts that are refused: kind, token and position in characters from 1. */
const bad: [string, string, string | null, number | null, object?][] = [
  ['-i {{in_1}} -vf "hflip {{out_1}}', 'command_syntax', null, 17],
  ['-i {{in_1}} a\u0007b {{out_1}}', 'command_syntax', null, 14],
  ['-metadata title=😀 -i {{in_9}} {{out_1}}', 'command_alias', '{{in_9}}', 22],
  ['-i {{in_1}} {{in_1}}', 'command_alias', '{{in_1}}', 13],
  ['-i {{in_1}} {{out_1}}', 'command_alias', null, null, two()],
  ['-i a.mp4 -c copy x.mp4', 'command_alias', 'x.mp4', 18, zip],
  ['-i {{in_1}} {{out_1}}', 'command_alias', '{{out_1}}', 13, folder],
  ['-i http://media.example/a.mp4 {{out_1}}', 'command_forbidden', 'http://media.example/a.mp4', 4],
  ['-i {{in_1}} -vf subtitles=/etc/passwd {{out_1}}', 'command_forbidden', null, null],
  ['-i {{in_1}} -report x {{out_1}}', 'command_forbidden', '-report', 13],
  ['-i {{in_1}} -vf hflip,frei0r=x {{out_1}}', 'command_forbidden', null, null],
  ['-i {{in_1}} -i {{in_2}} -lavfi libvmaf {{out_1}}', 'command_forbidden', 'libvmaf', 32],
  ['-f sdp -i {{in_1}} {{out_1}}', 'command_forbidden', null, null],
  ['-i {{in_1}} {{out_1}} && rm x', 'command_syntax', '&&', 23],
]

describe('the text of a command', () => {
  const app = useApp()

  const post = (path: string, text: string, change: object = {}) =>
    checkedCall(app.url, path, {
      method: 'POST',
      key: app.key,
      body: { ...submission, ...files, ...change, ffmpeg_command: text },
    })
  const submit = (text: string, change?: object) => post('/v1/run-ffmpeg-command', text, change)
  const validate = (text: string, change?: object) =>
    post('/v1/validate-ffmpeg-command', text, change)

  for (const [text, argv] of options) {
    it(`gives FFmpeg what ${JSON.stringify(text)} means`, async () => {
      const whole = `-i {{in_1}} ${text} {{out_1}}`
      const { body } = await validate(whole)
      expect(JSON.stringify(field(body, 'errors'))).to.equal('[]')
      const first = field(field(body, 'commands'), '0')
      expect(field(first, 'argv')).to.deep.equal(['-i', '../in/in_1.avi', ...argv, 'small.mp4'])
      expect((await submit(whole)).status).to.equal(200)
    })
  }

  for (const [text, change] of good) {
    it(`accepts the command ${text}`, async () => {
      const answer = await submit(text, change)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      expect((await validate(text, change)).body).to.include({ valid: true })
    })
  }

  for (const [text, type, token, position, change] of bad) {
    it(`refuses ${JSON.stringify(text)}${change === undefined ? '' : ` with ${Object.keys(change).join(' and ')}`}`, async () => {
      const answer = await submit(text, change)
      expect(refusalOf(answer)).to.deep.equal([422, `body.ffmpeg_command ${type}`])
      const mistake = field(field(answer.body, 'detail'), '0')
      const ctx = field(mistake, 'ctx')
      expect(Object.keys(fieldsOf(ctx))).to.deep.equal(['token', 'position'])
      if (token !== null) expect(field(ctx, 'token')).to.equal(token)
      if (position !== null) expect(field(ctx, 'position')).to.equal(position)
      const dry = await validate(text, change)
      expect(dry.body).to.deep.include({
        valid: false,
        commands: [],
        errors: [{ ...fieldsOf(mistake), ctx: withEnd(fieldsOf(ctx)) }],
      })
    })
  }
})

/** Adds the end of the token, in code points; only a dry run has it. */
function withEnd(ctx: Readonly<Record<string, unknown>>): object {
  const { token, position } = ctx
  if (typeof token !== 'string' || typeof position !== 'number') return ctx
  return { ...ctx, end: position + [...token].length }
}

function two(): object {
  return { output_files: { out_1: 'small.mp4', out_2: 'second.mp4' } }
}
