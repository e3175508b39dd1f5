import { databaseAccess, databaseUrls } from '../common/database/connection/database-access.ts'
import { deniedEndpoints } from '../common/network/network-settings.ts'
import { InvalidSettings, readConfig, settingsFrom } from '../common/settings/settings.ts'
import type { Environment } from '../common/settings/environment.ts'
import type { Settings } from '../common/settings/settings.ts'
import { registrationSettings } from './accounts/registration/registration-settings.ts'
import type { ApiServerConfig } from './api-server-config.ts'
import schema from './settings.schema.json' with { type: 'json' }

export type ApiServerSettings = Settings<ApiServerConfig>

/** @throws InvalidSettings with all mistakes of the file */
export function readSettings(environment: Environment): ApiServerSettings {
  return apiServerSettings(readConfig(environment), environment)
}

/** @throws InvalidSettings for single settings, and for checks that involve several */
export function apiServerSettings(config: unknown, environment: Environment): ApiServerSettings {
  const settings = settingsFrom<ApiServerConfig>(schema, config, environment)
  const mistakes = [
    ...planMistakes(settings),
    ...registrationSettings(settings).mistakes,
    ...migrationMistakes(settings),
  ]
  if (mistakes.length === 0) return settings
  throw new InvalidSettings(mistakes)
}

/** An account on an unknown plan would get the smallest plan without an error. */
function planMistakes({ bootstrap, accounts, plans }: ApiServerSettings): string[] {
  const named = { 'bootstrap.plan': bootstrap.plan, 'accounts.plan': accounts.plan }
  const known = Object.keys(plans)
  return Object.entries(named)
    .filter(([, plan]) => !known.includes(plan))
    .map(
      ([name, plan]) =>
        `${name} must be one of plans, ${known.join(', ')}; got '${plan}': use one of them, or add it to plans`,
    )
}

/** An index is built outside a transaction, where a pooled connection has the statement timeout of the role. */
function migrationMistakes(settings: ApiServerSettings): string[] {
  const isPooled = databaseAccess(settings).directConnectionString === null
  if (!settings.apiServer.migrate || !isPooled) return []
  return [
    'apiServer.migrate needs the URL of the server itself behind a pooler: set database.directUrl; or set apiServer.migrate to false and run the migrate command with that URL',
  ]
}

/** Source of the first key of the default account. */
export function firstKeySource({ bootstrap, environment }: ApiServerSettings) {
  return {
    given: environment.CLOUD_FFMPEG_BOOTSTRAP_API_KEY || undefined,
    place: bootstrap.generatedSecret || undefined,
  }
}

/**
 * Addresses that webhooks may reach. An allowed private range may hold the database and the storage,
 * which webhooks must not reach even then.
 */
export function webhookNetwork(settings: ApiServerSettings) {
  const own = [...databaseUrls(settings), settings.storage.endpoint].filter((url) => url !== '')
  return {
    allowCidrs: settings.network.allowCidrs,
    denyCidrs: settings.network.denyCidrs,
    denyEndpoints: [...own.flatMap(hostAndPort), ...deniedEndpoints(settings)],
  }
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Empty for a database on a Unix socket. */
function hostAndPort(url: string): string[] {
  const { protocol, hostname, port } = new URL(url)
  return hostname === '' ? [] : [`${hostname}:${port || (defaultPorts[protocol] ?? '5432')}`]
}
