/** An attack as a customer would send it. */
export interface AttackSubmission {
  readonly name: string
  readonly command: string
  /** Content by name: unpacked into the working folder, or `in_1`, `in_2`, … in this order. */
  readonly files: Readonly<Record<string, string>>
  /** `zip`: bare names are allowed, in and out; `files`: by placeholders alone. */
  readonly form: 'zip' | 'files'
}

/** Addresses that a pod must not reach on a stranger's behalf. */
export interface AttackAddresses {
  /** Host and port of a listener that counts its visitors. */
  readonly listener: string
  /** The service's own: API, storage. */
  readonly own: readonly string[]
}
