import { X509Certificate, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { InvalidSettings } from '../../../common/settings/settings.ts'

/** Files of the mounted Secret, as PEM. */
export interface TlsFiles {
  /** The certificate of the gateway, then those of intermediate authorities. */
  readonly cert: string
  readonly key: string
  /** The authorities by which runners verify it. */
  readonly ca: string
}

/** The kernel limits one argument of a process to 128 KiB, and each Job and its pod hold the text. */
const mostCaBytes = 32 * 1_024

/**
 * The kubelet replaces the folder of a Secret as a whole, but a read can begin before and end after it.
 * @throws InvalidSettings where a file is missing, or the files do not belong together
 */
export function readTlsFiles(folder: string): TlsFiles {
  const cert = readPem(path.join(folder, 'tls.crt'))
  const key = readPem(path.join(folder, 'tls.key'))
  const chain = certificatesOf(cert)
  const roots = certificatesOf(readPem(path.join(folder, 'ca.crt')))
  const [own] = chain
  if (own === undefined) refuse(folder, 'tls.crt must hold a certificate in PEM form')
  if (!isKeyOf(own, key)) {
    refuse(folder, 'tls.key must be the private key of the first certificate in tls.crt')
  }
  if (!isVerified(own, chain.slice(1), roots)) {
    refuse(folder, 'ca.crt must hold the authority that signed tls.crt, or runners would refuse it')
  }
  const ca = roots.map(String).join('')
  if (ca.length > mostCaBytes) {
    refuse(
      folder,
      `ca.crt must hold at most ${mostCaBytes} bytes of certificates: only the gateway's`,
    )
  }
  return { cert, key, ca }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    refuse(file, `the Secret needs tls.crt, tls.key and ca.crt; ${String(error)}`)
  }
}

function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

function isKeyOf(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/** Whether a client that trusts `roots` accepts the certificate, which comes with those of `intermediates`. */
function isVerified(
  certificate: X509Certificate,
  intermediates: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  const isIssuer = (issuer: X509Certificate): boolean =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  if (roots.some((root) => root.fingerprint256 === certificate.fingerprint256)) return true
  if (roots.some(isIssuer)) return true
  const [next, ...others] = intermediates
  return next !== undefined && isIssuer(next) && isVerified(next, others, roots)
}

function refuse(place: string, problem: string): never {
  throw new InvalidSettings([`CLOUD_FFMPEG_GATEWAY_TLS_FOLDER, ${place}: ${problem}`])
}
