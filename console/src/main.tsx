import './look/fonts.css';
import './look/tokens.css';
import './look/base.css';
import './look/kit.css';
import './look/picker.css';
import './look/views.css';
import './look/shell.css';
import './look/motion.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { SessionProvider } from './data/session.tsx';
import { BreakingTests } from './kit/breaking-tests.tsx';
import { ConfirmProvider } from './kit/dialog.tsx';
import { ToastProvider } from './kit/toast.tsx';
import { applyTheme } from './theme.ts';
import { WordsProvider } from './words/words.tsx';

applyTheme();
const element = document.getElementById('console');
if (element)
  createRoot(element).render(
    <StrictMode>
      <WordsProvider>
        <ToastProvider>
          <SessionProvider>
            <ConfirmProvider>
              <BreakingTests />
              <App />
            </ConfirmProvider>
          </SessionProvider>
        </ToastProvider>
      </WordsProvider>
    </StrictMode>,
  );
