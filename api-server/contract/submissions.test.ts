import { expect } from 'chai'
import { keyHash } from '../accounts/api-key.ts'
import { pro, startTestApp, submission } from '../app.fixture.ts'
import { checkedCall, field, placesOf } from '../checked-call.fixture.ts'
import { chain, initUpload, runChain, runSingle, storeFile } from './the-calls.fixture.ts'
import type { TestApp } from '../app.fixture.ts'
import type { Call } from './the-calls.fixture.ts'

const zip = 'https://media.example/parts.zip'
const url = 'https://media.example/a.mp4'
const text = (ffmpeg_command: string) => ({ ffmpeg_command })
const input = (in_1: unknown) => ({ input_files: { in_1 } })
const output = (name: string, alias = 'out_1') => ({
  output_files: { [alias]: name },
  ...text(`-i {{in_1}} {{${alias}}}`),
})
const metadata = (value: unknown) => ({ metadata: value })
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))

const nothing = {
  ...{ input_compressed_folder: null, max_command_run_seconds: null, vcpu_count: null },
  ...{ metadata: null, is_private: null, output_ttl_seconds: null, webhook_url: null },
}

const twoPasses = {
  output_files: { out_1: 'small.mp4' },
  ffmpeg_commands: [
    '-i {{in_1}} -c:v libx264 -b:v 500k -pass 1 -passlogfile two -an -f null -',
    '-i {{in_1}} -c:v libx264 -b:v 500k -pass 2 -passlogfile two {{out_1}}',
  ],
}

describe('submissions', function () {
  this.timeout(60_000)
  const little = { ...pro, private: false, webhooks: false, chained: false, uploads: false }
  const plans = {
    pro,
    little,
    full: { ...pro, storageMbytes: 0 },
    spent: { ...pro, processingMbytes: 0 },
  }
  let app: TestApp
  before(async () => {
    app = await startTestApp({ plans })
    for (const plan of ['little', 'full', 'spent']) {
      await app.addAccount(plan, plan, `key-of-${plan}`)
    }
    await app.addAccount('held', 'pro', 'key-of-held')
    await app.database.database.query(
      'suspend',
      "update accounts set suspended = true where name = 'held'",
    )
  })
  after(() => app.close())

  const submit = (call: Call, change: object = {}, key = app.key) =>
    checkedCall(app.url, call.path, { method: 'POST', key, body: { ...call.body, ...change } })

  const accepted: [string, Call, object][] = [
    ['the example', runSingle, {}],
    ['an unknown field', runSingle, { priority: 9, nested: { a: [1] } }],
    ['a number as text', runSingle, { max_command_run_seconds: '300', vcpu_count: ' 4 ' }],
    ['a fraction of a second', runSingle, { max_command_run_seconds: 0.5 }],
    ['an integer with .0', runSingle, { vcpu_count: 4.0, output_ttl_seconds: '60.0' }],
    ['booleans as text in any case', runSingle, { is_private: 'TrUe' }],
    ['null for what is optional', runSingle, nothing],
    ['the program name and -y in front', runSingle, text('ffmpeg -y -i {{in_1}} {{out_1}}')],
    ['blanks in a placeholder', runSingle, text('-i {{ in_1 }} {{  out_1 }}')],
    ['four backslashes', runSingle, text('-i \\{\\{in_1\\}\\} \\{\\{out_1\\}\\}')],
    ['one backslash', runSingle, text('-i \\{{in_1}} {{out_1}\\}')],
    ['angle brackets', runSingle, text('-i <<in_1>> <<out_1>>')],
    [
      'sources without inputs',
      runSingle,
      { input_files: {}, ...text('-f lavfi -i testsrc=d=1 {{out_1}}') },
    ],
    ['an input that nothing uses', runSingle, { input_files: { in_1: url, in_2: url } }],
    ['blanks around a URL', runSingle, input(`  ${url} `)],
    [
      '200 inputs',
      runSingle,
      {
        input_files: Object.fromEntries(
          Array.from({ length: 200 }, (_, index) => [`in_${index}`, url]),
        ),
      },
    ],
    ['a folder', runSingle, { output_files: 'OUTPUT_FOLDER', ...text('-i {{in_1}} part%03d.mp4') }],
    [
      'a zip',
      runSingle,
      { input_files: null, input_compressed_folder: zip, ...text('-i clips/a.mp4 {{out_1}}') },
    ],
    [
      'a zip beside no inputs',
      runSingle,
      { input_files: {}, input_compressed_folder: zip, ...text('-i frame_%03d.png {{out_1}}') },
    ],
    [
      'a zip and a folder',
      runSingle,
      {
        input_files: null,
        input_compressed_folder: zip,
        output_files: 'OUTPUT_FOLDER',
        ...text('-i recording.m3u8 -c copy -f segment part%03d.mp4'),
      },
    ],
    ['a playlist', runSingle, output('a.m3u8', 'out_playlist_1')],
    ['a DASH manifest', runSingle, output('a.mpd', 'out_playlist_1')],
    [
      'ten pairs of every kind',
      runSingle,
      metadata({ ...pairs(6), text: 'x', yes: true, part: 1.5, empty: '' }),
    ],
    ['metadata at its longest', runSingle, metadata({ ['k'.repeat(512)]: 'ä'.repeat(512) })],
    ['the chain of the documentation', runChain, {}],
    ['two passes', runChain, twoPasses],
    ['ten commands', runChain, { ffmpeg_commands: steps(10), output_files: names(10) }],
    [
      'a chain without inputs',
      runChain,
      {
        input_files: {},
        output_files: { out_1: 'a.mp4' },
        ffmpeg_commands: ['-f lavfi -i testsrc=d=1 {{out_1}}'],
      },
    ],
  ]
  for (const [what, call, change] of accepted) {
    it(`${call.name} takes ${what}`, async () => {
      const answer = await submit(call, change)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      expect(Object.keys(Object(answer.body))).to.deep.equal(['command_id'])
      const id = String(field(answer.body, 'command_id'))
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const shown = await checkedCall(app.url, `/v1/commands/${id}`, { key: app.key })
      expect(shown.status).to.equal(200)
      const again = Object(field(shown.body, 'original_request'))
      expect((await submit({ ...call, body: again })).status, 'sent again').to.equal(200)
    })
  }

  const refused: [string, Call, object, string][] = [
    ['both inputs and zip', runSingle, { input_compressed_folder: zip }, 'input_files value_error'],
    ['neither of them', runSingle, { input_files: null }, 'input_files missing'],
    [
      'an alias without prefix',
      runSingle,
      { input_files: { video: url } },
      'input_files.video string_pattern_mismatch',
    ],
    [
      'an alias with a dash',
      runSingle,
      { input_files: { 'in_1-a': url } },
      'input_files.in_1-a string_pattern_mismatch',
    ],
    [
      'an alias of 65 characters',
      runSingle,
      { input_files: { [`in_${'a'.repeat(62)}`]: url } },
      `input_files.in_${'a'.repeat(62)} string_too_long`,
    ],
    [
      '201 inputs',
      runSingle,
      {
        input_files: Object.fromEntries(
          Array.from({ length: 201 }, (_, index) => [`in_${index}`, url]),
        ),
      },
      'input_files too_long',
    ],
    [
      'an output alias without prefix',
      runSingle,
      { output_files: { small: 'a.mp4' } },
      'output_files.small string_pattern_mismatch',
    ],
    ...['a/b.mp4', 'a%03d.mp4', 'a b.mp4', '.mp4', '-a.mp4', '', 'ä.mp4', 'a'.repeat(201)].map(
      (name): [string, Call, object, string] => [
        `the output name '${name.slice(0, 9)}'`,
        runSingle,
        output(name),
        'output_files.out_1 string_pattern_mismatch',
      ],
    ),
    [
      'the same name twice',
      runSingle,
      { output_files: { out_1: 'a.mp4', out_2: 'a.mp4' } },
      'output_files.out_2 value_error',
    ],
    ['no outputs', runSingle, { output_files: {} }, 'output_files too_short'],
    ['an ftp URL', runSingle, input('ftp://media.example/a.mp4'), 'input_files.in_1 url_parsing'],
    [
      'a URL with a password',
      runSingle,
      input('https://u:p@media.example/a.mp4'),
      'input_files.in_1 url_parsing',
    ],
    ['a relative URL', runSingle, input('/a.mp4'), 'input_files.in_1 url_parsing'],
    [
      'a URL that is too long',
      runSingle,
      input(`${url}?${'a'.repeat(8_192)}`),
      'input_files.in_1 url_parsing',
    ],
    ['a number for a URL', runSingle, input(7), 'input_files.in_1 string_type'],
    [
      'a bad zip URL',
      runSingle,
      { input_files: null, input_compressed_folder: 'x' },
      'input_compressed_folder url_parsing',
    ],
    [
      'OUTPUT_FOLDER as an object',
      runSingle,
      { output_files: { OUTPUT_FOLDER: 'a.zip' } },
      'output_files.OUTPUT_FOLDER string_pattern_mismatch',
    ],
    ['another text for the outputs', runSingle, { output_files: 'FOLDER' }, 'output_files enum'],
    ['.m3u8 under out_1', runSingle, output('a.m3u8'), 'output_files.out_1 value_error'],
    [
      '.mp4 under out_playlist_1',
      runSingle,
      output('a.mp4', 'out_playlist_1'),
      'output_files.out_playlist_1 value_error',
    ],
    ['vcpu_count 0', runSingle, { vcpu_count: 0 }, 'vcpu_count greater_than_equal'],
    ['vcpu_count 2.5', runSingle, { vcpu_count: 2.5 }, 'vcpu_count int_parsing'],
    ['vcpu_count true', runSingle, { vcpu_count: true }, 'vcpu_count int_parsing'],
    ["vcpu_count 'four'", runSingle, { vcpu_count: 'four' }, 'vcpu_count int_parsing'],
    [
      'no seconds',
      runSingle,
      { max_command_run_seconds: 0 },
      'max_command_run_seconds greater_than',
    ],
    [
      'seconds that are no number',
      runSingle,
      { max_command_run_seconds: false },
      'max_command_run_seconds float_parsing',
    ],
    ['is_private maybe', runSingle, { is_private: 'maybe' }, 'is_private bool_parsing'],
    ['is_private 1', runSingle, { is_private: 1 }, 'is_private bool_parsing'],
    [
      'output_ttl_seconds 59',
      runSingle,
      { output_ttl_seconds: 59 },
      'output_ttl_seconds value_error',
    ],
    [
      'output_ttl_seconds above a year',
      runSingle,
      { output_ttl_seconds: 31_536_001 },
      'output_ttl_seconds less_than_equal',
    ],
    [
      'a webhook URL that is none',
      runSingle,
      { webhook_url: 'app.example' },
      'webhook_url url_parsing',
    ],
    ['a blank command', runSingle, text('  '), 'ffmpeg_command string_too_short'],
    ['an empty command', runSingle, text(''), 'ffmpeg_command string_too_short'],
    [
      'a command over 64 KiB',
      runSingle,
      text(`-i {{in_1}} {{out_1}} ${'ä'.repeat(32_768)}`),
      'ffmpeg_command string_too_long',
    ],
    ['null for the command', runSingle, { ffmpeg_command: null }, 'ffmpeg_command string_type'],
    ...[runSingle, runChain].flatMap((call): [string, Call, object, string][] => [
      ['metadata with 11 pairs', call, metadata(pairs(11)), 'metadata too_long'],
      [
        'a key of 513 characters',
        call,
        metadata({ ['k'.repeat(513)]: 1 }),
        `metadata.${'k'.repeat(513)} string_too_long`,
      ],
      ['an empty key', call, metadata({ '': 1 }), 'metadata. string_too_short'],
      [
        'a value of 513 characters',
        call,
        metadata({ a: 'x'.repeat(513) }),
        'metadata.a string_too_long',
      ],
      ['a nested value', call, metadata({ a: { b: 1 } }), 'metadata.a value_error'],
      ['an array in metadata', call, metadata({ a: [1] }), 'metadata.a value_error'],
      ['null in metadata', call, metadata({ a: null }), 'metadata.a value_error'],
      ['metadata that is no object', call, metadata('x'), 'metadata dict_type'],
    ]),
    ['no commands', runChain, { ffmpeg_commands: [] }, 'ffmpeg_commands too_short'],
    [
      'eleven commands',
      runChain,
      { ffmpeg_commands: steps(11), output_files: names(11) },
      'ffmpeg_commands too_long',
    ],
    [
      'a text for the commands',
      runChain,
      { ffmpeg_commands: '-i {{in_1}} {{out_1}}' },
      'ffmpeg_commands list_type',
    ],
    [
      'a blank command',
      runChain,
      { ffmpeg_commands: [chain.ffmpeg_commands[0], ' '] },
      'ffmpeg_commands.1 string_too_short',
    ],
    [
      'ffmpeg_command alone',
      runChain,
      { ffmpeg_commands: undefined, ffmpeg_command: 'x' },
      'ffmpeg_commands missing',
    ],
    [
      'ffmpeg_commands alone',
      runSingle,
      { ffmpeg_command: undefined, ffmpeg_commands: ['x'] },
      'ffmpeg_command missing',
    ],
    ['a zip', runChain, { input_compressed_folder: zip }, 'input_compressed_folder value_error'],
    ['OUTPUT_FOLDER', runChain, { output_files: 'OUTPUT_FOLDER' }, 'output_files dict_type'],
    [
      'an alias that is read too early',
      runChain,
      { ffmpeg_commands: chain.ffmpeg_commands.toReversed() },
      'ffmpeg_commands.0 command_alias',
    ],
    [
      'an output that no command writes',
      runChain,
      { output_files: { ...chain.output_files, out_3: 'c.mp4' } },
      'ffmpeg_commands command_alias',
    ],
    ['a URL that is none', storeFile, { file_url: 'clip.mov' }, 'file_url url_parsing'],
    ['another scheme', storeFile, { file_url: 'file:///etc/passwd' }, 'file_url url_parsing'],
  ]
  for (const [what, call, change, place] of refused) {
    it(`${call.name} refuses ${what}`, async () => {
      const answer = await submit(call, change)
      expect([answer.status, ...placesOf(answer)]).to.deep.equal([422, `body.${place}`])
    })
  }

  it('at most twenty mistakes are told', async () => {
    const inputs = Array.from({ length: 30 }, (_, index) => [`in_${index}`, 'x'])
    const answer = await submit(runSingle, { input_files: Object.fromEntries(inputs) })
    expect(placesOf(answer)).to.have.length(20)
  })

  const size = { size_bytes: 1_000 }
  for (const call of [runSingle, runChain, storeFile, initUpload]) {
    const forbidden: [string, string, object, string][] = [
      ['little', 'private files', { is_private: true }, "Plan 'little' does not include"],
      [
        'little',
        'webhooks',
        { webhook_url: 'https://app.example/' },
        "Plan 'little' does not include",
      ],
      ['full', 'a full storage', {}, 'Storage quota exceeded: 0 of 0 MB used'],
      ['spent', 'a spent month', {}, 'Processing quota exceeded: 0 of 0 MB used this month'],
      ['held', 'a suspended account', {}, 'The account is suspended'],
    ]
    for (const [account, what, change, detail] of forbidden) {
      it(`${call.name} is 403 for ${what}`, async () => {
        const answer = await submit(call, { ...size, ...change }, `key-of-${account}`)
        expect(answer.status).to.equal(403)
        expect(field(answer.body, 'detail')).to.match(new RegExp(`^${detail}`))
      })
    }
  }

  for (const [call, feature] of [
    [runChain, 'chained commands'],
    [initUpload, 'uploads'],
  ] as const) {
    it(`${call.name} is 403 on a plan without`, async () => {
      expect(await submit(call, {}, 'key-of-little')).to.deep.include({
        status: 403,
        body: { detail: `Plan 'little' does not include ${feature}` },
      })
    })
  }

  it('original_request is what was sent, with defaults filled in and numbers converted', async () => {
    const { body } = await submit(runChain, {
      max_command_run_seconds: '99999',
      is_private: 'false',
    })
    const id = String(field(body, 'command_id'))
    const shown = await checkedCall(app.url, `/v1/commands/${id}`, { key: app.key })
    expect(field(shown.body, 'original_request')).to.deep.equal({
      ...chain,
      ...{ vcpu_count: 4, max_command_run_seconds: 99_999, metadata: null, is_private: false },
      ...{ output_ttl_seconds: null, webhook_url: null },
    })
    expect(shown.body).to.include({ vcpu_count: 4, max_command_run_seconds: 3_600 })
  })

  it('environment_name is that of the key', async () => {
    const { accountId } = app.account
    const sha256 = keyHash('key-of-staging')
    await app.store.ensureApiKey({ accountId, sha256, environmentName: 'staging' })
    const { body } = await submit(runSingle, {}, 'key-of-staging')
    const id = String(field(body, 'command_id'))
    const shown = await checkedCall(app.url, `/v1/commands/${id}`, { key: app.key })
    expect(field(shown.body, 'environment_name')).to.equal('staging')
  })

  it('unknown fields are not echoed', async () => {
    const { body } = await submit(runSingle, { priority: 9 })
    const id = String(field(body, 'command_id'))
    const shown = await checkedCall(app.url, `/v1/commands/${id}`, { key: app.key })
    expect(field(shown.body, 'original_request')).not.to.have.property('priority')
    expect(Object(field(shown.body, 'original_request'))).to.include({
      ffmpeg_command: submission.ffmpeg_command,
    })
  })
})

function steps(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `-i {{in_1}} {{out_${index}}}`)
}

function names(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`out_${index}`, `${index}.mp4`]),
  )
}
