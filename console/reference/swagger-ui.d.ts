declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export default function SwaggerUI(options: object): {
    preauthorizeApiKey(scheme: string, key: string): void
  }
}
