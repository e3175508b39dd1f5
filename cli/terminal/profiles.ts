import { UsageError } from './usage-error.ts'

/** A service with a key of an account. */
export interface Profile {
  readonly url: string
  readonly apiKey: string
}

/** The profiles of the person at this machine, and the name of the one that calls use. */
export interface Profiles {
  readonly current: string | null
  readonly byName: Readonly<Record<string, Profile>>
}

export const noProfiles: Profiles = { current: null, byName: {} }
export const defaultProfile = 'default'

export interface Connection {
  readonly url: string
  readonly apiKey: string
  /** Source of the address, for errors. */
  readonly urlFrom: string
  readonly keyFrom: string
}

export interface Environment {
  readonly url: string | undefined
  readonly apiKey: string | undefined
}

/**
 * The service that a call talks to: a profile that the command line names, else the environment, else
 * the current profile.
 * @throws UsageError if there is none
 */
export function chooseConnection(
  named: string | null,
  environment: Environment,
  profiles: Profiles,
): Connection {
  const name = named ?? (environment.url || environment.apiKey ? null : profiles.current)
  if (name !== null) {
    const from = `profile ${name}`
    return { ...profileOf(profiles, name), urlFrom: from, keyFrom: from }
  }
  const { url, apiKey } = environment
  if (!url && !apiKey) {
    throw new UsageError(
      "no service: run 'cloud-ffmpeg login', or set CLOUD_FFMPEG_URL and CLOUD_FFMPEG_API_KEY",
    )
  }
  if (!url) throw new UsageError('CLOUD_FFMPEG_URL is not set: the address of the service')
  if (!apiKey) throw new UsageError('CLOUD_FFMPEG_API_KEY is not set: a key of your account')
  return { url, apiKey, urlFrom: 'CLOUD_FFMPEG_URL', keyFrom: 'CLOUD_FFMPEG_API_KEY' }
}

/** @throws UsageError that names the profiles that there are */
export function profileOf({ byName }: Profiles, name: string): Profile {
  const found = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(byName).join(', ')
  throw new UsageError(
    names === ''
      ? `no profile '${name}': 'cloud-ffmpeg login --profile ${name}' makes it`
      : `no profile '${name}'; there are ${names}`,
  )
}

/** With the profile, which becomes the current one. */
export function withProfile(profiles: Profiles, name: string, profile: Profile): Profiles {
  return { current: name, byName: { ...profiles.byName, [name]: profile } }
}

/** Without the profile; the first of the others becomes the current one. */
export function withoutProfile({ current, byName }: Profiles, name: string): Profiles {
  const left = Object.fromEntries(Object.entries(byName).filter(([each]) => each !== name))
  const [first = null] = Object.keys(left)
  return { current: current === name ? first : current, byName: left }
}
