/** To the process of a gateway: first the storage as runners are to see it, then commands. */
export interface ToGateway {
  readonly endpoint: string
  readonly command: string
  /** File name by alias. */
  readonly outputs: Readonly<Record<string, string>>
}

/** From it: first the S3 server, then the gateway's URL and a pod's token for each command. */
export interface FromGateway {
  readonly s3: string
  readonly url: string
  readonly token: string
}
