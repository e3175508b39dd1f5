import { expect } from 'chai'
import { row } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { containersFor } from './containers.ts'
import { limitsFor } from './limits.ts'
import { volumesFor } from './volumes.ts'
import type { RunnerSettings } from './runner-settings.ts'

describe('authorities of the cluster that runners trust', () => {
  const trusted = { trustCaConfigMap: 'company-ca' }
  const containersOf = (changes: Partial<RunnerSettings>) => {
    const settings = runnerSettings(changes)
    return containersFor(limitsFor(row(), settings), settings)
  }
  const sourcesOf = (settings: Partial<RunnerSettings>) =>
    volumesFor(runnerSettings(settings)).at(-1)?.projected?.sources

  it('trusted authorities are in the volume of the token, and named to transfer alone', () => {
    const [transfer, ffmpeg] = containersOf(trusted)
    expect(transfer?.env).to.deep.equal([
      { name: 'NODE_EXTRA_CA_CERTS', value: '/var/run/secrets/cloud-ffmpeg/trust.crt' },
    ])
    expect(ffmpeg).to.not.have.property('env')
    const names = sourcesOf(trusted)?.map(({ configMap }) => configMap?.name)
    expect(names).to.deep.equal([undefined, 'company-ca'])
    // Not optional: the kubelet says that it is missing.
    expect(sourcesOf(trusted)?.at(-1)?.configMap).to.deep.equal({
      name: 'company-ca',
      items: [{ key: 'ca.crt', path: 'trust.crt' }],
    })
  })

  it('trusted authorities stand beside armed failpoints, and are absent where no ConfigMap is named', () => {
    const [both] = containersOf({ trustCaConfigMap: 'company-ca', failpoints: 'x' })
    expect(both?.env?.map(({ name }) => name)).to.deep.equal([
      'CLOUD_FFMPEG_FAILPOINTS',
      'NODE_EXTRA_CA_CERTS',
    ])
    expect(containersOf({})[0]).to.not.have.property('env')
    expect(sourcesOf({})).to.have.length(1)
  })
})
