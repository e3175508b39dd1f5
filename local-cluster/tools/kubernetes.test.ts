import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { kubernetesVersion, linkerFlags } from './kubernetes.ts'

describe('the Kubernetes binary', () => {
  let goMod = ''
  before(async () => {
    goMod = await readFile(path.join(import.meta.dirname, 'kubernetes/go.mod'), 'utf8')
  })

  it('the binary is of the release that go.mod requires, with every sibling module at the same one', () => {
    const version = kubernetesVersion(goMod)
    const siblings = [...goMod.matchAll(/^\s*(?:replace )?k8s\.io\/\S+ => k8s\.io\/\S+ (\S+)$/gm)]
    expect(siblings.length).to.be.greaterThan(25)
    expect(new Set(siblings.map((match) => match[1]))).to.deep.equal(
      new Set([version.replace('v1.', 'v0.')]),
    )
  })

  it('embeds its own version and that of Helm', () => {
    const minor = kubernetesVersion(goMod).split('.')[1]
    expect(linkerFlags(goMod)).to.include(`-X k8s.io/client-go/pkg/version.gitMinor=${minor}`)
    expect(linkerFlags(goMod)).to.match(/-X helm\.sh\/helm\/v4\/internal\/version\.version=v4\./)
  })
})
