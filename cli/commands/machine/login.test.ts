import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { profileFile } from '../../terminal/profile-file.ts'
import { useFolder } from '../../../testing/support/mocha.ts'
import { cli } from '../../cli.fixture.ts'

describe('cloud-ffmpeg login', () => {
  const app = useApp()
  const inFolder = useFolder()
  const call = (args: string[], answers: string[] = []) =>
    cli(args, { url: app.url, key: app.key, folder: inFolder(), answers })
  const kept = () => profileFile(inFolder('profiles.json')).read()

  it('keeps what the service has taken, and makes it the current profile', async () => {
    const { code, out, err } = await call(['login'], [app.url, app.key])
    expect(code).to.equal(0)
    expect(out).to.contain(`profile default: ${app.url}, plan pro; kept in ${inFolder()}`)
    expect(err).to.equal('Address of the service: API key: ')
    await call(['login', '--profile', 'second', '--url', app.url], [app.key])
    const profile = { url: app.url, apiKey: app.key }
    expect(await kept()).to.deep.equal({
      current: 'second',
      byName: { default: profile, second: profile },
    })
    expect((await call(['profiles'])).out).to.match(/^ {2}default +http.*\n\* second +http/)
    expect((await call(['use', 'default'])).out).to.contain('using profile default')
    expect((await call(['logout'])).out).to.equal('forgot profile default; now using second\n')
    expect((await call(['logout', 'second'])).out).to.equal('forgot profile second\n')
    expect((await call(['logout'])).err).to.contain('no profile is kept here')
  })

  it('keeps nothing that does not work', async () => {
    const unknown = await call(['login', '--url', app.url], ['cff_unknown'])
    expect(unknown.code).to.equal(1)
    expect(unknown.err).to.contain('API key')
    for (const [args, answers, message] of [
      [['--url', 'media.example.com'], [app.key], 'write http://media.example.com'],
      [['--url', app.url], [''], 'no API key was given'],
      [['--url', app.url, '--profile', 'a b'], [app.key], "not 'a b'"],
    ] as const) {
      const { code, err } = await call(['login', ...args], [...answers])
      expect([code, err.includes(message)], err).to.deep.equal([2, true])
    }
    expect((await kept()).current).to.equal(null)
  })

  it('login needs a name after -P', async () => {
    expect((await call(['-P'])).code).to.equal(2)
    expect((await call(['-P', 'prod', 'usage'])).out).to.contain('plan')
  })
})
