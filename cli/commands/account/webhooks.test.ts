import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { cli } from '../../cli.fixture.ts'

describe('cloud-ffmpeg webhooks', () => {
  const app = useApp()
  const call = (args: string[], world: Partial<Parameters<typeof cli>[1]> = {}) =>
    cli(['webhooks', ...args], { url: app.url, key: app.key, folder: '/none', ...world })

  it('shows, sets and deletes the receiver, and prints the secret alone', async () => {
    expect((await call([])).out).to.contain("no webhook is set: 'cloud-ffmpeg webhooks set URL'")
    const url = 'https://app.example/hook'
    expect((await call(['set', '--event', 'file.stored', url])).out).to.match(
      /^https:\/\/app\.example\/hook\nevents {2}file\.stored\n/,
    )
    expect((await call([])).out)
      .to.contain(url)
      .and.not.to.contain('whsec_')
    const { out: secret } = await call(['secret'])
    expect(secret).to.match(/^whsec_\S+\n$/)
    expect((await call(['set', '--rotate-secret', url])).code).to.equal(0)
    expect((await call(['secret'])).out)
      .to.match(/^whsec_/)
      .and.not.to.equal(secret)
    expect((await call(['delete'])).code).to.equal(0)
    expect(JSON.parse((await call(['--json'])).out)).to.include({ url: null })
  })

  it('receives a verified event at this machine, and refuses others', async () => {
    const stop = new AbortController()
    let found: (url: string) => void
    const listening = new Promise<string>((resolve) => (found = resolve))
    const listener = call(['listen', '--port', '0'], {
      signal: stop.signal,
      onError(text) {
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
        if (url !== undefined) found(url)
      },
    })
    const url = await listening
    await call(['set', url])
    const tested = await call(['test'])
    expect(tested.out).to.match(/^answered 204 in \d+ ms\n$/)
    expect(tested.code).to.equal(0)
    const forged = await fetch(url, { method: 'POST', body: '{}' })
    expect(forged.status).to.equal(400)
    expect((await fetch(url)).status).to.equal(405)
    stop.abort()
    const { code, out, err } = await listener
    expect(code).to.equal(0)
    expect(out).to.match(/^\S+ {2}command\.finished {2}[0-9a-f-]{36} {2}SUCCESS\n$/)
    expect(err).to.contain('refused: the request needs the headers webhook-id')
    await call(['delete'])
    const failed = await call(['test'])
    expect([failed.code, failed.out]).to.deep.equal([1, ''])
  })

  it('lists deliveries of a command', async () => {
    await call(['set', `${app.url}/healthz`])
    const id = await app.submit()
    await cli(['cancel', id], { url: app.url, key: app.key, folder: '/none' })
    const { out } = await call(['list', '--command', id.slice(-12)])
    expect(out).to.match(new RegExp(`^\\S+ {2}PENDING {4}command\\.finished {2}.*${id}`))
    const [webhookId = ''] = out.split(' ')
    const again = await call(['redeliver', webhookId])
    expect([again.code, again.err]).to.deep.equal([0, ''])
    expect(again.out).to.match(new RegExp(`^${webhookId} {2}PENDING`))
    expect(
      JSON.parse((await call(['list', '--event', 'file.stored', '--json'])).out),
    ).to.deep.equal([])
    await call(['delete'])
  })

  it('names the nearest verb', async () => {
    expect((await call(['tes'])).err).to.contain("not 'tes'; did you mean 'test'?")
  })
})
