/**
 * A Postgres time with microseconds; JavaScript's dates have milliseconds. `toISOString` returns six
 * digits; all other methods are those of `Date`.
 */
export class Instant extends Date {
  readonly #fraction: string

  /** @param text as Postgres prints a `timestamptz` */
  constructor(time: Date, text: string) {
    super(time)
    this.#fraction = (/\.(\d{1,6})/.exec(text)?.[1] ?? '').padEnd(6, '0')
  }

  override toISOString(): string {
    return `${super.toISOString().slice(0, -5)}.${this.#fraction}Z`
  }
}

/**
 * FFmpeg prints the metadata of untrusted files unchanged, and truncation may split a surrogate
 * pair. Postgres' text type holds every character except NUL and a lone surrogate.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}
