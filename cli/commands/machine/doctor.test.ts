import { createServer } from 'node:https'
import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { succeed } from '../../../testing/support/api/outcomes.ts'
import { listenAt } from '../../../testing/support/http-server.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import { cli } from '../../cli.fixture.ts'

describe('cloud-ffmpeg doctor', () => {
  const app = useApp()
  const doctor = (world: { key?: string; url?: string; fetch?: typeof fetch } = {}) =>
    cli(['doctor'], { url: app.url, key: app.key, folder: '/none', ...world })
  const isService = (input: Parameters<typeof fetch>[0]): boolean =>
    (input instanceof Request ? input.url : new URL(input).href).startsWith(app.url)
  /** Answers of the storage and of the clock, which have no server here. */
  const answering =
    (status: number, agoMs = 0, allowed: string | null = null): typeof fetch =>
    (input) =>
      Promise.resolve(
        new Response(null, {
          status: isService(input) ? 200 : status,
          headers: {
            date: new Date(Date.now() - agoMs).toUTCString(),
            ...(allowed === null ? {} : { 'access-control-allow-origin': allowed }),
          },
        }),
      )

  it('finds nothing where everything is well', async () => {
    const empty = await doctor()
    expect(empty.code).to.equal(0)
    expect(empty.out).to.contain(`ok       address  ${app.url} (CLOUD_FFMPEG_URL)`)
    expect(empty.out)
      .to.match(/^ok +key +plan pro/m)
      .and.to.match(/^ok +storage +not tried/m)
    await succeed(app, await app.submit())
    const stored = await doctor({ fetch: answering(206) })
    expect(stored.code).to.equal(0)
    expect(stored.out).to.contain('ok       storage  https://files.example\n')
    expect(stored.out).to.match(/^note +CORS +.*admin storage cors --origin http/m)
    const open = await doctor({ fetch: answering(206, 0, '*') })
    expect(open.out).to.match(/^ok +CORS +pages of http/m)
  })

  it('names the key, the clock, the storage or the service with the remedy', async () => {
    const wrongKey = await doctor({ key: 'cff_unknown' })
    expect(wrongKey.code).to.equal(1)
    expect(wrongKey.out).to.contain(
      "PROBLEM  key      the service does not know the key of CLOUD_FFMPEG_API_KEY; 'cloud-ffmpeg login' keeps another",
    )
    const late = await doctor({ fetch: answering(206, 3_600_000) })
    expect(late.code).to.equal(1)
    expect(late.out).to.match(/PROBLEM {2}clock +3\d{3} s ahead of the service: set this machine/)
    const refused = await doctor({ fetch: answering(403) })
    expect(refused.out).to.contain('PROBLEM  storage  https://files.example answers 403')
    const none = await doctor({
      fetch: (input) =>
        isService(input)
          ? Promise.resolve(new Response())
          : Promise.reject(new TypeError('fetch failed', { cause: new Error('no such host') })),
    })
    expect(none.out).to.contain(
      'https://files.example does not answer: no such host. Is its public',
    )
  })

  it('names a host that does not exist and one that does not speak TLS', async () => {
    const unknown = await doctor({ url: 'https://service.invalid' })
    expect(unknown.code).to.equal(1)
    expect(unknown.out).to.match(
      /PROBLEM {2}DNS +no answer from https:\/\/service\.invalid: (its|the host) name .*\(E/,
    )
    const plain = app.url.replace('http:', 'https:')
    expect((await doctor({ url: plain })).out).to.match(
      /PROBLEM {2}TLS +.*is the address http, not https\? \(ERR_SSL_WRONG_VERSION_NUMBER\)/,
    )
  })

  it('says how to trust the authority of a certificate that this machine does not know', async () => {
    const authority = await createTestAuthority('own')
    const server = await listenAt('127.0.0.1', createServer(await authority.issue()))
    const url = server.url.replace('http:', 'https:')
    const { code, out } = await doctor({ url })
    await server.close()
    expect(code).to.equal(1)
    expect(out).to.match(
      /PROBLEM {2}TLS +.*name the file of your own authority in NODE_EXTRA_CA_CERTS/,
    )
  })
})
