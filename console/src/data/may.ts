// What the role of the signed-in user allows: the table that the service enforces. Pages do not offer what it refuses.
import { useMemo } from 'react';
import { mayDo, type OperationId, type Role } from '../../../src/domain/roles.ts';
import { operationOn } from '../../../src/kinds/lists.ts';
import type { Kind } from './kinds.ts';
import { useSession } from './session.tsx';

export type May = (operation: OperationId) => boolean;

/** Null for a token or link of the account as a whole. */
export const mayAs =
  (role: Role | null): May =>
  (operation) =>
    mayDo(role, operation);

export function useMay(): May {
  const { account } = useSession();
  const role = account?.user?.role ?? null;
  return useMemo(() => mayAs(role), [role]);
}

/** What changes a record of the kind. */
export const changing = (kind: Kind): OperationId =>
  kind === 'token' ? 'createToken' : operationOn('put', kind);

export const useMayChange = (kind: Kind): boolean => useMay()(changing(kind));
