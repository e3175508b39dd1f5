import type { KubeClient } from '../../../common/kubernetes/client.ts'
import { createCertificateRotation } from './certificate-rotation.ts'
import type { CertificateRotationDeps, CertificateSource } from './certificate-rotation.ts'
import { createConfigMaps } from './config-maps.ts'
import { gatewayTlsSettings } from './gateway-tls-settings.ts'
import type { GatewayTlsVariables } from './gateway-tls-settings.ts'
import { readTlsFiles } from './tls-files.ts'
import { createTrustedAuthorities, trustedEverywhere } from './trusted-authorities.ts'

export interface GatewayTls {
  /** 0 = any free one. */
  readonly port: number
  readonly certificate: CertificateSource
  /** Serve plain HTTP on the other port, too. */
  readonly plainHttp: boolean
}

/**
 * @param deps.namespaces those of the runners, that of the service first
 * @returns null for plain HTTP alone
 * @throws InvalidSettings
 */
export function createGatewayTls(
  variables: GatewayTlsVariables,
  deps: Pick<CertificateRotationDeps, 'effects' | 'registry' | 'logger'> & {
    readonly kube: KubeClient
    readonly namespaces: readonly string[]
  },
): GatewayTls | null {
  const settings = gatewayTlsSettings(variables)
  if (settings === null) return null
  const { folder, caConfigMap: name, spreadMs, port, plainHttp } = settings
  const { effects } = deps
  const [home = '', ...guests] = deps.namespaces
  const configMaps = createConfigMaps(deps.kube)
  const trustedIn = (namespace: string) =>
    createTrustedAuthorities({ configMaps, namespace, name, clock: effects.clock })
  const certificate = createCertificateRotation({
    ...deps,
    readFiles: () => readTlsFiles(folder),
    authorities: trustedEverywhere(trustedIn(home), guests.map(trustedIn)),
    spreadMs,
  })
  return { port, plainHttp, certificate }
}
