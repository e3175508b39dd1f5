import { notFound } from './errors.ts'
import { isHttpUrl } from '../../common/network/http-url.ts'
import type { Ajv2020 } from 'ajv/dist/2020.js'

/** The formats that openapi.json uses. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('http-url', isHttpUrl)
  ajv.addFormat('date-time', isTime)
  ajv.addFormat('email', isEmailAddress)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Accepts either case and any version (RFC 9562, section 4). */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/**
 * The id in lower case. Calls that document their id as a string answer 404 for an id that is not a
 * UUID, as for an unknown one.
 * @throws Refusal 404
 */
export function knownId(text: string, what: string): string {
  if (!isUuid(text)) throw notFound(what, text)
  return text.toLowerCase()
}

const sentTime =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(\.\d+)?(?:[Zz]|([+ -])(\d\d):?([0-5]\d)))?$/

/**
 * The time in UTC: PostgreSQL takes any offset, other readers compare texts. A `+` that was not encoded in a query
 * arrives as a blank. A date is its first instant.
 * @returns null for any other text
 */
export function utcTime(text: string): string | null {
  const [, date, time = '00:00:00', fraction = '', sign, hours, minutes] = sentTime.exec(text) ?? []
  if (date === undefined || !isTime(`${date}T${time}Z`)) return null
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
  const at = new Date(Date.parse(`${date}T${time}Z`) - offset * 60_000)
  const utc = at.toISOString().replace(/\.\d+Z$/, `${fraction}Z`)
  return Number(hours ?? 0) < 24 && isTime(utc) ? utc : null
}

const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/

/** RFC 3339, UTC, of a day that exists: Postgres refuses others, and the year 0. */
export function isTime(text: string): boolean {
  const seconds = dateTime.exec(text)?.[1]
  if (seconds === undefined || seconds.startsWith('0000')) return false
  const at = Date.parse(`${seconds}Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(seconds)
}

// The valid e-mail address of HTML:
// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const emailAddress =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** At most 254 characters, what an SMTP path can carry (RFC 5321, 4.5.3.1.3). */
export function isEmailAddress(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.length <= 254 && emailAddress.test(trimmed)
}
