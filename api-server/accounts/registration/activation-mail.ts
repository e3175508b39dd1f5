export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

interface Contents {
  readonly email: string
  readonly token: string
  /** Base address of the service as users reach it. */
  readonly publicUrl: string
  /** The address has an account: the token gives it one more key. */
  readonly hasAccount: boolean
}

/** The mail with the activation link; plain text, which every mail program shows unchanged. */
export function activationMail({ email, token, publicUrl, hasAccount }: Contents): Mail {
  const base = publicUrl.replace(/\/+$/, '')
  const wish = hasAccount ? 'a new API key for your account' : 'an account'
  const effect = hasAccount ? 'get the key' : 'activate it and get your API key'
  return {
    to: email,
    subject: hasAccount ? 'Your new Cloud FFmpeg API key' : 'Activate your Cloud FFmpeg account',
    text: [
      `This address was used to request ${wish} at the Cloud FFmpeg service ${base}.`,
      `Open this page to ${effect}:`,
      `  ${base}/activate?token=${token}`,
      'or send the token from a terminal:',
      `  curl -sS ${base}/v1/accounts/activate -d '{"token": "${token}"}'`,
      'The token works once and for 24 hours; the key is shown that one time.',
      'If it was not you, ignore this mail: nothing happens without the token.',
      '',
    ].join('\n\n'),
  }
}
