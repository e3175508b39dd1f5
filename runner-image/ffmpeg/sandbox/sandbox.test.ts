import { expect } from 'chai'
import { candidates } from './landlock-rules.ts'
import { fencedCommand, fencedEnvironment, fencesOf } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

const folders = { inputs: '/job/in', work: '/job/work', temporary: '/job/tmp' }
const sandbox: Sandbox = {
  fence: { landlock: 'all', seccomp: true },
  folders,
  existing: new Set(candidates(folders).map(({ path }) => path)),
  seccompFilter: '/usr/share/filter.bpf',
}

describe('the command line that starts FFmpeg', () => {
  it('limits, fences and then becomes FFmpeg', () => {
    const existing = new Set(['/usr', '/dev/null', '/job/in', '/job/work', '/job/tmp'])
    const command = { program: 'ffmpeg', argv: ['-i', 'x y'], fileBytes: 1000 } as const
    expect(fencedCommand({ ...sandbox, existing }, command)).to.deep.equal([
      '/usr/bin/prlimit',
      '--nofile=4096',
      '--core=0',
      '--fsize=1000',
      '/usr/bin/setpriv',
      '--no-new-privs',
      '--pdeathsig',
      'KILL',
      '--landlock-access',
      'fs',
      '--landlock-rule',
      'path-beneath:execute,read-file,read-dir:/usr',
      '--landlock-rule',
      'path-beneath:read-file,write-file:/dev/null',
      '--landlock-rule',
      'path-beneath:read-file,read-dir:/job/in',
      '--landlock-rule',
      `path-beneath:${writable}:/job/work`,
      '--landlock-rule',
      `path-beneath:${writable}:/job/tmp`,
      '--seccomp-filter',
      '/usr/share/filter.bpf',
      '/usr/bin/ffmpeg',
      '-i',
      'x y',
    ])
  })

  it('lets ffprobe only read the working folder', () => {
    const rules = rulesOf(sandbox, 'ffprobe')
    expect(rules.get('/job/work')).to.equal('read-file,read-dir')
    expect(rules.get('/job/tmp')).to.equal(writable)
  })

  it('the sandbox never lets a link, a pipe or a socket be made', () => {
    const granted = [...rulesOf(sandbox, 'ffmpeg').values()].join()
    expect(granted).not.to.match(/make-sym|make-fifo|make-sock|make-char|make-block/)
  })

  it('uses only the rights that an older kernel supports', () => {
    const fence = { landlock: 'without-refer', seccomp: true } as const
    const argv = fencedCommand(
      { ...sandbox, fence },
      { program: 'ffmpeg', argv: [], fileBytes: null },
    )
    expect(argv.join(' ')).not.to.match(/refer|truncate/)
    expect(argv[argv.indexOf('--landlock-access') + 1]).to.match(/^fs:execute,.*make-sym$/)
  })

  it('gives files rights of files alone', () => {
    const rules = rulesOf(sandbox, 'ffmpeg')
    for (const file of ['/etc/ld.so.cache', '/dev/null', '/proc/self/status']) {
      expect(rules.get(file)).not.to.match(/dir|execute/)
    }
  })

  it('the command line has only the limits when the sandbox is off', () => {
    const fence = { landlock: null, seccomp: false }
    const command = { program: 'ffmpeg', argv: ['-version'], fileBytes: null } as const
    expect(fencedCommand({ ...sandbox, fence }, command)).to.deep.equal([
      '/usr/bin/prlimit',
      '--nofile=4096',
      '--core=0',
      '/usr/bin/setpriv',
      '--no-new-privs',
      '--pdeathsig',
      'KILL',
      '/usr/bin/ffmpeg',
      '-version',
    ])
  })

  it('leaves nothing of our environment', () => {
    expect(Object.keys(fencedEnvironment(folders)).toSorted()).to.deep.equal([
      'HOME',
      'LANG',
      'PATH',
      'TZ',
      'XDG_CACHE_HOME',
    ])
  })
})

describe('the fences that a mode accepts', () => {
  it('the accepted fences are complete ones alone when the sandbox is required', () => {
    expect(
      fencesOf('required').every(({ landlock, seccomp }) => landlock !== null && seccomp),
    ).to.equal(true)
  })
  it('the accepted fences include none when the sandbox is only preferred', () => {
    expect(fencesOf('preferred').at(0)).to.deep.equal({ landlock: 'all', seccomp: true })
    expect(fencesOf('preferred').at(-1)).to.deep.equal({ landlock: null, seccomp: false })
  })
})

const writable =
  'read-file,read-dir,write-file,remove-file,remove-dir,make-dir,make-reg,refer,truncate'

function rulesOf(behind: Sandbox, program: 'ffmpeg' | 'ffprobe'): Map<string, string> {
  const argv = fencedCommand(behind, { program, argv: [], fileBytes: null })
  return new Map(
    argv
      .filter((_, index) => argv[index - 1] === '--landlock-rule')
      .map((rule) => {
        const [, rights = '', path = ''] = rule.split(':')
        return [path, rights]
      }),
  )
}
