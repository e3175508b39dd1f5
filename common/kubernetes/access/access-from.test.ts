import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { accessFrom } from './access-from.ts'

describe('access to the Kubernetes API', () => {
  const pod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }
  const inPod = '/var/run/secrets/kubernetes.io/serviceaccount'

  it('uses the service account of the pod', async () => {
    const { server, files } = await accessFrom(pod)
    expect(server).to.equal('https://10.96.0.1:443')
    expect(files).to.have.members([`${inPod}/ca.crt`, `${inPod}/token`])
  })

  it('writes an IPv6 address in brackets', async () => {
    const { server } = await accessFrom({ ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1' })
    expect(server).to.equal('https://[fd00::1]:443')
  })

  it('access is that of the kubeconfig when KUBECONFIG names one, in a pod, too', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'access-'))
    const before = process.env['KUBECONFIG']
    try {
      const file = path.join(folder, 'config')
      await writeFile(file, JSON.stringify(kubeconfig))
      // client-node reads the variable itself.
      process.env['KUBECONFIG'] = file
      const { server } = await accessFrom({ ...pod, KUBECONFIG: file })
      expect(server).to.equal('https://cluster.example:6443/at')
    } finally {
      if (before === undefined) delete process.env['KUBECONFIG']
      else process.env['KUBECONFIG'] = before
      await rm(folder, { recursive: true })
    }
  })
})

const kubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'a', cluster: { server: 'https://cluster.example:6443/at/' } }],
  users: [{ name: 'b', user: { token: 'x' } }],
  contexts: [{ name: 'c', context: { cluster: 'a', user: 'b' } }],
  'current-context': 'c',
}
