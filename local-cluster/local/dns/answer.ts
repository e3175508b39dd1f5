import { isIPv4 } from 'node:net'

/** Addresses by name: lower case, without the dot at the end. */
export type Names = ReadonlyMap<string, string>

const typeA = 1

/**
 * Answers one DNS query (RFC 1035) from the names: an A record, nothing for the other types of a known name (a "no such name" to an
 * AAAA query would end the lookup of some resolvers), and "no such name" for the rest. Undefined for what is not a query.
 */
export function answerQuery(query: Buffer, names: Names): Buffer | undefined {
  const question = parseQuestion(query)
  if (question === undefined) return undefined
  const address = names.get(question.name)
  const answers = address !== undefined && question.type === typeA ? [aRecord(address)] : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  const recursionDesired = query.readUInt16BE(2) & 0x0100
  const authoritativeAnswer = 0x8480
  const noSuchName = 3
  header.writeUInt16BE(
    authoritativeAnswer | recursionDesired | (address === undefined ? noSuchName : 0),
    2,
  )
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  return Buffer.concat([header, query.subarray(12, question.end), ...answers])
}

interface Question {
  readonly name: string
  readonly type: number
  readonly end: number
}

function parseQuestion(query: Buffer): Question | undefined {
  if (query.length < 17 || (query.readUInt16BE(2) & 0x8000) !== 0) return undefined
  if (query.readUInt16BE(4) !== 1) return undefined
  const labels: string[] = []
  let at = 12
  for (;;) {
    const length = query[at]
    // a length over 63 is a compression pointer, which no question has
    if (length === undefined || length > 63) return undefined
    at += 1
    if (length === 0) break
    labels.push(query.toString('latin1', at, at + length).toLowerCase())
    at += length
  }
  if (at + 4 > query.length) return undefined
  return { name: labels.join('.'), type: query.readUInt16BE(at), end: at + 4 }
}

/** The name is a pointer to the question's; valid for 5 s, because a Service may be made anew with another address. */
function aRecord(address: string): Buffer {
  if (!isIPv4(address)) throw new Error(`${address} is not an IPv4 address`)
  return Buffer.from([
    0xc0,
    12,
    0,
    typeA,
    0,
    1,
    0,
    0,
    0,
    5,
    0,
    4,
    ...address.split('.').map(Number),
  ])
}
