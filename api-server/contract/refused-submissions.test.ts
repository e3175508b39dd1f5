import { useApp } from '../../testing/support/api/app.ts'
import { expect } from 'chai'
import { placesOf, refusalOf } from '../checked-call.fixture.ts'
import { names, steps, zip } from '../submission-bodies.fixture.ts'
import { metadataMistakes, schemaMistakes } from '../submission-mistakes.fixture.ts'
import { chain, runChain, runSingle, storeFile } from './the-calls.fixture.ts'
import type { Call } from './the-calls.fixture.ts'

type Refused = readonly [string, Call, object, ...string[]]

const [first = '', second = ''] = chain.ffmpeg_commands
const texts = (...ffmpeg_commands: string[]) => ({ ffmpeg_commands })
const ttl = (seconds: number) => ({ output_ttl_seconds: seconds })
/** One of the two fields for commands in place of the other. */
const swapped = (name: string, value: unknown) => ({
  ffmpeg_command: undefined,
  ffmpeg_commands: undefined,
  [name]: value,
})

const refused: readonly Refused[] = [
  ...schemaMistakes.map(([what, ...rest]): Refused => [what, runSingle, ...rest]),
  ...metadataMistakes.map(([what, ...rest]): Refused => [what, runChain, ...rest]),
  [
    'the folder of a playlist as a name',
    runSingle,
    { output_files: { out_playlist_1: 'a.m3u8', out_2: 'out_playlist_1' } },
    'output_files.out_2 value_error',
  ],
  ['an unknown priority', runSingle, { priority: 'urgent' }, 'priority enum'],
  ['output_ttl_seconds 59', runSingle, ttl(59), 'output_ttl_seconds value_error'],
  ['a TTL above a year', runSingle, ttl(31_536_001), 'output_ttl_seconds less_than_equal'],
  [
    'a webhook URL without scheme',
    runSingle,
    { webhook_url: 'app.example' },
    'webhook_url url_parsing',
  ],
  ['ffmpeg_commands alone', runSingle, swapped('ffmpeg_commands', ['x']), 'ffmpeg_command missing'],
  ['ffmpeg_command alone', runChain, swapped('ffmpeg_command', 'x'), 'ffmpeg_commands missing'],
  ['no inputs', runChain, { input_files: undefined }, 'input_files missing'],
  ['a long command', runChain, texts('é'.repeat(40_000)), 'ffmpeg_commands.0 string_too_long'],
  ['no commands', runChain, texts(), 'ffmpeg_commands too_short'],
  [
    'eleven commands',
    runChain,
    { ...texts(...steps(11)), output_files: names(11) },
    'ffmpeg_commands too_long',
  ],
  ['a text for the commands', runChain, { ffmpeg_commands: 'x' }, 'ffmpeg_commands list_type'],
  ['a blank command', runChain, texts(first, ' '), 'ffmpeg_commands.1 string_too_short'],
  ['a zip', runChain, { input_compressed_folder: zip }, 'input_compressed_folder value_error'],
  ['OUTPUT_FOLDER', runChain, { output_files: 'OUTPUT_FOLDER' }, 'output_files dict_type'],
  ['an alias read too early', runChain, texts(second, first), 'ffmpeg_commands.0 command_alias'],
  [
    'an output that no command writes',
    runChain,
    { output_files: { ...chain.output_files, out_3: 'c.mp4' } },
    'ffmpeg_commands command_alias',
  ],
  ['a URL without scheme', storeFile, { file_url: 'clip.mov' }, 'file_url url_parsing'],
  ['another scheme', storeFile, { file_url: 'file:///etc/passwd' }, 'file_url url_parsing'],
]

describe('submissions', () => {
  const app = useApp()

  const submit = (call: Call, change: object = {}, key = app.key) =>
    app.post(call.path, { ...call.body, ...change }, { key })

  for (const [what, call, change, ...places] of refused) {
    it(`${call.name} refuses ${what}`, async () => {
      const answer = await submit(call, change)
      expect(refusalOf(answer)).to.deep.equal([422, ...places.map((place) => `body.${place}`)])
    })
  }

  it('reports at most twenty mistakes', async () => {
    const many = Array.from({ length: 30 }, (_, index) => [`in_${index}`, 'x'] as const)
    const answer = await submit(runSingle, { input_files: Object.fromEntries(many) })
    expect(placesOf(answer)).to.have.length(20)
  })
})
