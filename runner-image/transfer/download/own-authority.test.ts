import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import path from 'node:path'
import { promisify } from 'node:util'
import { listenAt } from '../../../testing/support/http-server.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

const program = path.join(import.meta.dirname, 'own-authority.fixture.ts')

describe('an input of a server whose certificate is of an authority of the company', function () {
  this.timeout(60_000)
  const scratch = useScratch()
  let url: string
  let close: () => Promise<void>
  let authorities: { own: string; other: string }
  before(async () => {
    const authority = await createTestAuthority('company')
    const { cert, key } = await authority.issue()
    const server = createServer({ cert, key }, (_request, response) => response.end('bytes'))
    const listening = await listenAt('127.0.0.1', server)
    close = listening.close
    url = `${listening.url.replace('http:', 'https:')}/a.mp4`
    authorities = { own: authority.ca, other: (await createTestAuthority('other')).ca }
  })
  after(() => close())

  async function fetched(environment: Record<string, string>): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [program, url], {
      env: { ...process.env, ...environment },
    })
    return stdout.trim()
  }

  it('an input is fetched where NODE_EXTRA_CA_CERTS names the authority of its server', async () => {
    await writeFile(scratch('trust.crt'), authorities.other + authorities.own)
    expect(await fetched({ NODE_EXTRA_CA_CERTS: scratch('trust.crt') })).to.equal('bytes')
  })

  it('an input is refused by the name of its mistake without the authority, and with another one', async () => {
    const refused = `in_1: ${url} has no valid TLS certificate`
    expect(await fetched({})).to.equal(refused)
    await writeFile(scratch('other.crt'), authorities.other)
    expect(await fetched({ NODE_EXTRA_CA_CERTS: scratch('other.crt') })).to.equal(refused)
  })
})
