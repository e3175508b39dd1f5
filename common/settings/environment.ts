/**
 * Environment variables of both servers: what Kubernetes alone knows, secrets, and paths of files that hold them. All other
 * settings are in the file that CLOUD_FFMPEG_CONFIG names.
 */
export interface Environment {
  /** Path of config.json, which the chart renders. */
  readonly CLOUD_FFMPEG_CONFIG?: string | undefined
  /** PostgreSQL connection string, postgres://…; TLS by its sslmode. */
  readonly CLOUD_FFMPEG_DATABASE_URL?: string | undefined
  /** File with it, read again for each connection, so that a password can change. */
  readonly CLOUD_FFMPEG_DATABASE_URL_FILE?: string | undefined
  /** Connection string of the server itself behind a pooler, for migrations and LISTEN. */
  readonly CLOUD_FFMPEG_DATABASE_DIRECT_URL?: string | undefined
  readonly CLOUD_FFMPEG_DATABASE_DIRECT_URL_FILE?: string | undefined
  /** PEM file of the authority of the database, as sslrootcert in both URLs. */
  readonly CLOUD_FFMPEG_DATABASE_CA_FILE?: string | undefined
  readonly CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID?: string | undefined
  readonly CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY?: string | undefined
  /** Folder whose files accessKeyId and secretAccessKey hold both, read for each request. */
  readonly CLOUD_FFMPEG_STORAGE_CREDENTIALS_FOLDER?: string | undefined
  /** The same of a key that signs the URLs of users in place of the other credentials. */
  readonly CLOUD_FFMPEG_STORAGE_PRESIGN_FOLDER?: string | undefined
  /** Failpoints for tests: name=action[,name=action] with crash-before, crash-after, fail or twice. */
  readonly CLOUD_FFMPEG_FAILPOINTS?: string | undefined

  // Operator
  readonly CLOUD_FFMPEG_POD_NAME?: string | undefined
  readonly CLOUD_FFMPEG_POD_UID?: string | undefined
  /** Address at which warm runners reach the leader; without it commands get no warm runner. */
  readonly CLOUD_FFMPEG_POD_IP?: string | undefined
  /** Folder with tls.crt, tls.key and the ca.crt that runners trust; the gateway then speaks https. */
  readonly CLOUD_FFMPEG_GATEWAY_TLS_FOLDER?: string | undefined
  /** Failpoints of the runners, for tests. */
  readonly CLOUD_FFMPEG_RUNNER_FAILPOINTS?: string | undefined

  // API server
  /** A key for the first account; only its hash is stored. */
  readonly CLOUD_FFMPEG_BOOTSTRAP_API_KEY?: string | undefined
  readonly CLOUD_FFMPEG_SMTP_USER?: string | undefined
  readonly CLOUD_FFMPEG_SMTP_PASSWORD?: string | undefined
}
