import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export interface IssuedCertificate {
  readonly cert: string
  readonly key: string
  /** PEM of the authority that signed it. */
  readonly ca: string
}

export interface TestAuthority {
  readonly ca: string
  /** A certificate for 127.0.0.1 and localhost, and for one more host: an address or a name. */
  issue(host?: string): Promise<IssuedCertificate>
}

const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A certificate authority whose files are removed after the tests of the present `describe`. */
export async function createTestAuthority(name: string): Promise<TestAuthority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'authority-'))
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder })
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const selfSigned = ['req', '-x509', ...key, '-days', '2']
  await openssl(...selfSigned, '-subj', `/CN=${name}`, ...outputs('ca'))
  const [ca, caKey] = [await read('ca.crt'), path.join(folder, 'ca.key')]
  let count = 0
  after(() => rm(folder, { recursive: true, force: true }))
  return {
    ca,
    async issue(host) {
      count += 1
      const names = ['IP:127.0.0.1', 'DNS:localhost']
      if (host !== undefined) names.push(`${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`)
      const own = `server-${count}`
      await openssl(
        ...selfSigned,
        '-CA',
        'ca.crt',
        '-CAkey',
        caKey,
        '-subj',
        `/CN=${own}`,
        '-addext',
        `subjectAltName=${names.join(',')}`,
        ...outputs(own),
      )
      return { ca, cert: await read(`${own}.crt`), key: await read(`${own}.key`) }
    },
  }
}

function outputs(name: string): string[] {
  return ['-keyout', `${name}.key`, '-out', `${name}.crt`]
}
