/** A body that is written while it is read. */
export interface ByteStream {
  readonly body: AsyncIterable<Uint8Array>
  write(text: string): void
  end(): void
  fail(error: Error): void
}

/** @param signal ends the reading with its reason */
export function createByteStream(signal: AbortSignal): ByteStream {
  const chunks: Uint8Array[] = []
  const encoder = new TextEncoder()
  let end: { error: Error | null } | null = null
  let wake = (): void => undefined
  signal.addEventListener('abort', () => finish(abortError(signal)), { once: true })

  return {
    body: read(),
    write(text) {
      if (end !== null) return
      chunks.push(encoder.encode(text))
      wake()
    },
    end: () => finish(null),
    fail: finish,
  }

  function finish(error: Error | null): void {
    end ??= { error }
    wake()
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = chunks.shift()
      if (chunk !== undefined) yield chunk
      else if (end !== null) break
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    if (end.error !== null) throw end.error
  }
}

export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
