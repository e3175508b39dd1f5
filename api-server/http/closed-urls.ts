import { isJsonObject } from '../../common/json/json-object.ts'
import { isIP } from 'node:net'
import { addressRefusal } from '../../common/network/address-policy.ts'
import { branchFor } from './lenient.ts'
import type { AddressRules } from '../../common/network/address-policy.ts'
import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'
import type { JsonObject } from '../../common/json/json-object.ts'

type FindClosed = (value: unknown, rules: AddressRules) => ValidationMistake[]

/**
 * URLs of a checked request whose host is an address that the service never connects to. Host names are resolved when
 * the URL is fetched; what a literal address or `localhost` leads to is certain at submission.
 */
export function closedUrlsOf(schema: JsonObject): FindClosed {
  if (!hasUrls(schema)) return () => []
  return (value, rules) => {
    const mistakes: ValidationMistake[] = []
    eachUrl(schema, value, [], (loc, url) => {
      const msg = closedHost(url, rules)
      if (msg !== null) mistakes.push({ loc: [...loc], msg, type: 'value_error' })
    })
    return mistakes
  }
}

/** The schemas of requests have no cycles. */
function hasUrls(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(
    ([name, part]) => (name === 'format' && part === 'http-url') || hasUrls(part),
  )
}

function closedHost(text: string, rules: AddressRules): string | null {
  const parsed = URL.parse(text)
  if (parsed === null) return null
  const { hostname, port, protocol } = parsed
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const address = /(^|\.)localhost$/i.test(host) ? '127.0.0.1' : host
  // Not `ipaddr.isValid`, which throws and catches for each name: a tenth of a submission's processor time.
  if (isIP(address) === 0) return null
  const number = Number(port || (protocol === 'https:' ? 443 : 80))
  const reason = addressRefusal(address, number, rules, [])
  if (reason === null) return null
  return `${hostname} is not a public address (${reason}): the service cannot reach the client's machine or network; use a public host, upload the file, or let the administrator add the range to network.allowCidrs`
}

/** @param loc the place of the value; changed while the fields are visited */
function eachUrl(
  schema: JsonObject,
  value: unknown,
  loc: string[],
  visit: (loc: readonly string[], url: string) => void,
): void {
  const fitting = branchFor(schema, value)
  if (typeof value === 'string') {
    if (fitting['format'] === 'http-url') visit(loc, value.trim())
    return
  }
  if (!isJsonObject(value)) return
  const properties = isJsonObject(fitting['properties']) ? fitting['properties'] : {}
  const others = fitting['additionalProperties']
  for (const name of Object.keys(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : others
    if (!isJsonObject(inner)) continue
    loc.push(name)
    eachUrl(inner, value[name], loc, visit)
    loc.pop()
  }
}
