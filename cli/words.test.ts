import { expect } from 'chai'
import { cli } from './cli.fixture.ts'
import { useApp } from '../testing/support/api/app.ts'

describe('the words of cloud-ffmpeg', () => {
  const app = useApp()
  const call = (...args: string[]) => cli(args, { url: app.url, key: app.key, folder: '/none' })

  for (const [args, message] of [
    [['status', 'zzz'], "'zzz' is not the id of a command: give an id, at least 4 of its"],
    [['cancel', 'abc'], "'abc' is not the id of a command"],
    [['files', 'get', 'x'], "'x' is not a FILE_ID: 'cloud-ffmpeg files' prints them"],
    [['files', 'delete', 'x'], "'x' is not a FILE_ID"],
    [['keys', 'revoke', 'x'], "'x' is not a KEY_ID: 'cloud-ffmpeg keys' prints them"],
    [['list', '--limit', '99999'], '--limit takes a number from 1 to 1000, not 99999'],
    [['files', 'list', '--limit', '0'], '--limit takes a number from 1 to 1000, not 0'],
  ] as const) {
    it(`the tool names the argument that is wrong: ${args.join(' ')}`, async () => {
      const { code, err } = await call(...args)
      expect(code).to.equal(2)
      expect(err).to.contain(`cloud-ffmpeg: ${message}`)
    })
  }

  it('the tool lists keys and files when the group stands alone', async () => {
    const keys = await call('keys')
    expect(keys.out).to.equal((await call('keys', 'list')).out)
    expect(keys.out).to.match(/^[0-9a-f-]{36} {2}.*this one\n$/)
    expect(keys.out).not.to.match(/\dT\d/)
    expect((await call('files', '--json')).out).to.equal('[]\n')
    expect((await call('files', 'burn')).code).to.equal(2)
  })

  it('the tool shows the version, and the account with its key', async () => {
    expect((await call('version')).out).to.equal('1.2.3\n')
    const { code, out } = await call('whoami')
    expect(code).to.equal(0)
    expect(out).to.contain(`service  ${app.url} (CLOUD_FFMPEG_URL)\n`)
    expect(out).to.contain('account  first, plan pro\n')
  })
})

describe('the words of cloud-ffmpeg during a pause', () => {
  const pausedAt = new Date()
  const pause = {
    what: 'admission',
    accountId: null,
    why: 'Disk swap until 14:00',
    pausedAt,
  } as const
  const app = useApp({ pauses: { current: () => [pause] } })

  it('the tool shows the reason of an administrator in the usage of the account', async () => {
    const { out } = await cli(['usage'], { url: app.url, key: app.key, folder: '/none' })
    expect(out).to.match(/^paused +start of commands: Disk swap until 14:00$/m)
  })
})
