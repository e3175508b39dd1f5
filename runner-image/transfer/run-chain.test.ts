import { expect } from 'chai'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attemptFixture } from './testing/attempt-fixture.ts'
import type { AttemptFixture } from './testing/attempt-fixture.ts'
import type { GatewayScript, TestGateway } from './testing/gateway-server.ts'

describe('one attempt at a chain', () => {
  let fixture: AttemptFixture
  beforeEach(async () => {
    fixture = await attemptFixture()
  })
  afterEach(() => fixture.cleanUp())

  const three = {
    commands: ['-i {{in_1}} {{out_1}}', '-i {{in_1}} {{out_2}}', '-i {{in_1}} {{out_3}}'],
    outputs: { out_1: 'a.mp4', out_2: 'b.mp4', out_3: 'c.mp4' },
    vcpuCount: 3,
  }

  it('runs steps that share no file side by side', async () => {
    const started = signals(3)
    const { exitCode, gateway } = await fixture.attempt(
      {
        run: async ({ step }) => {
          started[step]?.resolve()
          await Promise.all(started.map(({ promise }) => promise))
          await write(three.outputs, step)
          return { code: 0, seconds: step + 1 }
        },
      },
      three,
    )
    expect(exitCode).to.equal(0)
    const [result] = gateway.results
    expect(result?.steps.map((step) => step.ffmpeg_command_run_seconds)).to.deep.equal([1, 2, 3])
    expect(result?.usage.ffmpegRunSeconds).to.equal(6)
  })

  it('runs as many as there are vCPUs', async () => {
    let running = 0
    let most = 0
    await fixture.attempt(
      {
        run: async ({ step }) => {
          most = Math.max(most, ++running)
          await write(three.outputs, step)
          running--
          return { code: 0 }
        },
      },
      { ...three, vcpuCount: 1 },
    )
    expect(most).to.equal(1)
  })

  it('ends those after a step that fails, and they count as never run', async () => {
    const last = Promise.withResolvers<void>()
    const { exitCode, gateway, supervisor } = await fixture.attempt(
      {
        run: async ({ step }) => {
          if (step === 2) last.resolve()
          await last.promise
          if (step === 1) return { code: 1, tail: 'no' }
          if (step === 2) return 'hang'
          await write(three.outputs, step)
          return { code: 0, seconds: 4 }
        },
      },
      three,
    )
    expect(exitCode).to.equal(22)
    const [result] = gateway.results
    expect(
      result?.steps.map(({ status, ffmpeg_command_run_seconds: seconds, exit_code: code }) => [
        status,
        seconds,
        code,
      ]),
    ).to.deep.equal([
      ['SUCCESS', 4, 0],
      ['FAILED', 1.5, 1],
      ['SKIPPED', null, null],
    ])
    expect(result?.usage.ffmpegRunSeconds).to.equal(5.5)
    expect(result?.outcome).to.deep.include({
      errorMessage: 'FFmpeg refused the command in command 1: no',
    })
    expect(supervisor.received.filter(({ type }) => type === 'kill').length).to.equal(1)
    expect(publishedBy(gateway)).to.deep.equal([])
  })

  it('tells the failure of the lowest step, whichever fails first', async () => {
    const second = Promise.withResolvers<void>()
    const { gateway } = await fixture.attempt(
      {
        run: async ({ step }) => {
          if (step === 1) return { code: 1, tail: 'second' }
          // Its end is heard only after that of the second step.
          if (step === 0) await second.promise
          return { code: 1, tail: 'first' }
        },
      },
      { ...three, commands: three.commands.slice(0, 2), outputs: { out_1: 'a', out_2: 'b' } },
      {
        progress: () => {
          second.resolve()
          return { cancel: false }
        },
      },
    )
    const [result] = gateway.results
    expect(result?.outcome).to.deep.include({
      errorMessage: 'FFmpeg refused the command in command 0: first',
    })
    expect(result?.steps.map(({ status }) => status)).to.deep.equal(['FAILED', 'SKIPPED'])
  })

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
      const { exitCode, gateway } = await fixture.attempt(
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
      expect(publishedBy(gateway)).to.deep.equal([['out_playlist_1/p.m3u8', 13 + 4 * 7, 5]])
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
      const { gateway } = await fixture.attempt(
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
      expect(publishedBy(gateway)).to.deep.equal([['out_playlist_1/p.m3u8', 8 + 2 * 7, 3]])
    })

    it('stores nothing before FFmpeg has ended where that is switched off', async () => {
      let puts = 0
      let reported = Promise.withResolvers<void>()
      const { gateway } = await fixture.attempt(
        {
          run: async ({ id }, say) => {
            for (const index of [0, 1, 2]) await writeFile(file(`p${String(index)}.ts`), 'segment')
            await writeFile(file('p.m3u8'), 'manifest')
            // Reports come a second apart; segments are looked at twice as often.
            for (const seconds of [2, 4]) {
              reported = Promise.withResolvers<void>()
              say({ ...progressed, id, outTimeUs: seconds * 1e6 })
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

  const chained = {
    commands: ['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}'],
    outputs: { out_1: 'a.mp4', out_2: 'b.mp4' },
  }

  async function write(outputs: Record<string, string>, step: number): Promise<void> {
    await writeFile(join(fixture.root, 'work', Object.values(outputs)[step] ?? ''), 'made')
  }
})

const progressed = {
  type: 'progress',
  step: 0,
  outTimeUs: null,
  frame: null,
  totalBytes: null,
  speed: null,
  stalled: false,
} as const

function signals(count: number): PromiseWithResolvers<void>[] {
  return Array.from({ length: count }, () => Promise.withResolvers<void>())
}

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

function publishedBy({ results: [result] }: TestGateway) {
  if (result?.outcome.status !== 'SUCCESS') return []
  return result.outcome.files.map(({ path, sizeBytes, fileCount }) => [path, sizeBytes, fileCount])
}
