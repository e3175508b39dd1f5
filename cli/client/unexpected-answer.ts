/** Something answered that is not this API: a web page, a proxy. Asking again would not help. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
}
