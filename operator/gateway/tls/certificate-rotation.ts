import type { X509Certificate } from 'node:crypto'
import type { Gauge, Registry } from 'prom-client'
import { gauge } from '../../../common/runtime/metrics.ts'
import { createLoop, loopPart } from '../../../common/runtime/loop.ts'
import type { Part } from '../../../common/runtime/lifecycle.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import { certificatesOf, rootsOf } from './tls-files.ts'
import type { KeyPair, TlsFiles } from './tls-files.ts'
import type { TrustedAuthorities } from './trusted-authorities.ts'

export interface CertificateRotationDeps {
  /** @throws while the files do not fit together */
  readonly readFiles: () => TlsFiles
  readonly authorities: TrustedAuthorities
  /**
   * From the moment at which runners are to trust an authority until its first certificate is presented: the kubelet
   * takes up to 90 s to write a changed ConfigMap into running pods.
   */
  readonly spreadMs: number
  readonly effects: Effects
  readonly registry: Registry
  readonly logger: Logger
}

/** Source of the certificate of the gateway's server. */
export interface CertificateSource {
  /** @param present is called with the first one before the promise resolves, later with each new one */
  start(present: (pair: KeyPair) => void): Promise<void>
  stop(): Promise<void>
}

const everyMs = 10_000
const warnEveryMs = 600_000

/**
 * Reads the files of the mounted Secret again and again. A new certificate is presented once runners have its
 * authority: their connections would fail otherwise. At its start a process presents what it finds.
 */
export function createCertificateRotation(deps: CertificateRotationDeps): CertificateSource {
  const { effects, logger } = deps
  const expires = certificateExpiry(deps.registry)
  /** By fingerprint of the authority: since when runners can know it. */
  let trustedSince = new Map<string, number>()
  let presented: X509Certificate | null = null
  let warnedMs = -Infinity
  let part: Part | null = null

  return {
    async start(present) {
      const files = deps.readFiles()
      await trust(files).catch((error: unknown) => {
        logger.warn('cannot read what runners trust; trying again', { error })
      })
      show(files, present)
      const loop = createLoop({
        name: 'gateway-certificate',
        everyMs,
        effects,
        logger,
        work: () => renew(present),
      })
      part = loopPart('gateway-certificate', (signal) => loop.run(signal))
      await part.start()
    },
    async stop() {
      await part?.stop()
    },
  }

  async function renew(present: (pair: KeyPair) => void): Promise<void> {
    const files = deps.readFiles()
    const sinceMs = await trust(files)
    const [own] = certificatesOf(files.cert)
    if (own === undefined || own.fingerprint256 === presented?.fingerprint256) return
    const nowMs = effects.clock.monotonicMs()
    if (sinceMs !== null && nowMs - sinceMs >= deps.spreadMs) show(files, present)
    else if (isExpired(presented)) show(files, present)
  }

  /** @returns since when runners can verify the certificate in the files; null if they cannot */
  async function trust(files: TlsFiles): Promise<number | null> {
    const trusted = await deps.authorities.publish(files.ca)
    const nowMs = effects.clock.monotonicMs()
    trustedSince = new Map(
      trusted.map(({ fingerprint256: name }) => [name, trustedSince.get(name) ?? nowMs]),
    )
    const roots = rootsOf(certificatesOf(files.cert), trusted)
    if (roots.length === 0) warn(nowMs)
    const times = roots.map(({ fingerprint256: name }) => trustedSince.get(name) ?? nowMs)
    return times.length === 0 ? null : Math.min(...times)
  }

  function show(files: TlsFiles, present: (pair: KeyPair) => void): void {
    const [own] = certificatesOf(files.cert)
    if (own === undefined) return
    present({ cert: files.cert, key: files.key })
    presented = own
    expires.set(Date.parse(own.validTo) / 1000)
    logger.info('the gateway presents a certificate', {
      fingerprint: own.fingerprint256,
      expires: own.validTo,
    })
  }

  function isExpired(certificate: X509Certificate | null): boolean {
    return certificate !== null && Date.parse(certificate.validTo) <= effects.clock.wall().getTime()
  }

  function warn(nowMs: number): void {
    if (nowMs - warnedMs < warnEveryMs) return
    warnedMs = nowMs
    logger.warn(
      'no certificate in ca.crt of the ConfigMap verifies tls.crt of the gateway; add its authority',
    )
  }
}

export function certificateExpiry(registry: Registry): Gauge {
  return gauge(
    registry,
    'gateway_certificate_expiry_timestamp_seconds',
    'Unix time at which the certificate that the gateway presents expires.',
  )
}
