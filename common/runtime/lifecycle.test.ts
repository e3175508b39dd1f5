import { expect } from 'chai'
import { createLifecycle } from './lifecycle.ts'
import type { Part } from './lifecycle.ts'
import { silentLogger } from './logger.ts'

describe('a lifecycle', () => {
  it('a lifecycle starts in order and stops in reverse, each part once', async () => {
    const seen: string[] = []
    const lifecycle = createLifecycle([part('a', seen), part('b', seen)], silentLogger)
    await lifecycle.start()
    await Promise.all([lifecycle.stop(), lifecycle.stop()])
    expect(seen).to.deep.equal(['start a', 'start b', 'stop b', 'stop a'])
  })

  it('a lifecycle stops the others when one fails to stop, and what had started when one fails to start', async () => {
    const seen: string[] = []
    const bad: Part = {
      name: 'bad',
      start: () => Promise.reject(new Error('no')),
      stop: () => Promise.reject(new Error('no')),
    }
    const lifecycle = createLifecycle([part('a', seen), bad, part('b', seen)], silentLogger)
    const failure = await lifecycle.start().catch((error: unknown) => error)
    await lifecycle.stop()
    expect(failure).to.be.instanceOf(Error)
    expect(seen).to.deep.equal(['start a', 'stop a'])
  })
})

function part(name: string, seen: string[]): Part {
  return {
    name,
    start: async () => void seen.push(`start ${name}`),
    stop: async () => void seen.push(`stop ${name}`),
  }
}
