interface Props {
  readonly rows?: number
  /** Shape of a picture or a form below the rows. */
  readonly isTall?: boolean
  /** Sentence about a slow answer. */
  readonly late: string
}

/** Shape of the content to come; it appears after 200 ms and says what it waits for after 5 s. */
export function Skeleton({ rows = 0, isTall = rows === 0, late }: Props) {
  return (
    <div class="skeleton" aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton-row" />
      ))}
      {isTall && <div class="skeleton-row tall" />}
      <p class="late">{late}</p>
    </div>
  )
}
