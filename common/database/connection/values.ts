/**
 * A time as Postgres knows it, with microseconds: JavaScript's own dates end at milliseconds.
 * `toISOString` has six digits; in every other way it is a date.
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
 * FFmpeg prints metadata of strangers' files as it is, and a text cut in the middle of a surrogate
 * pair is none. Postgres' text holds every character but NUL and half a pair.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}
