import { expect } from 'chai'
import { Registry } from 'prom-client'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import type { VirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { IssuedCertificate, TestAuthority } from '../../../testing/tls/certificates.ts'
import { createCertificateRotation } from './certificate-rotation.ts'
import type { CertificateSource } from './certificate-rotation.ts'
import { certificatesOf } from './tls-files.ts'
import type { TlsFiles } from './tls-files.ts'
import { createTrustedAuthorities } from './trusted-authorities.ts'

const spreadMs = 120_000
const hourMs = 3_600_000

describe('the rotation of the certificate of the gateway', () => {
  let first: TestAuthority
  let second: TestAuthority
  let clock: VirtualClock
  let files: TlsFiles | null
  let presented: string[]
  let data: Record<string, string> | null
  let patches: number
  const sources: CertificateSource[] = []
  before(async () => {
    first = await createTestAuthority('first')
    second = await createTestAuthority('second')
  })
  beforeEach(() => {
    clock = createVirtualClock({ startMs: Date.now() })
    presented = []
    data = {}
    patches = 0
  })
  afterEach(async () => {
    for (const source of sources.splice(0)) await source.stop()
  })

  it('publishes the authority and presents the certificate when the process starts', async () => {
    const { cert } = await begin(await first.issue())
    expect(presented).to.deep.equal([cert])
    expect(trusted()).to.deep.equal(namesOf(first.ca))
  })

  it('presents a certificate of another authority after runners have had time to read both', async () => {
    const { cert: old } = await begin(await first.issue())
    const { cert: fresh } = replace(await second.issue())
    await clock.advance(20_000)
    expect(trusted()).to.have.members([...namesOf(first.ca), ...namesOf(second.ca)])
    await clock.advance(spreadMs - 30_000)
    expect(presented).to.deep.equal([old])
    await clock.advance(30_000)
    expect(presented).to.deep.equal([old, fresh])
  })

  it('presents a renewed certificate of a known authority at once', async () => {
    await begin(await first.issue())
    await clock.advance(spreadMs)
    const { cert } = replace(await first.issue())
    await clock.advance(10_000)
    expect(presented.at(-1)).to.equal(cert)
    expect(patches).to.equal(1)
  })

  it('removes the authority that was replaced an hour ago', async () => {
    await begin(await first.issue())
    replace(await second.issue())
    await clock.advance(hourMs - 60_000)
    expect(trusted()).to.have.length(2)
    await clock.advance(120_000)
    expect(trusted()).to.deep.equal(namesOf(second.ca))
  })

  it('keeps the authority of another replica that has read the Secret earlier', async () => {
    data = { 'ca.crt': second.ca }
    await begin(await first.issue())
    await clock.advance(60_000)
    expect(trusted()).to.have.members([...namesOf(first.ca), ...namesOf(second.ca)])
    expect(patches).to.equal(1)
  })

  it('keeps the certificate when the files do not fit together or are away', async () => {
    const { cert } = await begin(await first.issue())
    files = null
    await clock.advance(60_000)
    expect(presented).to.deep.equal([cert])
    const { cert: fresh } = replace(await first.issue())
    await clock.advance(spreadMs)
    expect(presented.at(-1)).to.equal(fresh)
  })

  it('presents no certificate that runners cannot verify, until the present one has expired', async () => {
    data = { 'ca.crt': first.ca }
    const { cert } = await begin({ ...(await first.issue()), ca: null })
    const { cert: fresh } = replace({ ...(await second.issue()), ca: null })
    await clock.advance(hourMs)
    expect(presented).to.deep.equal([cert])
    // Test certificates are valid for two days.
    await clock.advance(48 * hourMs)
    expect(presented).to.deep.equal([cert, fresh])
    expect(patches).to.equal(0)
  })

  it('starts without an answer of the Kubernetes API, and publishes later', async () => {
    data = null
    const { cert } = await begin(await first.issue())
    expect(presented).to.deep.equal([cert])
    data = {}
    await clock.advance(30_000)
    expect(trusted()).to.deep.equal(namesOf(first.ca))
  })

  it('does not start without files', async () => {
    files = null
    const error: unknown = await start().catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/ENOENT/)
  })

  async function begin(issued: Files) {
    replace(issued)
    await start()
    return issued
  }

  function replace(issued: Files): Files {
    files = { ...issued }
    return issued
  }

  function start(): Promise<void> {
    const source = createCertificateRotation({
      readFiles() {
        if (files === null) throw new Error('ENOENT: tls.crt')
        return files
      },
      authorities: createTrustedAuthorities({
        configMaps: configMaps(),
        namespace: 'media',
        name: 'gateway-ca',
        clock,
      }),
      spreadMs,
      effects: { ...systemEffects(), clock },
      registry: new Registry(),
      logger: silentLogger,
    })
    sources.push(source)
    return source.start(({ cert }) => presented.push(cert))
  }

  /** One ConfigMap, as the API server keeps it. */
  function configMaps() {
    let version = 1
    const current = () => ({
      metadata: { name: 'gateway-ca', uid: 'u', resourceVersion: String(version) },
      data: { ...data },
    })
    return {
      get: async () => (data === null ? null : current()),
      async mergePatch({ resourceVersion }: { resourceVersion?: string }, patch: object) {
        expect(resourceVersion).to.equal(String(version))
        version += 1
        patches += 1
        data = { ...data, ...(patch as { data: Record<string, string> }).data }
        return current()
      },
    }
  }

  function trusted(): string[] {
    return namesOf(data?.['ca.crt'] ?? '')
  }
})

type Files = Omit<IssuedCertificate, 'ca'> & { readonly ca: string | null }

function namesOf(pem: string): string[] {
  return certificatesOf(pem).map(({ subject }) => subject)
}
