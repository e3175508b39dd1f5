import { expect } from 'chai'
import { canResizePods } from './resize-support.ts'

function cluster(minor: string, resources: readonly string[]) {
  return {
    async call({ path }: { path: string }): Promise<unknown> {
      return path === '/version'
        ? { major: '1', minor }
        : { resources: resources.map((name) => ({ name })) }
    },
  }
}

describe('canResizePods', () => {
  it('returns true from Kubernetes 1.34 on, when the API server has the resource', async () => {
    expect(await canResizePods(cluster('34', ['pods', 'pods/resize']))).to.equal(true)
    expect(await canResizePods(cluster('36+', ['pods/resize']))).to.equal(true)
  })

  it('returns false for an older one, or one without the resource', async () => {
    expect(await canResizePods(cluster('33', ['pods', 'pods/resize']))).to.equal(false)
    expect(await canResizePods(cluster('36', ['pods']))).to.equal(false)
  })
})
