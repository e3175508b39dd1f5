import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import type { TestAuthority } from '../../../testing/tls/certificates.ts'
import { certificatesOf, readTlsFiles, rootsOf } from './tls-files.ts'

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

  it('are read with or without an authority', async () => {
    const { cert, key, ca } = await authority.issue()
    await write({ 'tls.crt': cert, 'tls.key': key })
    expect(readTlsFiles(folder)).to.deep.equal({ cert, key, ca: null })
    await write({ 'ca.crt': ca })
    expect(readTlsFiles(folder)).to.deep.equal({ cert, key, ca })
  })

  it('are rejected when the key is that of another certificate', async () => {
    const [{ cert }, { key }] = [await authority.issue(), await authority.issue()]
    await write({ 'tls.crt': cert, 'tls.key': key })
    expect(() => readTlsFiles(folder)).to.throw(/tls\.key must be the private key/)
  })

  it('are rejected when tls.crt holds no certificate', async () => {
    await write({ 'tls.crt': 'text', 'tls.key': (await authority.issue()).key })
    expect(() => readTlsFiles(folder)).to.throw(/tls\.crt must hold a certificate/)
  })

  it('are verified by their authority, not by another one of the same name', async () => {
    const { cert } = await authority.issue()
    const roots = certificatesOf(other.ca + authority.ca)
    expect(rootsOf(certificatesOf(cert), roots).map(String)).to.deep.equal(
      certificatesOf(authority.ca).map(String),
    )
    expect(rootsOf(certificatesOf(cert), certificatesOf(other.ca))).to.deep.equal([])
  })

  it('are verified through the authorities that follow the certificate, in their order', async () => {
    const { cert } = await authority.issue()
    const roots = certificatesOf(authority.ca)
    expect(rootsOf(certificatesOf(cert + authority.ca), roots)).to.have.length(1)
    const unrelated = certificatesOf((await other.issue()).cert + authority.ca)
    expect(rootsOf(unrelated, roots)).to.deep.equal([])
  })

  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(folder, name), text)
    }
  }
})
