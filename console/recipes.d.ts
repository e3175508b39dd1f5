declare module '*/recipes.md' {
  /** The result of `readRecipes` for the document; the bundler calls it. */
  const recipes: unknown
  export default recipes
}
