import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import pg from 'pg'
import { useScratch } from '../../../testing/support/scratch.ts'
import { currentConnectionString } from './connection-string.ts'
import { databaseAccess } from './database-access.ts'

const url = 'postgres://user:password@database:5432/name'
const direct = 'postgres://user:password@direct:5432/name'
const authority = '-----BEGIN CERTIFICATE-----'

describe('databaseAccess', () => {
  const scratch = useScratch()
  const access = (environment: Record<string, string>, pooler: 'none' | 'transaction' = 'none') =>
    databaseAccess({ database: { pooler, connections: 10 }, environment })

  async function caFile(): Promise<string> {
    const file = scratch('ca.crt')
    await writeFile(file, authority)
    return file
  }

  /** TLS as pg uses it for a connection. */
  function tlsOf(connectionString: Parameters<typeof currentConnectionString>[0] | null): unknown {
    expect(connectionString).to.not.equal(null)
    const current = currentConnectionString(connectionString ?? '')
    return new pg.Client({ connectionString: current }).ssl
  }

  it('verifies the server and the server behind the pooler by the authority of the file', async () => {
    const environment = {
      CLOUD_FFMPEG_DATABASE_URL: url,
      CLOUD_FFMPEG_DATABASE_DIRECT_URL: `${direct}?application_name=media`,
      CLOUD_FFMPEG_DATABASE_CA_FILE: await caFile(),
    }
    const { connectionString, directConnectionString } = access(environment, 'transaction')
    expect(tlsOf(connectionString)).to.deep.equal({ ca: authority })
    expect(tlsOf(directConnectionString)).to.deep.equal({ ca: authority })
  })

  it('verifies by the authority where the URL is read from a file', async () => {
    const file = scratch('url')
    await writeFile(file, url)
    const { connectionString } = access({
      CLOUD_FFMPEG_DATABASE_URL_FILE: file,
      CLOUD_FFMPEG_DATABASE_CA_FILE: await caFile(),
    })
    expect(tlsOf(connectionString)).to.deep.equal({ ca: authority })
  })

  it('keeps the authority and the sslmode that a URL names', async () => {
    const own = await caFile()
    const { connectionString } = access({
      CLOUD_FFMPEG_DATABASE_URL: `${url}?sslrootcert=${own}`,
      CLOUD_FFMPEG_DATABASE_CA_FILE: await caFile(),
    })
    expect(connectionString).to.equal(`${url}?sslrootcert=${own}`)
    const plain = access({
      CLOUD_FFMPEG_DATABASE_URL: `${url}?sslmode=disable`,
      CLOUD_FFMPEG_DATABASE_CA_FILE: own,
    })
    expect(tlsOf(plain.connectionString)).to.equal(false)
  })

  it('verifies certificate and host with require, as the page about the database says of each word', () => {
    const ssl = (query: string) =>
      tlsOf(access({ CLOUD_FFMPEG_DATABASE_URL: url + query }).connectionString)
    expect([ssl(''), ssl('?sslmode=disable')]).to.deep.equal([false, false])
    // Node.js verifies both unless an option says otherwise.
    for (const word of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']) {
      expect(ssl(`?sslmode=${word}`), word).to.deep.equal({})
    }
    expect(ssl('?sslmode=no-verify')).to.deep.equal({ rejectUnauthorized: false })
  })

  it('rejects a file of an authority that cannot be read, with its variable', () => {
    const environment = {
      CLOUD_FFMPEG_DATABASE_URL: url,
      CLOUD_FFMPEG_DATABASE_CA_FILE: '/absent/ca.crt',
    }
    expect(() => access(environment)).to.throw('CLOUD_FFMPEG_DATABASE_CA_FILE')
  })
})
