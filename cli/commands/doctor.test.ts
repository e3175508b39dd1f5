import { expect } from 'chai'
import { useApp } from '../../api-server/app.fixture.ts'
import { succeed } from '../../api-server/commands/outcomes.fixture.ts'
import { cli } from '../cli.fixture.ts'

describe('cloud-ffmpeg doctor', () => {
  const app = useApp()
  const doctor = (world: { key?: string; url?: string; fetch?: typeof fetch } = {}) =>
    cli(['doctor'], { url: app.url, key: app.key, folder: '/none', ...world })
  const isService = (input: Parameters<typeof fetch>[0]): boolean =>
    (input instanceof Request ? input.url : new URL(input).href).startsWith(app.url)
  /** Answers of the storage and of the clock, which have no server here. */
  const answering =
    (status: number, date: Date): typeof fetch =>
    (input) =>
      Promise.resolve(
        new Response(null, {
          status: isService(input) ? 200 : status,
          headers: { date: date.toUTCString() },
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
    const stored = await doctor({ fetch: answering(206, new Date()) })
    expect([
      stored.code,
      stored.out.endsWith('ok       storage  https://files.example\n'),
    ]).to.deep.equal([0, true])
  })

  it('names the key, the clock, the storage or the service with the remedy', async () => {
    const wrongKey = await doctor({ key: 'cff_unknown' })
    expect(wrongKey.code).to.equal(1)
    expect(wrongKey.out).to.contain(
      "PROBLEM  key      the service does not know the key of CLOUD_FFMPEG_API_KEY; 'cloud-ffmpeg login' keeps another",
    )
    const hourAgo = new Date(new Date().getTime() - 3_600_000)
    const late = await doctor({ fetch: answering(206, hourAgo) })
    expect(late.code).to.equal(1)
    expect(late.out).to.match(/PROBLEM {2}clock +3\d{3} s ahead of the service: set this machine/)
    const refused = await doctor({ fetch: answering(403, new Date()) })
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
})
