/** A stored file costs its account no vCPUs, but its ffprobe runs on one: its pod and its turn in the queue count as one. */
export function vcpusOf({ vcpuCount }: { readonly vcpuCount: number }): number {
  return Math.max(1, vcpuCount)
}
