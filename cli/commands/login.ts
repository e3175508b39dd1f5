import { addressProblem } from '../client/send.ts'
import { defaultProfile, profileOf, withoutProfile, withProfile } from '../terminal/profiles.ts'
import { exactly, parsed, UsageError } from '../terminal/parse.ts'
import type { Shell } from '../terminal/shell.ts'

/** Keeps the address of a service and a key of it under a name, once the service has taken the key. */
export async function login(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, {
    profile: { type: 'string', default: defaultProfile },
    url: { type: 'string' },
  })
  exactly(positionals)
  const { profile: name } = values
  if (!/^[\w.-]{1,40}$/.test(name)) {
    throw new UsageError(`--profile takes letters, digits, '.', '-' and '_', not '${name}'`)
  }
  const url = (values.url ?? (await shell.ask('Address of the service: '))).trim()
  const problem = addressProblem(url)
  if (problem !== null)
    throw new UsageError(values.url === undefined ? problem : `--url: ${problem}`)
  const apiKey = (await shell.ask('API key: ', { isSecret: true })).trim()
  if (apiKey === '') throw new UsageError('no API key was given')
  const { plan } = await shell.clientFor({ url, apiKey }).getUsage({ signal: shell.signal })
  const { profiles } = shell
  await profiles.write(withProfile(await profiles.read(), name, { url, apiKey }))
  shell.print(`profile ${name}: ${url}, plan ${plan}; kept in ${profiles.path}`)
  return 0
}

/** Forgets a profile and its key on this machine. */
export async function logout(args: string[], { profiles, print }: Shell): Promise<number> {
  const [name, ...others] = parsed(args, {}).positionals
  exactly(others)
  const found = await profiles.read()
  const leaving = name ?? found.current
  if (leaving === null) throw new UsageError('no profile is kept here')
  profileOf(found, leaving)
  const left = withoutProfile(found, leaving)
  await profiles.write(left)
  print(`forgot profile ${leaving}${left.current === null ? '' : `; now using ${left.current}`}`)
  return 0
}

/** Makes a profile the one that calls use. */
export async function use(args: string[], { profiles, print }: Shell): Promise<number> {
  const { PROFILE: name } = exactly(parsed(args, {}).positionals, 'PROFILE')
  const found = await profiles.read()
  const { url } = profileOf(found, name)
  await profiles.write({ ...found, current: name })
  print(`using profile ${name}: ${url}`)
  return 0
}

/** The profiles of this machine, the current one marked. */
export async function listProfiles(args: string[], { profiles, print }: Shell): Promise<number> {
  exactly(parsed(args, {}).positionals)
  const { current, byName } = await profiles.read()
  for (const [name, { url }] of Object.entries(byName)) {
    print(`${name === current ? '*' : ' '} ${name.padEnd(16)} ${url}`)
  }
  return 0
}
