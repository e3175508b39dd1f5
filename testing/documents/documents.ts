/** Documents whose blocks the stories run, relative to the repository's root. */
export const documents = [
  'README.md',
  'docs/getting-started.md',
  'docs/api.md',
  'docs/kubernetes.md',
] as const
