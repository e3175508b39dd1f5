import { InvalidSettings } from '../../../common/settings/settings.ts'
import type { Settings } from '../../../common/settings/settings.ts'
import type { gatewayTlsVariables } from './gateway-tls-variables.ts'

export type GatewayTlsVariables = Settings<typeof gatewayTlsVariables> & {
  readonly CLOUD_FFMPEG_GATEWAY_URL: string
}

interface GatewayTlsSettings {
  readonly port: number
  readonly plainHttp: boolean
  readonly folder: string
  readonly caConfigMap: string
  readonly spreadMs: number
}

/**
 * null = plain HTTP alone
 * @throws InvalidSettings where runners could not verify the certificate, or would not use it
 */
export function gatewayTlsSettings(settings: GatewayTlsVariables): GatewayTlsSettings | null {
  const folder = settings.CLOUD_FFMPEG_GATEWAY_TLS_FOLDER
  const caConfigMap = settings.CLOUD_FFMPEG_GATEWAY_CA_CONFIG_MAP
  const isSecure = settings.CLOUD_FFMPEG_GATEWAY_URL.startsWith('https:')
  if (folder === undefined && caConfigMap === undefined && !isSecure) return null
  if (folder === undefined || caConfigMap === undefined || !isSecure) {
    throw new InvalidSettings([
      'TLS of the gateway needs CLOUD_FFMPEG_GATEWAY_TLS_FOLDER, CLOUD_FFMPEG_GATEWAY_CA_CONFIG_MAP and a CLOUD_FFMPEG_GATEWAY_URL with https together',
    ])
  }
  return {
    port: settings.CLOUD_FFMPEG_GATEWAY_TLS_PORT,
    plainHttp: settings.CLOUD_FFMPEG_GATEWAY_PLAIN_HTTP,
    folder,
    caConfigMap,
    spreadMs: settings.CLOUD_FFMPEG_GATEWAY_CA_SPREAD_SECONDS * 1000,
  }
}
