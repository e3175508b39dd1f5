import { X509Certificate, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../../../common/runtime/error-code.ts'

/** What the gateway's server presents, as PEM. */
export interface KeyPair {
  /** The server's certificate, then those of intermediate authorities. */
  readonly cert: string
  readonly key: string
}

export interface TlsFiles extends KeyPair {
  /** Certificates of the authority, for the ConfigMap of the runners; null = that ConfigMap is not ours. */
  readonly ca: string | null
}

/**
 * The kubelet replaces the folder of a Secret as a whole, but a read can begin before and end after it.
 * @throws where a file is missing, or the key is not that of the certificate
 */
export function readTlsFiles(folder: string): TlsFiles {
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) =>
    readFileSync(path.join(folder, name), 'utf8'),
  )
  const pair = { cert: cert ?? '', key: key ?? '' }
  const [own] = certificatesOf(pair.cert)
  if (own === undefined) throw new Error('tls.crt must hold a certificate in PEM form')
  if (!own.checkPrivateKey(createPrivateKey(pair.key))) {
    throw new Error('tls.key must be the private key of the first certificate in tls.crt')
  }
  return { ...pair, ca: readOptional(path.join(folder, 'ca.crt')) }
}

export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/** The certificates among `roots` by which a client can verify a chain. */
export function rootsOf(
  chain: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): X509Certificate[] {
  const linked = chain.filter((_, index) =>
    chain.slice(1, index + 1).every((issuer, at) => {
      const issued = chain[at]
      return issued !== undefined && isIssuedBy(issued, issuer)
    }),
  )
  return roots.filter((root) =>
    linked.some(
      (certificate) =>
        certificate.fingerprint256 === root.fingerprint256 || isIssuedBy(certificate, root),
    ),
  )
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function readOptional(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}
