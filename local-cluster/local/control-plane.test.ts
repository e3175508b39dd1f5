import { expect } from 'chai'
import { instanceOf } from '../host/instance.ts'
import { controlPlaneArguments } from './control-plane.ts'
import { localLayout } from './layout.ts'

const instance = instanceOf('test')
const options = { instance, layout: localLayout(instance) }

describe('the control plane', () => {
  it('listens where pods reach it with the API alone', () => {
    const lines = Object.entries(controlPlaneArguments(options))
    const reachable = lines.flatMap(([name, args]) =>
      args
        .filter((argument) => /^--(bind-address|listen-\w+-urls)=/.test(argument))
        .map((argument) => [name, argument.includes(instance.hostAddress)]),
    )
    expect(reachable).to.deep.equal([
      ['etcd', false],
      ['etcd', false],
      ['kube-apiserver', true],
      ['kube-controller-manager', false],
      ['kube-scheduler', false],
    ])
  })

  it('leaves the grace period of nodes to Kubernetes unless one is given', () => {
    const flags = (seconds?: number) =>
      controlPlaneArguments({
        ...options,
        ...(seconds === undefined ? {} : { nodeMonitorGraceSeconds: seconds }),
      })['kube-controller-manager'].filter((each) => each.includes('grace'))
    expect(flags()).to.deep.equal([])
    expect(flags(20)).to.deep.equal(['--node-monitor-grace-period=20s'])
  })
})
