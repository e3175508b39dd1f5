import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attemptFixture } from '../../testing/runner/attempt-fixture.ts'
import { useFixture } from '../../testing/support/scratch.ts'

describe('one attempt at a chain', () => {
  const fixture = useFixture(attemptFixture)

  it('runs the steps of a chain in order, each on the files of those before', async () => {
    const { exitCode, gateway, supervisor } = await fixture.attempt(
      {
        run: async ({ step }) => {
          await writeFile(join(fixture.root, 'work', step === 0 ? 'a.mp4' : 'b.gif'), 'made')
          return { code: 0, seconds: 2 }
        },
      },
      {
        commands: ['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}'],
        outputs: { out_1: 'a.mp4', out_2: 'b.gif' },
      },
    )
    expect(exitCode).to.equal(0)
    const argvs = supervisor.received.flatMap((message) =>
      message.type === 'run' ? [message.argv.filter((word) => /\.(mp4|gif)$/.test(word))] : [],
    )
    expect(argvs).to.deep.equal([
      ['../in/in_1.mp4', 'a.mp4'],
      ['a.mp4', 'b.gif'],
    ])
    expect(gateway.results[0]?.usage.ffmpegRunSeconds).to.equal(4)
    expect([...gateway.objects.keys()].toSorted()).to.deep.equal(['a.mp4', 'b.gif'])
  })

  it('stores no pattern that goes from one step to the next, and has the log of a step written', async () => {
    const { exitCode, gateway, published, supervisor } = await fixture.attempt(
      {
        run: async ({ step }) => {
          const names = step === 0 ? ['f_001.png', 'f_002.png'] : ['a.mp4', 'log.txt']
          for (const name of names) {
            await writeFile(join(fixture.root, 'work', name), name === 'log.txt' ? '' : 'made')
          }
          return { code: 0 }
        },
      },
      {
        commands: ['-i {{in_1}} f_%03d.png', '-v error -i f_%03d.png {{out_1}} 2> {{out_2}}'],
        outputs: { out_1: 'a.mp4', out_2: 'log.txt' },
      },
    )
    expect(exitCode).to.equal(0)
    expect(published.map(({ path }) => path)).to.deep.equal(['a.mp4', 'log.txt'])
    expect([...gateway.objects.keys()].toSorted()).to.deep.equal(['a.mp4', 'log.txt'])
    const logs = supervisor.received.flatMap((message) =>
      message.type === 'run' ? [message.log] : [],
    )
    const inputPaths = { in_1: '../in/in_1.mp4' }
    expect(logs).to.deep.equal([null, { path: 'log.txt', level: 16, isMarked: false, inputPaths }])
  })

  it('a chain succeeds without a file where none is declared', async () => {
    const { exitCode, gateway, published } = await fixture.attempt(
      { run: async () => ({ code: 0 }) },
      { commands: ['-i {{in_1}} -f null -', '-i {{in_1}} -f null -'], outputs: {} },
    )
    expect([exitCode, published, gateway.objects.size]).to.deep.equal([0, [], 0])
    expect(gateway.results[0]?.outcome).to.deep.equal({ status: 'SUCCESS', files: [], objects: [] })
  })

  it('publishes nothing of a chain whose second step fails, and skips the third', async () => {
    const { exitCode, gateway, published } = await fixture.attempt(
      {
        run: async ({ step }) => {
          await writeFile(join(fixture.root, 'work', 'a.mp4'), 'made')
          return { code: step === 0 ? 0 : 1, tail: 'no' }
        },
      },
      {
        commands: ['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}', '-i {{out_2}} {{out_3}}'],
        outputs: { out_1: 'a.mp4', out_2: 'b.gif', out_3: 'c.gif' },
      },
    )
    expect([exitCode, published]).to.deep.equal([0, []])
    const [result] = gateway.results
    expect(result?.steps.map(({ status }) => status)).to.deep.equal([
      'SUCCESS',
      'FAILED',
      'SKIPPED',
    ])
    expect(result?.outcome).to.deep.include({
      errorMessage: 'FFmpeg refused the command in command 1: no',
    })
  })

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

  it('the attempt runs as many steps as there are vCPUs', async () => {
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

  it('the attempt ends the steps after one that fails, and they count as never run', async () => {
    const last = Promise.withResolvers<void>()
    const { exitCode, gateway, supervisor, published } = await fixture.attempt(
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
    expect(exitCode).to.equal(0)
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
    expect(published).to.deep.equal([])
  })

  it('reports the failure of the lowest step, whichever fails first', async () => {
    const second = Promise.withResolvers<void>()
    const { gateway } = await fixture.attempt(
      {
        run: async ({ step }) => {
          if (step === 1) return { code: 1, tail: 'second' }
          // The first step's end is heard only after that of the second step.
          if (step === 0) await second.promise
          return { code: 1, tail: 'first' }
        },
      },
      {
        ...three,
        commands: three.commands.slice(0, 2),
        outputs: { out_1: 'a.mp4', out_2: 'b.mp4' },
      },
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

  async function write(outputs: Record<string, string>, step: number): Promise<void> {
    await writeFile(join(fixture.root, 'work', Object.values(outputs)[step] ?? ''), 'made')
  }
})

function signals(count: number): PromiseWithResolvers<void>[] {
  return Array.from({ length: count }, () => Promise.withResolvers<void>())
}
