/** No cluster, or no tool for one, can be had here; the message says what is missing and how to get it. */
export class NoCluster extends Error {
  override readonly name = 'NoCluster'
}
