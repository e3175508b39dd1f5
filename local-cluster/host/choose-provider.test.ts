import { expect } from 'chai'
import { chooseProvider } from './choose-provider.ts'
import type { Machine } from './choose-provider.ts'

const machine = (changes: Partial<Machine>): Machine => ({
  wanted: undefined,
  platform: 'linux',
  root: false,
  dockerAnswers: () => Promise.resolve(false),
  ...changes,
})
const docker = { dockerAnswers: () => Promise.resolve(true) }

describe('the provider of a cluster', () => {
  it('the provider is local for root on Linux, else kind where Docker answers', async () => {
    expect(await chooseProvider(machine({ root: true, ...docker }))).to.equal('local')
    expect(await chooseProvider(machine(docker))).to.equal('kind')
    expect(await chooseProvider(machine({ platform: 'darwin', root: true, ...docker }))).to.equal(
      'kind',
    )
  })

  it('returns the requested provider of a cluster', async () => {
    expect(await chooseProvider(machine({ wanted: 'kind', root: true, ...docker }))).to.equal(
      'kind',
    )
    expect(await chooseProvider(machine({ wanted: 'kubeconfig' }))).to.equal('kubeconfig')
  })

  it('a provider is refused with a remedy where it cannot be had', async () => {
    expect(await messageOf(chooseProvider(machine({})))).to.include('run the same command as root')
    expect(await messageOf(chooseProvider(machine({ wanted: 'local' })))).to.include('root')
    expect(await messageOf(chooseProvider(machine({ wanted: 'kind', root: true })))).to.include(
      'start Docker',
    )
  })
})

async function messageOf(choice: Promise<unknown>): Promise<string> {
  try {
    return `no error: ${String(await choice)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
