/** Something answered that is not this API: a web page, a proxy. Asking again would not help. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
}

export function webPage({ url }: Response): UnexpectedAnswer {
  return new UnexpectedAnswer(
    `${url} answered with a web page; is this the address of a Cloud FFmpeg service?`,
  )
}
