/** The custom resource's spec without the fields that the row has as columns. */
export interface CommandSource {
  readonly commands: string[]
  readonly inputFiles: Record<string, string> | null
  readonly inputCompressedFolder: string | null
  /** `null` = OUTPUT_FOLDER. */
  readonly outputFiles: Record<string, string> | null
}
