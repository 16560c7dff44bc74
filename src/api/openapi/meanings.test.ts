// Every operation, parameter, header and member of the document is described by a sentence that says more than its name.
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../openapi.ts';
import { ROUTES } from '../routes.ts';

interface Node {
  readonly [key: string]: unknown;
}
const document = JSON.parse(JSON.stringify(openApiDocument(ROUTES))) as Node;
const childrenOf = (node: unknown) => Object.entries((node ?? {}) as Record<string, Node>);

/** Every member of every schema in the document, with what describes it. */
function* members(node: Node, at: string): Generator<[string, Node]> {
  for (const [name, member] of childrenOf(node['properties'])) {
    yield [`${at}.${name}`, member];
    yield* members(member, `${at}.${name}`);
  }
  for (const key of ['items', 'additionalProperties'])
    if (typeof node[key] === 'object') yield* members(node[key] as Node, `${at}[]`);
  for (const one of (node['anyOf'] ?? []) as Node[]) yield* members(one, at);
}

function* everything(): Generator<[string, Node]> {
  const { components, paths, webhooks } = document as Record<string, Node>;
  for (const [name, schema] of childrenOf(components?.['schemas'])) yield* members(schema, name);
  for (const [path, methods] of [...childrenOf(paths), ...childrenOf(webhooks)])
    for (const [method, operation] of childrenOf(methods)) {
      const at = `${method} ${path}`;
      yield [at, operation];
      for (const parameter of (operation['parameters'] ?? []) as Node[])
        yield [`${at} ${parameter['in']} ${parameter['name']}`, parameter];
      for (const [status, response] of childrenOf(operation['responses']))
        for (const [header, described] of childrenOf(response['headers']))
          yield [`${at} ${status} ${header}`, described];
    }
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
const EMPTY = new Set(['the', 'a', 'an', 'of', 'is', 'this', 'it']);

/** Why the description is none; null: it is one. */
function fault(at: string, { description }: Node): string | null {
  if (typeof description !== 'string') return 'has no description';
  if (!/^[A-Z0-9`*]/.test(description) || !/[.…]$/.test(description))
    return `is not a sentence: ${description}`;
  const name = wordsOf(at.split(/[. ]/).at(-1) ?? '');
  const new_ = [...wordsOf(description)].filter((word) => !name.has(word) && !EMPTY.has(word));
  return new_.length < 2 ? `only repeats the name: ${description}` : null;
}

describe('the document', () => {
  it('describes every operation, parameter, header and member', () => {
    const all = [...everything()];
    expect(all.length).toBeGreaterThan(800);
    const faults = all.map(([at, node]) => [at, fault(at, node)] as const).filter(([, why]) => why !== null);
    expect(faults.map(([at, why]) => `${at} ${why}`)).toEqual([]);
  });

  it('notices a description that is missing, or that only repeats the name', () => {
    expect(fault('Ivr.name', {})).toBe('has no description');
    expect(fault('Ivr.name', { description: 'The name.' })).toMatch('only repeats');
    expect(fault('Ivr.ring_seconds', { description: 'a whole number of seconds from 1 to 300' })).toMatch(
      'no',
    );
  });

  it('explains incorrect_count with an example', () => {
    const schemas = (document['components'] as Node)['schemas'] as Record<
      string,
      { properties: Record<string, Node> }
    >;
    for (const name of ['IvrInput', 'Ivr', 'IvrWithWarnings'])
      expect(schemas[name]?.properties['incorrect_count']?.['description']).toMatch(
        /Example: with 2, the third wrong/,
      );
  });

  it('has each tag with a text, and each operation under one of them', () => {
    const tags = document['tags'] as { name: string; description: string }[];
    for (const { description } of tags) expect(description).toMatch(/^[A-Z].{20,}\.$/);
    const used = childrenOf(document['paths']).flatMap(([, methods]) =>
      childrenOf(methods).flatMap(([, operation]) => operation['tags'] as string[]),
    );
    expect(new Set(used)).toEqual(new Set(tags.map(({ name }) => name)));
  });
});
