import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'
import { streamedCases, streamedSources } from './streamed-cases.ts'
import { runStreamed } from './runner/run-streamed.ts'

/** Results of a command must not depend on whether FFmpeg began before its input was complete. */
describe('a command on an input that still arrives, in the sandbox of the image', () => {
  const parts = useRunnerParts()
  const sources = new Map<string, Buffer>()

  before(async () => {
    await using supervised = await startSupervised(parts)
    for (const [name, argv] of Object.entries(streamedSources)) {
      const exited = await supervised.run([...argv.split(' '), name])
      expect(exited.code, `${name}: ${exited.tail}`).to.equal(0)
      sources.set(name, await readFile(path.join(supervised.container.job, 'work', name)))
    }
  })

  for (const { inputs, command, output, streamed } of streamedCases) {
    it(`makes the same of ${inputs.join(' and ')} with ${command}`, async () => {
      const files = inputs.map((name) => ({ name, body: sources.get(name) ?? Buffer.alloc(0) }))
      const request = { parts, files, command, output }
      const whole = await runStreamed({ ...request, overlap: false, streamed: 0 })
      const early = await runStreamed({ ...request, overlap: true, streamed })
      expect(whole.outcome, whole.outcome).to.equal('SUCCESS')
      expect(early.outcome, early.outcome).to.equal('SUCCESS')
      expect([whole.pipes, early.pipes, early.runs]).to.deep.equal([0, streamed, 1])
      expect([...early.objects.keys()]).to.deep.equal([...whole.objects.keys()])
      for (const [name, body] of whole.objects) {
        expect(early.objects.get(name)?.equals(body), `${name} is the same`).to.equal(true)
      }
    })
  }

  it('a command is repeated with the same error when FFmpeg needs the whole file', async () => {
    const clip = sources.get('fast.mp4') ?? Buffer.alloc(0)
    const broken = Buffer.concat([clip.subarray(0, clip.length / 2), Buffer.alloc(clip.length / 2)])
    const request = {
      parts,
      files: [{ name: 'fast.mp4', body: broken }],
      command: '-xerror -err_detect explode -i {{in_1}} -c:v mpeg4 {{out_1}}',
      output: 'out.mp4',
    }
    const whole = await runStreamed({ ...request, overlap: false, streamed: 0 })
    const early = await runStreamed({ ...request, overlap: true, streamed: 1 })
    expect(whole.outcome).not.to.equal('SUCCESS')
    // Decoders on several threads complain in an order of their own: the verdict is compared.
    expect([early.runs, verdict(early.outcome)]).to.deep.equal([2, verdict(whole.outcome)])
  })
})

function verdict(outcome: string): string {
  return outcome.split(':')[0] ?? ''
}
