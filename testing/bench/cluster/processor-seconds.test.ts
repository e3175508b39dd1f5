import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { measureProcessors } from './processor-seconds.ts'

describe('measureProcessors', () => {
  it('counts processes by what they run, with those that end meanwhile', async () => {
    const ended = measureProcessors('none')
    // The shell's second command keeps it from replacing itself, so that its name stays.
    const child = spawn('sh', ['-c', `${busy}; : /usr/bin/ffprobe`])
    await once(child, 'exit')
    const seconds = ended()
    expect(seconds.get('ffprobe')).to.be.greaterThan(0)
    expect(seconds.get('transfer')).to.equal(undefined)
  })

  it('counts what does not belong to the installation as the rest of the machine', () => {
    const ended = measureProcessors('none')
    // The call returns when the pipe is closed, which the process behind the shell still has open.
    execFileSync('sh', ['-c', `(${busy}) & exit`])
    expect(ended().get('rest')).to.be.greaterThan(0)
  })

  it('counts only the time since its start', () => {
    execFileSync('sh', ['-c', busy])
    const own = measureProcessors('none')().get('bench') ?? 0
    expect(own).to.be.lessThan(process.cpuUsage().user / 1e6)
  })
})

/** A loop of the shell that takes some tenths of a second of a processor. */
const busy = 'i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done'
