import type { KubeClient } from '../../../common/kubernetes/client.ts'
import { createCertificateRotation } from './certificate-rotation.ts'
import type { CertificateRotationDeps, CertificateSource } from './certificate-rotation.ts'
import { createConfigMaps } from './config-maps.ts'
import { gatewayTlsSettings } from './gateway-tls-settings.ts'
import type { GatewayTlsVariables } from './gateway-tls-settings.ts'
import { readTlsFiles } from './tls-files.ts'
import { createTrustedAuthorities } from './trusted-authorities.ts'

export interface GatewayTls {
  /** 0 = any free one. */
  readonly port: number
  readonly certificate: CertificateSource
  /** Serve plain HTTP on the other port, too. */
  readonly plainHttp: boolean
}

/**
 * @param deps.namespace that of the runners
 * @returns null for plain HTTP alone
 * @throws InvalidSettings
 */
export function createGatewayTls(
  variables: GatewayTlsVariables,
  deps: Pick<CertificateRotationDeps, 'effects' | 'registry' | 'logger'> & {
    readonly kube: KubeClient
    readonly namespace: string
  },
): GatewayTls | null {
  const settings = gatewayTlsSettings(variables)
  if (settings === null) return null
  const { folder, caConfigMap: name, spreadMs, port, plainHttp } = settings
  const { namespace, effects } = deps
  const certificate = createCertificateRotation({
    ...deps,
    readFiles: () => readTlsFiles(folder),
    authorities: createTrustedAuthorities({
      ...{ configMaps: createConfigMaps(deps.kube), namespace, name, clock: effects.clock },
    }),
    spreadMs,
  })
  return { port, plainHttp, certificate }
}
