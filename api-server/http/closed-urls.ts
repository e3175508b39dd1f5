import { isIP } from 'node:net'
import { addressRefusal } from '../../common/network/address-policy.ts'
import { branchFor } from './lenient.ts'
import type { AddressRules } from '../../common/network/address-policy.ts'
import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'
import type { JsonObject } from './openapi.ts'

/**
 * URLs of a checked request whose host is an address that the service never connects to. Host names are resolved when
 * the URL is fetched; what a literal address or `localhost` leads to is certain at submission.
 */
export function closedUrlMistakes(
  schema: JsonObject,
  value: unknown,
  rules: AddressRules,
): ValidationMistake[] {
  return urlsIn(schema, value, []).flatMap(({ loc, url }) => {
    const msg = closedHost(url, rules)
    return msg === null ? [] : [{ loc, msg, type: 'value_error' as const }]
  })
}

function closedHost(text: string, rules: AddressRules): string | null {
  if (!URL.canParse(text)) return null
  const { hostname, port, protocol } = new URL(text)
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const address = /(^|\.)localhost$/i.test(host) ? '127.0.0.1' : host
  // Not `ipaddr.isValid`, which throws and catches for each name: a tenth of a submission's processor time.
  if (isIP(address) === 0) return null
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  const reason = addressRefusal(address, number, rules, [])
  if (reason === null) return null
  return `${hostname} is not a public address (${reason}): the service cannot reach the client's machine or network; use a public host, upload the file, or let the administrator add the range to network.allowCidrs`
}

interface FoundUrl {
  readonly loc: string[]
  readonly url: string
}

function urlsIn(schema: JsonObject, value: unknown, loc: string[]): FoundUrl[] {
  const fitting = branchFor(schema, value)
  if (typeof value === 'string') {
    return fitting['format'] === 'http-url' ? [{ loc, url: value.trim() }] : []
  }
  if (!isObject(value)) return []
  const properties = isObject(fitting['properties']) ? fitting['properties'] : {}
  const others = fitting['additionalProperties']
  return Object.entries(value).flatMap(([name, field]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : others
    return isObject(own) ? urlsIn(own, field, [...loc, name]) : []
  })
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
