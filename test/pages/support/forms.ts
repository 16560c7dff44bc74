// Finding and filling the controls of a form.
import type { Page } from 'playwright-core';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Types into a picker and takes the first match, as by keyboard. */
export async function choose(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await field.click();
  await field.fill(text);
  await field.press('Enter');
}

/** The text of a field's fault. */
export async function faultOf(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: false }).first();
  await page.locator('[aria-invalid="true"]').first().waitFor();
  const ids = ((await field.getAttribute('aria-describedby')) ?? '')
    .split(' ')
    .filter((id) => id.endsWith('-fault'));
  return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ');
}
