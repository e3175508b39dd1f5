import { expect } from 'chai'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FromSupervisor } from '../../runner-image/link/messages.ts'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'
import { until } from '../support/until.ts'

describe("FFmpeg's log as the supervisor hands it over", () => {
  const parts = useRunnerParts()

  it('the log has the last line of a flood for a reader that has stopped reading', async () => {
    await using supervised = await startSupervised(parts)
    const { client, container } = supervised
    await client.next('ready')
    client.hold(true)
    const frames = 10_000
    const flood = ['-f', 'lavfi', '-i', `color=s=16x16:r=25:d=${String(frames / 25)}`]
    const id = supervised.begin([...flood, '-vf', 'showinfo', '-f', 'rawvideo', 'out.raw'])
    const bytes = frames * 16 * 16 * 1.5
    const output = path.join(container.job, 'work/out.raw')
    await until(async () => (await stat(output)).size === bytes, 'FFmpeg to write all frames')
    client.hold(false)
    await client.next('exited', id)
    const lines = linesIn(client.received)
    expect(lines.filter((line) => /n: {3}0 pts/.test(line))).to.have.lengthOf(1)
    expect(lines.filter((line) => /n:9999 pts/.test(line))).to.have.lengthOf(1)
    // a line has some 250 bytes: more than a slow reader is kept for was left out
    expect(lines.length).to.be.lessThan(frames)
  })

  it('the log has the statistics of its end once', async () => {
    await using supervised = await startSupervised(parts)
    await supervised.run(['-f', 'lavfi', '-i', 'testsrc2=d=1:s=64x64', 'out.mp4'])
    const statistics = linesIn(supervised.client.received).filter((line) =>
      line.startsWith('frame='),
    )
    expect(statistics).to.have.lengthOf(1)
    expect(statistics[0]).to.match(/Lsize=/)
  })

  it('the log has the statistics of a run that was killed', async () => {
    await using supervised = await startSupervised(parts)
    const { client } = supervised
    const id = supervised.begin(['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-f', 'null', '-'])
    await client.next('progress', id)
    client.send({ type: 'kill', id, reason: 'cancelled' })
    await client.next('exited', id)
    const statistics = linesIn(client.received).filter((line) => line.startsWith('frame='))
    expect(statistics).to.have.lengthOf(1)
    expect(statistics[0]).not.to.match(/Lsize=/)
  })
})

function linesIn(received: readonly FromSupervisor[]): string[] {
  return received.flatMap((message) => (message.type === 'stderr' ? message.lines : []))
}
