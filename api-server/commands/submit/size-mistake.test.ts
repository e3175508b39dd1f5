import { useApp, submission } from '../../app.fixture.ts'
import { expect } from 'chai'
import { largestDispatchedBytes, storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import { field } from '../../checked-call.fixture.ts'
import { storedFileResourceFor } from '../../dispatch/stored-file-resource.ts'
import { customResourceFor } from '../../dispatch/to-custom-resource.ts'
import { sizeMistake } from './size-mistake.ts'

/** 62 URLs with 8,100 `&` each: a body of 504 KB and a custom resource of 3 MB. */
const hostileInputs = Object.fromEntries(
  Array.from({ length: 62 }, (_, index) => [
    `in_${index + 1}`,
    `https://media.example/a.avi?${'&'.repeat(8_100)}`,
  ]),
)

describe('the size of a custom resource', () => {
  const app = useApp()

  const mistake = {
    loc: ['body', 'input_files'],
    msg:
      'The command takes 2946 KB in the cluster, where each &, < and > takes 6 bytes; it may take ' +
      '128 KB. Its largest field, input_files, takes 2945 KB: use shorter URLs, such as those of ' +
      'files stored with /v1/files/store-file, or split the work over several requests',
    type: 'too_long',
  }

  it('returns 422 with field, size, bound and remedy for a command of 3 MB, and stores nothing', async () => {
    const body = { ...submission, input_files: hostileInputs }
    const { status, body: answer } = await app.post('/v1/run-ffmpeg-command', body)
    expect(status).to.equal(422)
    expect(answer).to.deep.equal({ detail: [mistake] })
    expect(await app.list('/v1/commands')).to.deep.equal([])
  })

  it('lists the same mistake when the command is validated', async () => {
    const body = { ...submission, input_files: hostileInputs }
    const { status, body: answer } = await app.post('/v1/validate-ffmpeg-command', body)
    expect(status).to.equal(200)
    expect(answer).to.deep.include({ valid: false, commands: [], errors: [mistake] })
  })

  it('names ffmpeg_commands when the commands of a chain are too long', async () => {
    const drawn = (output: string) =>
      `-i {{in_1}} -vf "drawtext=text='${'<'.repeat(12_000)}'" {{${output}}}`
    const { status, body } = await app.post('/v1/run-chained-ffmpeg-commands', {
      input_files: { in_1: 'https://media.example/a.avi' },
      output_files: { out_1: 'a.mp4', out_2: 'b.mp4' },
      ffmpeg_commands: [drawn('out_1'), drawn('out_2')],
    })
    expect(status).to.equal(422)
    const text = JSON.stringify(field(body, 'detail'))
    expect(text).to.contain('"loc":["body","ffmpeg_commands"]')
    expect(text).to.contain('ffmpeg_commands, takes 141 KB: split the work over')
  })

  it('accepts a command of exactly 128 KiB and refuses one of a byte more', () => {
    const withText = (length: number) => ({
      ...{ commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01', accountName: 'default' },
      ...{ environmentName: null, vcpuCount: 8, maxRunSeconds: 300, isPrivate: false },
      priority: 'normal' as const,
      commandType: 'FFMPEG_COMMAND' as const,
      source: {
        ...{ commands: ['a'.repeat(length)], inputFiles: {}, inputCompressedFolder: null },
        outputFiles: { out_1: 'a.mp4' },
      },
    })
    const length = largestDispatchedBytes - storedBytes(customResourceFor(withText(0)))
    expect(sizeMistake(withText(length))).to.equal(null)
    expect(sizeMistake(withText(length + 1))?.loc).to.deep.equal(['body', 'ffmpeg_command'])
  })

  it('is below the limit for every file to store: its URL has at most 8,192 characters', () => {
    const resource = storedFileResourceFor(
      {
        ...{ commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01', accountName: 'a'.repeat(63) },
        ...{ environmentName: '&'.repeat(512), vcpuCount: 0, maxRunSeconds: 120, isPrivate: true },
        priority: 'normal',
        source: {
          ...{ commands: [], inputFiles: null, inputCompressedFolder: null, outputFiles: null },
          storedFile: { url: '&'.repeat(8_192) },
        },
      },
      { url: '&'.repeat(8_192) },
    )
    expect(storedBytes(resource)).to.be.below(largestDispatchedBytes / 2)
  })
})
