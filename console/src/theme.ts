export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'dialtree.theme';

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme = storedTheme()): void {
  localStorage.setItem(STORED, theme);
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}
