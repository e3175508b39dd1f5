import { expect } from 'chai'
import { keptVariables, needsRoot } from './by-sudo.ts'
import type { User } from './by-sudo.ts'

const user = (changes: Partial<User>): User => ({
  wanted: undefined,
  platform: 'linux',
  root: false,
  dockerAnswers: () => Promise.resolve(false),
  ...changes,
})

describe('quickstart of a user who is not root', () => {
  it('goes on as root where the cluster is one of processes of this machine', async () => {
    expect(await needsRoot(user({}))).to.equal(true)
    expect(await needsRoot(user({ wanted: 'local' }))).to.equal(true)
  })

  it('needs no root for a cluster in Docker or elsewhere, and not on other systems', async () => {
    const docker = { dockerAnswers: () => Promise.resolve(true) }
    for (const other of [docker, { wanted: 'kind' }, { wanted: 'kubeconfig' }] as const) {
      expect(await needsRoot(user(other))).to.equal(false)
    }
    expect(await needsRoot(user({ platform: 'darwin' }))).to.equal(false)
    expect(await needsRoot(user({ root: true }))).to.equal(false)
  })

  it('keeps the variables of the cluster, of Go and of proxies, and no secret', () => {
    const environment = {
      PATH: '/usr/bin',
      E2E_CLUSTER: 'local',
      GOPROXY: 'https://proxy.example',
      https_proxy: 'http://proxy.example',
      GITHUB_TOKEN: 'secret',
      GOOGLE_APPLICATION_CREDENTIALS: '/secret',
      HOME: '/home/jane',
    }
    expect(keptVariables(environment)).to.deep.equal([
      'PATH=/usr/bin:/usr/local/sbin:/usr/sbin:/sbin',
      'E2E_CLUSTER=local',
      'GOPROXY=https://proxy.example',
      'https_proxy=http://proxy.example',
    ])
  })
})
