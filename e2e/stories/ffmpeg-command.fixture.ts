interface CommandSpec {
  readonly commands: readonly string[]
  readonly outputFiles: Readonly<Record<string, string>>
  readonly inputFiles?: Readonly<Record<string, string>>
  readonly account?: string
}

/** Custom resource for `kubectl apply`, of one vCPU; without inputs unless the spec has some. */
export function ffmpegCommand(name: string, spec: CommandSpec): object {
  return {
    apiVersion: 'cloudffmpeg.dev/v1alpha1',
    kind: 'FfmpegCommand',
    metadata: { name },
    spec: { inputFiles: {}, vcpuCount: 1, ...spec },
  }
}
