import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

describe('the command line tool', () => {
  const env = useEnvironment()

  const tool = (...args: string[]) =>
    run('npx', ['cloud-ffmpeg', ...args], {
      cwd: root,
      env: {
        ...process.env,
        CLOUD_FFMPEG_URL: env.installed.url,
        CLOUD_FFMPEG_API_KEY: env.installed.apiKey,
      },
    })

  it('takes a file of this machine and brings the result back to it', async () => {
    const [input, output] = ['clip.mp4', 'by-tool.mp4'].map((name) => path.join(env.folder, name))
    await tool(
      'run',
      '-y',
      '-i',
      `in_1=${input}`,
      '-o',
      `out_1=${output}`,
      '--',
      '-i',
      '{{in_1}}',
      '-vf',
      'scale=-2:120,drawtext=text=two words:x=10',
      '{{out_1}}',
    )
    const bytes = await readFile(output ?? '')
    expect(await env.programs.probe(bytes)).to.include({ codec: 'h264' })
  })

  it('the tool ends with the reason where the command fails', async () => {
    const failed: unknown = await tool('run', '--', '-i', 'x').catch((error: unknown) => error)
    expect(failed).to.have.property('code').that.is.greaterThan(0)
    const refusedText = await tool(
      'run',
      '-i',
      `in_1=${env.origin.url('clip.mp4')}`,
      '-o',
      'out_1=/tmp/never.mp4',
      '--',
      '-i',
      '{{in_1}}',
      '-vf',
      'nosuchfilter',
      '{{out_1}}',
    ).catch((error: unknown) => error)
    expect(refusedText)
      .to.have.property('stderr')
      .that.matches(/nosuchfilter/)
  })
})
