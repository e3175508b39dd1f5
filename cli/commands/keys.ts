import { exactly, parsed, unknownVerb, UsageError } from '../terminal/parse.ts'
import type { ApiKey } from '../../common/openapi/openapi-types.ts'
import type { CliCommand, Shell } from '../terminal/shell.ts'

const verbs: Readonly<Record<string, CliCommand>> = { list, revoke }

/** The keys of the account, never a key itself. */
export async function keys([verb = '', ...args]: string[], shell: Shell): Promise<number> {
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (command === undefined) throw new UsageError(unknownVerb('keys', verb, Object.keys(verbs)))
  return command(args, shell)
}

async function list(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, { json: { type: 'boolean', default: false } })
  exactly(positionals)
  const found = await shell.client().listKeys({ signal: shell.signal })
  if (values.json) shell.print(JSON.stringify(found, null, 2))
  else for (const key of found) shell.print(lineOf(key))
  return 0
}

async function revoke(args: string[], shell: Shell): Promise<number> {
  const { KEY_ID: id } = exactly(parsed(args, {}).positionals, 'KEY_ID')
  await shell.client().revokeKey(id, { signal: shell.signal })
  return 0
}

/** Id, beginning, label, last use. */
function lineOf({ key_id, prefix, label, last_used_at, expires_at, ...key }: ApiKey): string {
  const facts = [
    last_used_at === null ? 'never used' : `used ${last_used_at}`,
    ...(expires_at === null ? [] : [`expires ${expires_at}`]),
    ...(key.read_only ? ['read only'] : []),
    ...(key.is_this_one ? ['this one'] : []),
  ]
  return [key_id, `${prefix ?? ''}…`.padEnd(10), (label ?? '-').padEnd(16), facts.join(', ')].join(
    '  ',
  )
}
