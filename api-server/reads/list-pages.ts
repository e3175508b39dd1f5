import { etagOf } from '../http/etag.ts'
import { jsonLine, jsonText } from '../http/errors.ts'
import { createSharedReads } from './shared-reads.ts'
import type { Answer } from '../http/errors.ts'

/** A page of one of an account's lists. */
interface Page {
  readonly accountId: string
  readonly limit: number
  readonly offset: number
  readonly status: string | null
}

/** Answers of one list. Clients that read the same page at a time share a statement and its text. */
export function createListPages(): (page: Page, read: () => Promise<Answer>) => Promise<Answer> {
  const shared = createSharedReads<Answer>()
  return ({ accountId, limit, offset, status }, read) =>
    shared(`${accountId} ${limit} ${offset} ${status}`, read)
}

/** The answer with a list, with its text and validator made once for all who share it. */
export function listAnswer(items: readonly unknown[]): Answer {
  const text = jsonLine(items)
  return jsonText(text, etagOf(text))
}
