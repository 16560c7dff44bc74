// For the `test` of a vitest config: the built program, where a test runs a command within its process, is loaded by Node as it is.
export const BUILT_PROGRAM = { deps: { external: [/\/dist\/[^/]+\.js$/] } };
