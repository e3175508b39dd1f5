/** Address of the leader's gateway, seen from this process. */
export type LeaderPlace =
  | { readonly kind: 'here' }
  /** `IP:PORT` of another pod. */
  | { readonly kind: 'elsewhere'; readonly address: string }
  /** No process leads now, or the leader says nothing of its address. */
  | { readonly kind: 'unknown' }
