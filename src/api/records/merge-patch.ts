// A JSON merge patch (RFC 7396).

export type JsonObject = { readonly [name: string]: unknown };

/** RFC 7396 §2: objects are merged, null removes a member, anything else replaces it, lists as a whole. */
export function mergePatch(target: unknown, patch: JsonObject): JsonObject {
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value);
  }
  // Not by assignment, which takes a member of the name __proto__ for something else.
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
