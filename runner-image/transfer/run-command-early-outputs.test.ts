import { expect } from 'chai'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attemptFixture } from '../../testing/runner/attempt-fixture.ts'
import type { GatewayScript } from '../../testing/runner/gateway-server.ts'
import { progressOf } from '../../testing/runner/scripted-supervisor.ts'
import { useFixture } from '../../testing/support/scratch.ts'

describe('one attempt, whose outputs leave before it ends', () => {
  const fixture = useFixture(attemptFixture)

  const chained = {
    commands: ['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}'],
    outputs: { out_1: 'a.mp4', out_2: 'b.mp4' },
  }

  it('stores the outputs of a step while later steps run', async () => {
    const stored = Promise.withResolvers<void>()
    const { exitCode, gateway } = await fixture.attempt(
      {
        run: async ({ step }) => {
          if (step === 1) await stored.promise
          await write(chained.outputs, step)
          return { code: 0 }
        },
      },
      { ...chained, overlap: { inputs: false, outputs: false } },
      whenPut('/single/a.mp4', stored),
    )
    expect(exitCode).to.equal(0)
    expect([...gateway.objects.keys()]).to.deep.equal(['a.mp4', 'b.mp4'])
    expect(gateway.calls.filter((call) => call.startsWith('PUT')).length).to.equal(2)
  })

  it('sends an output again that a later step has changed', async () => {
    const stored = Promise.withResolvers<void>()
    const { gateway } = await fixture.attempt(
      {
        run: async ({ step }) => {
          await write(chained.outputs, step)
          if (step === 0) return { code: 0 }
          await stored.promise
          await writeFile(join(fixture.root, 'work/a.mp4'), 'MADE')
          return { code: 0 }
        },
      },
      chained,
      whenPut('/single/a.mp4', stored),
    )
    expect(String(gateway.objects.get('a.mp4'))).to.equal('MADE')
  })

  it('stores again in the end what storage did not take at first', async () => {
    const refused = Promise.withResolvers<void>()
    const { exitCode, gateway } = await fixture.attempt(
      {
        run: async ({ step }) => {
          if (step === 1) await refused.promise
          await write(chained.outputs, step)
          return { code: 0 }
        },
      },
      chained,
      {
        intercept({ method, path, count }, response) {
          if (method !== 'PUT' || path !== '/single/a.mp4' || count > 1) return false
          // Gone, so that it is not tried again at once.
          response.writeHead(404).end()
          refused.resolve()
          return true
        },
      },
    )
    expect(exitCode).to.equal(0)
    expect([...gateway.objects.keys()].toSorted()).to.deep.equal(['a.mp4', 'b.mp4'])
  })

  describe('with a playlist', () => {
    const playlist = {
      commands: ['-i {{in_1}} {{out_playlist_1}}'],
      outputs: { out_playlist_1: 'p.m3u8' },
    }
    const file = (name: string) => join(fixture.root, 'work/out_playlist_1', name)

    it('stores segments while FFmpeg writes others, and the manifest last', async () => {
      const stored = Promise.withResolvers<void>()
      const { exitCode, gateway, published } = await fixture.attempt(
        {
          run: async () => {
            await writeFile(file('p.m3u8'), 'two segments')
            for (const index of [0, 1, 2]) await writeFile(file(`p${String(index)}.ts`), 'segment')
            await stored.promise
            await writeFile(file('p.m3u8'), 'four segments')
            await writeFile(file('p3.ts'), 'segment')
            return { code: 0 }
          },
        },
        playlist,
        whenPut('/single/out_playlist_1/p1.ts', stored),
      )
      expect(exitCode).to.equal(0)
      expect([...gateway.objects.keys()].at(-1)).to.equal('out_playlist_1/p.m3u8')
      expect(String(gateway.objects.get('out_playlist_1/p.m3u8'))).to.equal('four segments')
      expect(published).to.deep.equal([
        {
          alias: 'out_playlist_1',
          path: 'out_playlist_1/p.m3u8',
          sizeBytes: 13 + 4 * 7,
          fileCount: 5,
        },
      ])
      const puts = gateway.calls.filter((call) => call.startsWith('PUT'))
      expect(puts.length).to.equal(5)
    })

    it('sends a segment again that has changed since, and the manifest after it', async () => {
      const stored = Promise.withResolvers<void>()
      const { gateway } = await fixture.attempt(
        {
          run: async () => {
            for (const index of [0, 1, 2]) await writeFile(file(`p${String(index)}.ts`), 'segment')
            await stored.promise
            await writeFile(file('p0.ts'), 'changed')
            await writeFile(file('p.m3u8'), 'manifest')
            return { code: 0 }
          },
        },
        playlist,
        whenPut('/single/out_playlist_1/p0.ts', stored),
      )
      expect(String(gateway.objects.get('out_playlist_1/p0.ts'))).to.equal('changed')
      const puts = gateway.calls.filter((call) => call.startsWith('PUT'))
      expect(puts.at(-1)).to.equal('PUT /single/out_playlist_1/p.m3u8')
    })

    it('records no segment that FFmpeg has removed', async () => {
      const stored = Promise.withResolvers<void>()
      const { published } = await fixture.attempt(
        {
          run: async () => {
            for (const index of [0, 1, 2]) await writeFile(file(`p${String(index)}.ts`), 'segment')
            await stored.promise
            await rm(file('p0.ts'))
            await writeFile(file('p.m3u8'), 'manifest')
            return { code: 0 }
          },
        },
        playlist,
        whenPut('/single/out_playlist_1/p0.ts', stored),
      )
      expect(published).to.deep.equal([
        {
          alias: 'out_playlist_1',
          path: 'out_playlist_1/p.m3u8',
          sizeBytes: 8 + 2 * 7,
          fileCount: 3,
        },
      ])
    })

    it('stores nothing before FFmpeg has ended when that is switched off', async () => {
      let puts = 0
      let reported = Promise.withResolvers<void>()
      const { gateway } = await fixture.attempt(
        {
          run: async ({ id }, say) => {
            for (const index of [0, 1, 2]) await writeFile(file(`p${String(index)}.ts`), 'segment')
            await writeFile(file('p.m3u8'), 'manifest')
            // Reports come a second apart; segments are polled twice as often.
            for (const seconds of [2, 4]) {
              reported = Promise.withResolvers<void>()
              say(progressOf(id, seconds * 1e6))
              await reported.promise
            }
            return { code: 0, seconds: puts }
          },
          probe: () => ({ streams: 1, duration: 10 }),
        },
        { ...playlist, overlap: { inputs: true, outputs: false } },
        {
          progress: () => {
            reported.resolve()
            return { cancel: false }
          },
          intercept({ method }) {
            if (method === 'PUT') puts++
            return false
          },
        },
      )
      expect([gateway.results[0]?.usage.ffmpegRunSeconds, puts]).to.deep.equal([0, 4])
    })
  })

  async function write(outputs: Record<string, string>, step: number): Promise<void> {
    await writeFile(join(fixture.root, 'work', Object.values(outputs)[step] ?? ''), 'made')
  }
})

/** Resolves when the answer to a PUT has been sent. */
function whenPut(
  path: string,
  stored: PromiseWithResolvers<void>,
): Pick<GatewayScript, 'intercept'> {
  return {
    intercept(call, response) {
      if (call.method === 'PUT' && call.path === path) response.once('finish', stored.resolve)
      return false
    },
  }
}
