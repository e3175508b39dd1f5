/** `postgres://…`, or a function that returns the present one. */
export type ConnectionString = string | (() => string)

export function currentConnectionString(connectionString: ConnectionString): string {
  return typeof connectionString === 'string' ? connectionString : connectionString()
}
