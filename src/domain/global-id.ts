/** Names an agent, a department or a trunk across accounts. */
export const globalId = (accountId: string, id: string): string => `${accountId}/${id}`;

export function splitGlobalId(text: string): { accountId: string; id: string } {
  const slash = text.indexOf('/');
  return { accountId: text.slice(0, slash), id: text.slice(slash + 1) };
}
