import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { commands } from '../all.ts'
import { cli } from '../../cli.fixture.ts'

const run = promisify(execFile)

describe('cloud-ffmpeg completion', () => {
  const script = async (shell: string) =>
    cli(['completion', shell], { url: 'http://a', key: 'a', folder: '/none' })

  /** Words that bash offers after typed ones, the last of which is incomplete. */
  async function offered(...words: string[]): Promise<string[]> {
    const { out } = await script('bash')
    const typed = ['cloud-ffmpeg', ...words].map((word) => `'${word}'`).join(' ')
    const calls = `${out}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _cloud_ffmpeg; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['-c', calls])
    return stdout.split('\n').filter((line) => line !== '')
  }

  it('completes commands and options in bash', async () => {
    expect(await offered('')).to.have.members(Object.keys(commands))
    expect(await offered('l')).to.have.members(['list', 'logs', 'login', 'logout'])
    expect(await offered('run', '--p')).to.have.members([
      '--private',
      '--presigned-ttl',
      '--priority',
    ])
    expect(await offered('run', 'clip')).to.deep.equal([])
    expect(await offered('absent', '--')).to.deep.equal([])
  })

  it('completes the word after a command that has some', async () => {
    expect(await offered('files', 'd')).to.have.members(['delete', 'download'])
    expect(await offered('completion', '')).to.have.members(['bash', 'zsh', 'fish'])
    expect(await offered('files', 'get', 'l')).to.deep.equal([])
    expect((await script('fish')).out).to.contain("from keys' -f -a revoke")
  })

  it('completes behind a profile as without one', async () => {
    expect(await offered('-P', 'prod', 'l')).to.have.members(['list', 'logs', 'login', 'logout'])
    expect(await offered('-P', 'prod', 'run', '--p')).to.have.members([
      '--private',
      '--presigned-ttl',
      '--priority',
    ])
    expect(await offered('--profile', 'prod', 'files', 'd')).to.have.members(['delete', 'download'])
    expect(await offered('-P', 'r')).to.deep.equal([])
  })

  it('knows each option of a command', async () => {
    expect(await offered('logs', '-')).to.have.members(['-f', '--follow', '--step', '--last'])
    expect(await offered('list', '-')).to.have.members([
      '--status',
      '--since',
      '--metadata',
      '--watch',
      '--limit',
      '--json',
    ])
    const run = ['-i', '--input', '-y', '--no-download']
    expect(await offered('run', '-')).to.include.members(run)
    expect(await offered('files', 'get', '-')).to.include.members(['--presign'])
  })

  it('writes scripts for zsh and fish, and for no other shell', async () => {
    expect((await script('zsh')).out).to.match(/^autoload .*bashcompinit/)
    const { out } = await script('fish')
    expect(out).to.contain("-n '__fish_seen_subcommand_from list' -l since")
    expect((await script('tcsh')).err).to.contain("completion takes bash, zsh, fish, not 'tcsh'")
  })
})
