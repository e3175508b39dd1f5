declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export interface Reference {
    preauthorizeApiKey(scheme: string, key: string): void
    readonly layoutActions: { show(key: readonly string[], isShown?: boolean): void }
  }
  export default function SwaggerUI(options: object): Reference
}

declare module '*.css?inline' {
  const text: string
  export default text
}
