import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Readable } from 'node:stream'

export interface Asker {
  /** Resolves with the line that was typed, '' at the end of the input. What is secret is not shown. */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>
  /** Without it the open input keeps the process alive. */
  close(): void
}

interface Output {
  write(text: string): unknown
}

/** Questions on a terminal; elsewhere the answers are the lines of the input. */
export function createAsker(input: Readable & { readonly isTTY?: boolean }, output: Output): Asker {
  let isSecret = false
  const shown = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      if (!isSecret) output.write(String(chunk))
      done()
    },
  })
  let lines: ReturnType<typeof open> | null = null

  function open() {
    const reader = createInterface({ input, output: shown, terminal: input.isTTY === true })
    return { reader, next: reader[Symbol.asyncIterator]() }
  }

  return {
    async ask(question, options = {}) {
      lines ??= open()
      output.write(question)
      isSecret = options.isSecret ?? false
      try {
        const { value, done } = await lines.next.next()
        return done === true ? '' : value
      } finally {
        if (isSecret && input.isTTY === true) output.write('\n')
        isSecret = false
      }
    },
    close: () => lines?.reader.close(),
  }
}
