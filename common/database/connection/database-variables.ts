import { readFileSync } from 'node:fs'
import { currentConnectionString } from './connection-string.ts'
import type { ConnectionString } from './connection-string.ts'
import { InvalidSettings } from '../../settings/settings.ts'
import { secretFile } from '../../settings/secret-file.ts'
import type { Settings } from '../../settings/settings.ts'

/** Environment of every server that uses the database. */
export const databaseVariables = {
  CLOUD_FFMPEG_DATABASE_URL: {
    type: 'string',
    optional: true,
    orFile: true,
    description: 'PostgreSQL connection string, postgres://…; TLS by its sslmode.',
  },
  CLOUD_FFMPEG_DATABASE_URL_FILE: {
    type: 'string',
    optional: true,
    description:
      'A file that holds it, read again for each connection, so that a password can change.',
  },
  CLOUD_FFMPEG_DATABASE_POOLER: {
    type: 'string',
    enum: ['none', 'transaction'],
    default: 'none',
    description:
      'transaction: the URL is that of a pooler such as PgBouncer that gives a connection per transaction.',
  },
  CLOUD_FFMPEG_DATABASE_DIRECT_URL: {
    type: 'string',
    optional: true,
    description:
      'Connection string of the server itself where the URL is that of a pooler; for migrations and LISTEN.',
  },
  CLOUD_FFMPEG_DATABASE_DIRECT_URL_FILE: {
    type: 'string',
    optional: true,
    description: 'A file that holds it, read again for each connection.',
  },
  CLOUD_FFMPEG_DATABASE_CA_FILE: {
    type: 'string',
    optional: true,
    description:
      'PEM file of the authority that signed the certificate of the server, read again for each connection; as sslrootcert in both URLs.',
  },
  CLOUD_FFMPEG_INSTALLATION: {
    type: 'string',
    optional: true,
    description:
      'Namespace and name of the release: the database is refused to another one while this one is alive.',
  },
  CLOUD_FFMPEG_DATABASE_CONNECTIONS: {
    type: 'integer',
    minimum: 2,
    maximum: 1_000,
    default: 10,
    description: 'Most connections to the database, without the one that listens for hints.',
  },
} as const

/** How a process reaches the database. */
export interface DatabaseAccess {
  readonly connectionString: ConnectionString
  readonly maxConnections: number
  readonly isPooled: boolean
  /** Reaches the server without a pooler; null where only the pooler can be reached. */
  readonly directConnectionString: ConnectionString | null
}

/** @throws InvalidSettings without a connection string, and with a file that cannot be read */
export function databaseAccess(settings: Settings<typeof databaseVariables>): DatabaseAccess {
  const verified = verifiedBy(settings.CLOUD_FFMPEG_DATABASE_CA_FILE)
  const connectionString = verified(connectionStringOf('CLOUD_FFMPEG_DATABASE_URL', settings))
  if (connectionString === undefined) {
    throw new InvalidSettings(['CLOUD_FFMPEG_DATABASE_URL: is not set'])
  }
  const isPooled = settings.CLOUD_FFMPEG_DATABASE_POOLER === 'transaction'
  const direct = verified(connectionStringOf('CLOUD_FFMPEG_DATABASE_DIRECT_URL', settings))
  return {
    connectionString,
    maxConnections: settings.CLOUD_FFMPEG_DATABASE_CONNECTIONS,
    isPooled,
    directConnectionString: direct ?? (isPooled ? null : connectionString),
  }
}

/** The connection strings of the present, whose hosts webhooks and inputs must not reach. */
export function databaseUrls(settings: Settings<typeof databaseVariables>): string[] {
  const { connectionString, directConnectionString } = databaseAccess(settings)
  const all = [
    connectionString,
    ...(directConnectionString === null ? [] : [directConnectionString]),
  ]
  return [...new Set(all.map(currentConnectionString))]
}

function connectionStringOf(
  name: 'CLOUD_FFMPEG_DATABASE_URL' | 'CLOUD_FFMPEG_DATABASE_DIRECT_URL',
  settings: Settings<typeof databaseVariables>,
): ConnectionString | undefined {
  const file = settings[`${name}_FILE`]
  if (file === undefined) return settings[name]
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
  if (file === undefined) return (url) => url
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
