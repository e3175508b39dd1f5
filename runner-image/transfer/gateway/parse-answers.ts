import type {
  PartsGrant,
  ProgressAnswer,
  UploadGrants,
  Verdict,
} from '../../../common/gateway/messages.ts'
import { fieldsOf } from '../../link/fields.ts'
import type { Fields } from '../../link/fields.ts'
import { listOf, rawField, textMap } from './raw-field.ts'

/** Each throws, naming the field, if the body has not the expected shape. */
export function parseProgressAnswer(body: unknown): ProgressAnswer {
  return { cancel: fieldsOf(body, 'progress answer').flag('cancel') }
}

export function parseUploadGrants(body: unknown): UploadGrants {
  const raw = rawField(body, 'grants')
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : []
  return {
    grants: listOf(raw, 'grants').map((fields, index) => {
      const kind = fields.oneOf('kind', ['single', 'multipart'])
      const path = fields.text('path')
      if (kind === 'single') {
        const headers = textMap(rawField(entries[index], 'headers'), 'grant.headers')
        return { kind, path, url: fields.text('url'), headers }
      }
      return {
        kind,
        path,
        uploadId: fields.text('uploadId'),
        partBytes: fields.number('partBytes'),
        urls: fields.texts('urls'),
      }
    }),
  }
}

export function parsePartsGrant(body: unknown): PartsGrant {
  return { urls: fieldsOf(body, 'parts answer').texts('urls') }
}

export function parseVerdict(body: unknown): Verdict {
  const fields = fieldsOf(body, 'verdict')
  const kind = fields.oneOf('kind', ['recorded', 'again', 'differs'])
  switch (kind) {
    case 'again':
      return { kind }
    case 'differs':
      return { kind, paths: fields.texts('paths') }
    case 'recorded':
      return { kind, ...finalOf(fields) }
  }
}

/** @returns the ETag; null from a gateway of an earlier release, which answers without a body */
export function parseCompleteAnswer(body: unknown): string | null {
  return body === null ? null : fieldsOf(body, 'complete answer').text('etag')
}

/** The body of a 410. */
export function parseFinal(body: unknown): Final {
  return finalOf(fieldsOf(body, 'final answer'))
}

interface Final {
  status: 'SUCCESS' | 'FAILED'
  errorStatus: string | null
}

function finalOf(fields: Fields): Final {
  return {
    status: fields.oneOf('status', ['SUCCESS', 'FAILED']),
    errorStatus: fields.textOrNull('errorStatus'),
  }
}
