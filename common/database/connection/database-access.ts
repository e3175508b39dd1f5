import { readFileSync } from 'node:fs'
import { currentConnectionString } from './connection-string.ts'
import type { ConnectionString } from './connection-string.ts'
import { InvalidSettings } from '../../settings/settings.ts'
import { secretFile } from '../../settings/secret-file.ts'
import type { SharedSettings } from '../../settings/settings.ts'

type DatabaseSettings = Pick<SharedSettings, 'database' | 'environment'>

/** How a process reaches the database. */
export interface DatabaseAccess {
  readonly connectionString: ConnectionString
  readonly maxConnections: number
  readonly isPooled: boolean
  /** Reaches the server without a pooler; null where only the pooler can be reached. */
  readonly directConnectionString: ConnectionString | null
}

/** @throws InvalidSettings without a connection string, and with a file that cannot be read */
export function databaseAccess(settings: DatabaseSettings): DatabaseAccess {
  const verified = verifiedBy(settings.environment.CLOUD_FFMPEG_DATABASE_CA_FILE)
  const connectionString = verified(connectionStringOf('CLOUD_FFMPEG_DATABASE_URL', settings))
  if (connectionString === undefined) {
    throw new InvalidSettings([
      'CLOUD_FFMPEG_DATABASE_URL_FILE must name the file of the connection string; it is not set, nor CLOUD_FFMPEG_DATABASE_URL',
    ])
  }
  const isPooled = settings.database.pooler === 'transaction'
  const direct = verified(connectionStringOf('CLOUD_FFMPEG_DATABASE_DIRECT_URL', settings))
  return {
    connectionString,
    maxConnections: settings.database.connections,
    isPooled,
    directConnectionString: direct ?? (isPooled ? null : connectionString),
  }
}

/** The release that the database belongs to: another one is refused while this one is alive. */
export function installationOf({ release }: Pick<SharedSettings, 'release'>): string {
  return `${release.namespace}/${release.fullname}`
}

/** The connection strings of the present, whose hosts webhooks and inputs must not reach. */
export function databaseUrls(settings: DatabaseSettings): string[] {
  const { connectionString, directConnectionString } = databaseAccess(settings)
  const all = [
    connectionString,
    ...(directConnectionString === null ? [] : [directConnectionString]),
  ]
  return [...new Set(all.map(currentConnectionString))]
}

function connectionStringOf(
  name: 'CLOUD_FFMPEG_DATABASE_URL' | 'CLOUD_FFMPEG_DATABASE_DIRECT_URL',
  { environment }: DatabaseSettings,
): ConnectionString | undefined {
  const file = environment[`${name}_FILE`]
  if (!file) return environment[name] || undefined
  const read = secretFile(file)
  try {
    read()
  } catch (error) {
    throw new InvalidSettings([`${name}_FILE: ${String(error)}`])
  }
  return read
}

/**
 * Adds the authority to a connection string that names none. pg then uses TLS and verifies the host, unless `sslmode` in the
 * URL says otherwise.
 */
function verifiedBy(
  file: string | undefined,
): (url: ConnectionString | undefined) => ConnectionString | undefined {
  if (!file) return (url) => url
  try {
    readFileSync(file)
  } catch (error) {
    throw new InvalidSettings([`CLOUD_FFMPEG_DATABASE_CA_FILE: ${String(error)}`])
  }
  const added = `sslrootcert=${encodeURIComponent(file)}`
  const withAuthority = (url: string): string =>
    /[?&]sslrootcert=/.test(url) ? url : `${url}${url.includes('?') ? '&' : '?'}${added}`
  return (url) => {
    if (typeof url === 'function') return () => withAuthority(url())
    return url === undefined ? url : withAuthority(url)
  }
}
