import type { Settings } from '../../runtime/settings.ts'

/** Environment of every server that uses the database. */
export const databaseVariables = {
  CLOUD_FFMPEG_DATABASE_URL: {
    type: 'string',
    description: 'PostgreSQL connection string, postgres://…; TLS by its sslmode.',
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
  readonly connectionString: string
  readonly maxConnections: number
  readonly isPooled: boolean
  /** Reaches the server without a pooler; null where only the pooler can be reached. */
  readonly directConnectionString: string | null
}

export function databaseAccess(settings: Settings<typeof databaseVariables>): DatabaseAccess {
  const connectionString = settings.CLOUD_FFMPEG_DATABASE_URL
  const isPooled = settings.CLOUD_FFMPEG_DATABASE_POOLER === 'transaction'
  const direct = settings.CLOUD_FFMPEG_DATABASE_DIRECT_URL
  return {
    connectionString,
    maxConnections: settings.CLOUD_FFMPEG_DATABASE_CONNECTIONS,
    isPooled,
    directConnectionString: direct ?? (isPooled ? null : connectionString),
  }
}
