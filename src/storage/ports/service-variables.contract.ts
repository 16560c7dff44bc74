// What every database must do with the variables that the operator has set.
import { describe, expect, it } from 'vitest';
import type { Opened } from './opened.contract.ts';

export function serviceVariableContract(opened: () => Opened): void {
  const change = (changes: Readonly<Record<string, string | null>>) => ({
    accountId: 'operator',
    changes: Object.entries(changes).map(([name, value]) => ({ name, value })),
    atMs: 1,
    before: { mail_from: 'a@example.com' },
    after: { mail_from: 'b@example.com' },
  });

  describe('variables of the service', () => {
    it('are set, replaced and removed together, and the same for all who ask', async () => {
      const { storage, another } = opened();
      expect(await storage.listVariables()).toEqual([]);
      await storage.changeVariables(change({ SMTP_URL: 'one', MAIL_FROM: 'two' }));
      const other = await another();
      expect(await other.listVariables()).toEqual([
        { name: 'MAIL_FROM', value: 'two' },
        { name: 'SMTP_URL', value: 'one' },
      ]);
      await other.changeVariables(change({ SMTP_URL: null, MAIL_FROM: 'three', SMS_URL: null }));
      expect(await storage.listVariables()).toEqual([{ name: 'MAIL_FROM', value: 'three' }]);
      await storage.changeVariables(change({ MAIL_FROM: null }));
    });

    it('that are changed by an actor leave an entry in the audit of the operator', async () => {
      const { storage } = opened();
      const by = { id: 't', name: 'token', requestId: 'r', atMs: 5 };
      await storage.changeVariables({ ...change({ MAIL_FROM: 'b@example.com' }), by });
      const [entry] = await storage.listAudit({ accountId: 'operator', limit: 5 });
      expect(entry).toMatchObject({
        action: 'update',
        kind: 'configuration',
        changes: [{ member: 'mail_from', before: 'a@example.com', after: 'b@example.com' }],
      });
      await storage.changeVariables(change({ MAIL_FROM: null }));
    });
  });
}
