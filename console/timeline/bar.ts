/** Seconds from the submission. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Bar extends Span {
  readonly name: string
  readonly tone: 'waiting' | 'starting' | 'working' | 'lost'
  readonly note: string
}
