import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { InvalidSettings } from '../../../common/settings/settings.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { TestAuthority } from '../../../testing/tls/certificates.ts'
import { readTlsFiles } from './tls-files.ts'

describe('the TLS files of the gateway', () => {
  let folder: string
  let authority: TestAuthority
  let other: TestAuthority
  before(async () => {
    authority = await createTestAuthority('authority')
    other = await createTestAuthority('authority')
  })
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tls-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('the TLS files are read with all authorities of ca.crt, without the text around them', async () => {
    const { cert, key, ca } = await authority.issue()
    await write({ cert, key, ca: `# of the company\n${other.ca}# own\n${ca}` })
    expect(readTlsFiles(folder)).to.deep.equal({ cert, key, ca: other.ca + ca })
  })

  it('the TLS files are rejected with the name of the file that is missing', async () => {
    const { cert, key } = await authority.issue()
    await write({ cert, key })
    expect(() => readTlsFiles(folder)).to.throw(InvalidSettings, /ca\.crt: the Secret needs/)
  })

  it('the TLS files are rejected when the key is that of another certificate, or none', async () => {
    const { cert, ca } = await authority.issue()
    const { key } = await authority.issue()
    for (const wrong of [key, 'text']) {
      await write({ cert, key: wrong, ca })
      expect(() => readTlsFiles(folder)).to.throw(/tls\.key must be the private key/)
    }
  })

  it('the TLS files are rejected when tls.crt holds no certificate', async () => {
    await write({ ...(await authority.issue()), cert: 'text' })
    expect(() => readTlsFiles(folder)).to.throw(/tls\.crt must hold a certificate/)
  })

  it('the TLS files are rejected with another authority of the same name, which runners would refuse', async () => {
    await write({ ...(await authority.issue()), ca: other.ca })
    expect(() => readTlsFiles(folder)).to.throw(/ca\.crt must hold the authority that signed/)
  })

  it('the TLS files are accepted through the authorities after the certificate, in their order', async () => {
    const own = await authority.issue()
    await write({ ...own, cert: own.cert + authority.ca })
    expect(readTlsFiles(folder).ca).to.equal(authority.ca)
    const unrelated = await other.issue()
    await write({ ...unrelated, cert: unrelated.cert + authority.ca, ca: authority.ca })
    expect(() => readTlsFiles(folder)).to.throw(/ca\.crt must hold the authority/)
  })

  it('the TLS files are accepted when a certificate has signed itself', async () => {
    const own = await authority.issue()
    await write({ ...own, ca: own.cert })
    expect(readTlsFiles(folder).ca).to.equal(own.cert)
  })

  it('the TLS files are rejected when ca.crt is a bundle that does not fit into the spec of a pod', async () => {
    const own = await authority.issue()
    await write({ ...own, ca: own.ca.repeat(100) })
    expect(() => readTlsFiles(folder)).to.throw(/at most 32768 bytes/)
  })

  async function write({ cert, key, ca }: { cert: string; key: string; ca?: string }) {
    await writeFile(path.join(folder, 'tls.crt'), cert)
    await writeFile(path.join(folder, 'tls.key'), key)
    if (ca !== undefined) await writeFile(path.join(folder, 'ca.crt'), ca)
  }
})
