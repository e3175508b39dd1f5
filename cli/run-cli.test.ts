import { expect } from 'chai'
import { failed } from '../testing/store-contract/fixtures.ts'
import { cli } from './cli.fixture.ts'
import { createProgressLine } from './terminal/progress-line.ts'
import { start, withoutReport } from '../testing/support/api/outcomes.ts'
import { submission, useApp } from '../testing/support/api/app.ts'

const names = ['run', 'validate', 'list', 'status', 'show', 'logs', 'cancel', 'files', 'usage']

describe('cloud-ffmpeg', () => {
  const app = useApp()

  const call = (...args: string[]) => cli(args, { url: app.url, key: app.key, folder: '/none' })

  it('explains each command', async () => {
    const overview = await call('--help')
    expect(overview.code).to.equal(0)
    expect((await call()).out).to.equal(overview.out)
    for (const name of names) {
      expect(overview.out).to.match(new RegExp(`^  ${name} `, 'm'))
      expect((await call(name, '--help')).out).to.match(
        new RegExp(`^Usage: cloud-ffmpeg ${name} .*\nOptions:\n`, 's'),
      )
    }
    expect((await call('--version')).out).to.equal('1.2.3\n')
  })

  it('passes arguments after -- to FFmpeg', async () => {
    const { code, err } = await call('validate', '-o', 'out_1=a.mp4', '--', '-h')
    expect(code).to.equal(1)
    expect(err).to.match(/'-h'/)
  })

  it('the tool exits with 2 for a wrong command line', async () => {
    const invalid = [['encode'], ['status'], ['cancel', 'a', 'b'], ['files', 'burn']]
    const incomplete = [['files', 'delete'], ['logs', '--step', 'x', 'c'], ['constructor']]
    for (const args of [...invalid, ...incomplete]) {
      const { code, err } = await call(...args)
      expect([args[0], code]).to.deep.equal([args[0], 2])
      expect(err).to.match(/--help' shows more\n$/)
    }
  })

  it('validates: prints the final arguments or the mistakes', async () => {
    const args = ['validate', '-i', 'in_1=/no/such/clip.avi', '-o', 'out_1=small.mp4', '--']
    const good = await call(...args, '-i', '{{in_1}}', '-vf', 'scale=-2:320', '{{out_1}}')
    expect(good.code).to.equal(0)
    const argv: unknown = JSON.parse(good.out)
    expect(argv).to.deep.equal(['-i', '../in/in_1.avi', '-vf', 'scale=-2:320', 'small.mp4'])
    const bad = await call(...args, '-i', '{{in_7}}', '{{out_1}}')
    expect([bad.code, bad.out]).to.deep.equal([1, ''])
    expect(bad.err).to.match(
      /^-i \{\{in_7\}\} \{\{out_1\}\}\n {3}\^{8}\nffmpeg_command: Unknown alias 'in_7'/,
    )
  })

  it('shows a command from its submission to its end', async () => {
    const id = await app.submit()
    expect((await call('status', id)).out).to.match(/^QUEUED/)
    const attempt = await start(app, id)
    expect((await call('status', id)).out).to.equal('PROCESSING FFMPEG_PROCESSING 42 %\n')
    const outcome = { ...failed('INVALID_COMMAND'), errorMessage: 'FFmpeg refused the command' }
    await app.store.commitOutcome(withoutReport(id, attempt, outcome))
    const ended = await call('status', id)
    expect(ended).to.include({
      code: 1,
      out: 'FAILED 42 %\nINVALID_COMMAND: FFmpeg refused the command\nCorrect the command; the message names the option, filter or file that FFmpeg refused.\n',
    })
    const json: unknown = JSON.parse((await call('status', '--json', id)).out)
    expect(json).to.include({ command_id: id, status: 'FAILED' })
    expect((await call('logs', '-f', id)).code).to.equal(0)
  })

  it('shows the whole command as it was submitted', async () => {
    const url = `https://media.example/a.avi?token=${'a&'.repeat(1_000)}`
    const id = await app.submit({ input_files: { in_1: url } })
    const { code, out } = await call('show', id)
    expect([code, out]).to.deep.equal([
      0,
      `${submission.ffmpeg_command}\nin_1 ${url}\nout_1 ${submission.output_files.out_1}\n`,
    ])
    const json: unknown = JSON.parse((await call('show', '--json', id)).out)
    expect(json).to.deep.include({ input_files: { in_1: url } })
    expect((await call('show', 'absent')).code).to.equal(2)
  })

  it('lists the newest commands, by state and time', async () => {
    const queued = await app.submit()
    const failedId = await app.submit()
    const attempt = await start(app, failedId)
    const outcome = { ...failed('INVALID_COMMAND'), errorMessage: 'FFmpeg refused\nthe command' }
    await app.store.commitOutcome(withoutReport(failedId, attempt, outcome))
    const lines = (await call('list', '--since', '1h')).out.split('\n')
    expect(lines[0]).to.match(
      new RegExp(`^${failedId}  FAILED +\\d+ s  \\S+ → \\S+ +INVALID_COMMAND: FFmpeg refused$`),
    )
    expect(lines[1]).to.match(
      new RegExp(`^${queued}  QUEUED +\\d+ s  \\S+ → \\S+ +number \\d+ in line`),
    )
    const newest = await call('list', '--status', 'failed', '--limit', '1')
    expect(newest.out).to.contain(failedId)
    expect((await call('list', '--status', 'failed,done')).out).not.to.contain(queued)
    const json = JSON.parse((await call('list', '--json', '--limit', '1')).out) as unknown[]
    expect(json[0]).to.include({ command_id: failedId })
    for (const [args, message] of [
      [['--status', 'late'], "--status takes queued, running, failed, cancelled, done, not 'late'"],
      [['--since', 'yesterday'], "--since takes a time such as 30m, 2h or 7d, not 'yesterday'"],
      [['all'], "unexpected 'all'"],
    ] as const) {
      const { code, err } = await call('list', ...args)
      expect([code, err.split('\n')[0]]).to.deep.equal([2, `cloud-ffmpeg: ${message}`])
    }
  })

  it('finds a command by --last and by a part of its id', async () => {
    await app.submit()
    const id = await app.submit()
    for (const args of [['--last'], [id.slice(-12)], [id.toUpperCase()]]) {
      const json: unknown = JSON.parse((await call('status', '--json', ...args)).out)
      expect(json).to.include({ command_id: id })
    }
    const both = await call('status', id.slice(0, 8))
    expect(both.err).to.match(/'[0-9a-f]{8}' is part of \d+ ids, among them /)
    expect((await call('status', 'ffff-ffff')).err).to.contain('none of the newest 200 commands')
    expect((await call('logs', '--last', id)).err).to.contain(
      'expected COMMAND_ID or --last, found',
    )
    expect((await call('status')).err).to.contain('expected COMMAND_ID or --last, found nothing')
  })

  it('names the command that a mistyped one means', async () => {
    expect((await call('stauts')).err).to.contain(
      "unknown command 'stauts'; did you mean 'status'?",
    )
    expect((await call('encode')).err).to.match(/unknown command 'encode'\n/)
  })

  for (const [typed, text] of [
    ['--vcpus', "unknown option '--vcpus'; did you mean '--vcpu'?"],
    ['--no-downlod', "unknown option '--no-downlod'; did you mean '--no-download'?"],
    ['--colour', "unknown option '--colour'"],
    ['-z', "unknown option '-z'"],
  ] as const) {
    it(`names the unknown option ${typed} with the nearest one`, async () => {
      const { code, err } = await call('run', typed, '--', '-i', '{{in}}')
      expect(code).to.equal(2)
      expect(err).to.equal(`cloud-ffmpeg: ${text}\n'cloud-ffmpeg run --help' shows more\n`)
    })
  }

  it('shows help by -h behind any command and verb, and by help', async () => {
    for (const args of [['-h'], ['list', '-h'], ['files', 'get', '-h'], ['run', 'ffmpeg', '-h']]) {
      const { code, out } = await call(...args)
      expect([code, out]).to.match(/^0,Usage: cloud-ffmpeg /)
    }
    expect((await call('help', 'list')).out).to.equal((await call('list', '-h')).out)
  })

  it('names the option that has no value', async () => {
    const { code, err } = await call('list', '--limit')
    expect([code, err]).to.match(/^2,cloud-ffmpeg: option '--limit <NUMBER>' argument missing\n/)
    expect((await call('usage', '--days', 'x')).err).to.contain(
      "--days takes a whole number, not 'x'",
    )
  })

  it('cancels', async () => {
    const id = await app.submit()
    const { code, out } = await call('cancel', id)
    expect([code, out]).to.deep.equal([0, 'FAILED\nCANCELLED: Cancelled by request\n'])
  })

  it('cancels all that are queued, and nothing else', async () => {
    const running = await app.submit()
    await start(app, running)
    const ids = await Promise.all(Array.from({ length: 3 }, () => app.submit()))
    const { code, out } = await call('cancel', '--all-queued')
    expect([code, out]).to.match(/^0,cancelled \d+ commands\n$/)
    for (const id of ids) expect((await call('status', id)).out).to.contain('CANCELLED')
    expect((await call('status', running)).out).to.contain('PROCESSING')
    expect((await call('cancel', '--all-queued')).out).to.equal('cancelled 0 commands\n')
    expect((await call('cancel', '--all-queued', running)).code).to.equal(2)
  })

  it('shows every change of the list until Ctrl-C', async () => {
    const stop = new AbortController()
    const screens: string[] = []
    let submitted: string | null = null
    const watched = await cli(['list', '--watch', '--limit', '2'], {
      url: app.url,
      key: app.key,
      folder: '/none',
      signal: stop.signal,
      redraw(lines) {
        screens.push(lines.join('\n'))
        if (submitted !== null && screens.at(-1)?.includes(submitted) === true) stop.abort()
        else if (screens.length === 1) void app.submit().then((id) => (submitted = id))
      },
    })
    expect([watched.code, watched.out]).to.deep.equal([0, ''])
    expect(screens[0]).not.to.contain(submitted)
    const lines = await cli(['list', '--watch', '--limit', '1'], {
      url: app.url,
      key: 'wrong',
      folder: '/none',
    })
    expect(lines.code).to.equal(1)
    expect(lines.err).to.contain('Invalid authorization key')
  })

  it('lists by metadata', async () => {
    const id = await app.submit({ metadata: { order: 'a17' } })
    await app.submit({ metadata: { order: 'a18' } })
    expect((await call('list', '--metadata', 'order=a17')).out).to.match(
      new RegExp(`^${id} .*\\n$`),
    )
    expect((await call('list', '--metadata', 'order')).err).to.contain(
      '--metadata takes NAME=VALUE',
    )
  })

  it("opens the console's page, or prints its address", async () => {
    const id = await app.submit()
    const opened: string[] = []
    const world = { url: `${app.url}/`, key: app.key, folder: '/none' }
    const shown = await cli(['open', id.slice(-12)], {
      ...world,
      openPage: (page) => opened.push(page) > 0,
    })
    expect([shown.out, opened]).to.deep.equal(['', [`${app.url}/console/commands/${id}`]])
    expect((await cli(['open'], world)).out).to.equal(`${app.url}/console/commands\n`)
  })

  it('shows the usage', async () => {
    const { out } = await call('usage')
    expect(out)
      .to.match(/^plan +pro$/m)
      .and.match(/^includes +chained, uploads, private, webhooks$/m)
  })

  it('shows the usage of each of the last days', async () => {
    await app.submit()
    const { code, out } = await call('usage', '--days', '2')
    expect(code).to.equal(0)
    expect(out).to.match(/^(?:\d{4}-\d\d-\d\d {2}\d+ done, \d+ failed, \d+ cancelled .*\n){1,2}$/)
    const [today = ''] = new Date().toISOString().split('T')
    const json = JSON.parse((await call('usage', '--days', '3', '--json')).out) as { from: string }
    expect(Date.parse(today) - Date.parse(json.from)).to.equal(2 * 86_400_000)
    expect(JSON.parse((await call('usage', '--days', '2', '--json')).out)).to.include({
      bucket: 'day',
    })
  })

  it('lists, makes and revokes keys of the account', async () => {
    const { out } = await call('keys', 'list')
    expect(out).to.match(/^[0-9a-f-]{36} {2}.*this one\n$/)
    const [id = ''] = out.split(' ')
    // The last full key of an account cannot be revoked.
    const last = await call('keys', 'revoke', id)
    expect([last.code, last.out]).to.deep.equal([1, ''])
    const made = await call('keys', 'create', 'wall screen', '--read-only', '--expires-in', '30d')
    expect(made.out).to.match(/^cff_\S+\n$/)
    expect(made.err).to.match(/wall screen +never used, expires in \d+ d, read only\n$/)
    expect((await call('keys', 'revoke', made.err.split(' ')[0] ?? '')).code).to.equal(0)
    expect((await call('keys', 'lst')).err).to.contain("did you mean 'list'?")
  })

  it('lists files and names a missing one', async () => {
    expect(await call('files', 'list')).to.deep.equal({ code: 0, out: '', err: '' })
    const { code, err } = await call('files', 'get', '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01')
    expect(code).to.equal(1)
    expect(err).to.match(
      /^cloud-ffmpeg: File not found: 0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01 \[request [^\]]+\]\n$/,
    )
  })
})

describe('the progress line', () => {
  const shown = (isTTY: boolean): string => {
    let text = ''
    const line = createProgressLine({ isTTY, columns: 20, write: (more) => (text += more) })
    line.show('uploading', '1 %')
    line.show('uploading', '2 %')
    line.show('a very long line that does not fit')
    line.say('done')
    return text
  }

  it('the progress line stays one line on a terminal', () => {
    expect(shown(true)).to.equal(
      '\r\x1b[Kuploading 1 %\r\x1b[Kuploading 2 %\r\x1b[Ka very long line th\r\x1b[Kdone\n',
    )
  })

  it('writes each step once to a file', () => {
    expect(shown(false)).to.equal('uploading\na very long line that does not fit\ndone\n')
  })
})
