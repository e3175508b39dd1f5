import { ageOf, timeTo } from '../../existing/age.ts'
import { wholeIdIn } from '../../existing/which-command.ts'
import { spanSeconds } from '../../terminal/usage-error.ts'
import { cliCommand } from '../../terminal/cli-command.ts'
import type { OptionValues } from '../../terminal/cli-command.ts'
import type { Shell } from '../../terminal/shell.ts'
import type { ApiKey } from '../../../common/openapi/openapi-types.ts'

const listOptions = { '--json': "print the service's whole answer" } as const

const list = cliCommand({
  summary: 'their beginnings and last use',
  example: 'keys list',
  options: listOptions,
  run: listKeys,
})

const create = cliCommand({
  summary: 'make one more, which is printed this once',
  about:
    'Makes one more key of the account and prints it, where the installation allows that to keys.',
  example: "keys create 'wall screen' --read-only --expires-in 30d",
  args: ['<LABEL>'],
  options: {
    '--read-only': 'the key may read and validate, no more',
    '--expires-in <TIME>': 'refused after this time: 12h, 30d',
    ...listOptions,
  },
  async run({ LABEL: label, readOnly, expiresIn, json }, shell) {
    const expires_in_seconds = expiresIn === undefined ? null : spanSeconds('expires-in', expiresIn)
    const body = { label, read_only: readOnly, expires_in_seconds }
    const made = await shell.client().createKey(body, { signal: shell.signal })
    if (!json) shell.progress.say(lineOf(made, shell.clock.wall()))
    shell.print(json ? JSON.stringify(made, null, 2) : made.api_key)
    return 0
  },
})

const revoke = cliCommand({
  summary: 'end one for good',
  example: 'keys revoke KEY_ID',
  args: ['<KEY_ID>'],
  async run({ KEY_ID }, shell) {
    await shell
      .client()
      .revokeKey(wholeIdIn('KEY_ID', KEY_ID, 'cloud-ffmpeg keys'), { signal: shell.signal })
    return 0
  },
})

/** The keys of the account, never a key itself. */
export const keys = cliCommand({
  summary: 'list, make and revoke the keys of the account',
  about: 'Lists, makes and revokes the keys of the account; without a verb it lists them.',
  options: listOptions,
  verbs: { list, create, revoke },
  run: listKeys,
})

async function listKeys({ json }: OptionValues<typeof listOptions>, shell: Shell): Promise<number> {
  const found = await shell.client().listKeys({ signal: shell.signal })
  if (json) shell.print(JSON.stringify(found, null, 2))
  else for (const key of found) shell.print(lineOf(key, shell.clock.wall()))
  return 0
}

/** Id, beginning, label, last use. */
function lineOf(
  { key_id, prefix, label, last_used_at, expires_at, ...key }: ApiKey,
  now: Date,
): string {
  const facts = [
    last_used_at === null ? 'never used' : `used ${ageOf(last_used_at, now)} ago`,
    ...(expires_at === null ? [] : [`expires in ${timeTo(expires_at, now)}`]),
    ...(key.read_only ? ['read only'] : []),
    ...(key.is_this_one ? ['this one'] : []),
  ]
  return [key_id, `${prefix ?? ''}…`.padEnd(10), (label ?? '-').padEnd(16), facts.join(', ')].join(
    '  ',
  )
}
