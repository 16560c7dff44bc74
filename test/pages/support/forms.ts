// Finding and filling the controls of a form.
import type { Locator, Page } from 'playwright-core';

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Types into a picker and takes the first match, as by keyboard. */
export async function choose(page: Page, label: string, text: string): Promise<void> {
  await chooseIn(page.getByRole('combobox', { name: label }), text);
}

/** Lists come after their fields: Enter chooses what is there by then. */
export async function chooseIn(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.fill(text);
  await field.page().locator('.picker-active').first().waitFor();
  await field.press('Enter');
}

/** The text of a field's fault. */
export async function faultOf(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: false }).and(page.locator('[aria-invalid="true"]')).first();
  const ids = ((await field.getAttribute('aria-describedby')) ?? '')
    .split(' ')
    .filter((id) => id.endsWith('-fault'));
  return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))).join(' ');
}
