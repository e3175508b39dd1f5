import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import packageFile from '../package.json' with { type: 'json' }

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')

describe('the command line tool', () => {
  it('the tool starts by its name from a clone', async () => {
    const { stdout } = await run('npx', ['--no', '--', 'cloud-ffmpeg', '--version'], { cwd: root })
    expect(stdout.trim()).to.equal(packageFile.version)
  })
})
