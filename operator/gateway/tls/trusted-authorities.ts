import type { X509Certificate } from 'node:crypto'
import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'
import type { ConfigMap } from './config-maps.ts'
import { certificatesOf } from './tls-files.ts'

/** The certificates by which runners verify the gateway, in a ConfigMap that their pods mount. */
export interface TrustedAuthorities {
  /**
   * Adds the authority of this operator's own certificate and removes those that it replaced an hour
   * ago: another replica may present a certificate of either during a rotation.
   *
   * @param own PEM; null = someone else writes the ConfigMap
   * @returns what runners trust now
   */
  publish(own: string | null): Promise<readonly X509Certificate[]>
}

export interface TrustedAuthoritiesDeps {
  readonly configMaps: Pick<Resource<ConfigMap>, 'get' | 'mergePatch'>
  readonly namespace: string
  readonly name: string
  readonly clock: Pick<Clock, 'monotonicMs'>
}

const field = 'ca.crt'
/** Replicas read a changed Secret within two minutes of each other. */
const keepReplacedMs = 3_600_000
/** Renderings without a cluster make an authority each; a ConfigMap holds 1 MiB. */
const mostAuthorities = 16

export function createTrustedAuthorities(deps: TrustedAuthoritiesDeps): TrustedAuthorities {
  const { configMaps, namespace, name, clock } = deps
  let seen = { text: '', sinceMs: -Infinity }
  return {
    async publish(own) {
      const found = await configMaps.get(namespace, name)
      if (found === null) throw new NoConfigMap(`the ConfigMap ${namespace}/${name} does not exist`)
      const text = found.data[field] ?? ''
      if (text !== seen.text) seen = { text, sinceMs: clock.monotonicMs() }
      const published = certificatesOf(text)
      if (own === null) return published
      const isSettled = clock.monotonicMs() - seen.sinceMs >= keepReplacedMs
      const wanted = merged(isSettled ? [] : published, certificatesOf(own))
      if (hasSame(wanted, published)) return published
      const { resourceVersion } = found.metadata
      const target = { namespace, name, resourceVersion }
      await configMaps.mergePatch(target, { data: { [field]: wanted.map(String).join('') } })
      return wanted
    },
  }
}

/**
 * In all namespaces of runners. What one of them does not trust yet counts as not trusted, so that the gateway
 * presents no certificate that its pods would refuse. A guest that is gone, or refuses the operator, does not count:
 * the certificate of all others would never be renewed.
 */
export function trustedEverywhere(
  home: TrustedAuthorities,
  guests: readonly TrustedAuthorities[],
): TrustedAuthorities {
  return {
    async publish(own) {
      const [first, ...others] = await Promise.all([
        home.publish(own),
        ...guests.map((guest) => guest.publish(own).catch(ignoreGone)),
      ])
      return first.filter(({ fingerprint256 }) =>
        others.every(
          (trusted) => trusted?.some((each) => each.fingerprint256 === fingerprint256) ?? true,
        ),
      )
    },
  }
}

function ignoreGone(error: unknown): null {
  if (error instanceof NoConfigMap || isKubeError(error, 'forbidden')) return null
  throw error
}

class NoConfigMap extends Error {
  override readonly name = 'NoConfigMap'
}

/** Newest last. */
function merged(published: readonly X509Certificate[], own: readonly X509Certificate[]) {
  const names = new Set(published.map(({ fingerprint256 }) => fingerprint256))
  const added = own.filter(({ fingerprint256 }) => !names.has(fingerprint256))
  return [...published, ...added].slice(-mostAuthorities)
}

function hasSame(some: readonly X509Certificate[], others: readonly X509Certificate[]): boolean {
  const names = new Set(others.map(({ fingerprint256 }) => fingerprint256))
  return some.length === others.length && some.every((each) => names.has(each.fingerprint256))
}
