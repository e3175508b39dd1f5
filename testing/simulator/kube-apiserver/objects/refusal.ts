export interface RefusalFacts {
  readonly status: number
  readonly reason: string
  readonly message?: string
  readonly retryAfterSeconds?: number
  readonly causes?: readonly { field: string; reason: string; message: string }[]
}

/** An answer other than 2xx. */
export class Refusal extends Error {
  readonly facts: RefusalFacts

  constructor(facts: RefusalFacts) {
    super(facts.message ?? facts.reason)
    this.name = 'Refusal'
    this.facts = facts
  }
}

/** The body the API server sends with it. */
export function statusBody({
  status,
  reason,
  message,
  causes,
  retryAfterSeconds,
}: RefusalFacts): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: message ?? reason,
    reason,
    details: {
      ...(causes === undefined ? {} : { causes }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    code: status,
  }
}

export function notFound(plural: string, name: string): Refusal {
  return new Refusal({ status: 404, reason: 'NotFound', message: `${plural} "${name}" not found` })
}

export function alreadyExists(plural: string, name: string): Refusal {
  const message = `${plural} "${name}" already exists`
  return new Refusal({ status: 409, reason: 'AlreadyExists', message })
}

export function conflict(plural: string, name: string, why: string): Refusal {
  const message = `Operation cannot be fulfilled on ${plural} "${name}": ${why}`
  return new Refusal({ status: 409, reason: 'Conflict', message })
}

export function invalid(kind: string, name: string, message: string, field = 'spec'): Refusal {
  const causes = [{ field, reason: 'FieldValueInvalid', message }]
  const text = `${kind} "${name}" is invalid: ${field}: ${message}`
  return new Refusal({ status: 422, reason: 'Invalid', message: text, causes })
}

export function expired(version: string): Refusal {
  const message = `too old resource version: ${version}`
  return new Refusal({ status: 410, reason: 'Expired', message })
}
