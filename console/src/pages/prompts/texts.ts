// The prompts of menus that are shipped, by language: what each is called and what it says. bin/make-sounds.js speaks them into
// assets/prompts/menu.
import type { PromptLanguage } from '../../../../src/domain/account.ts';

export interface PromptText {
  /** The name of the recording in the account. */
  readonly name: string;
  readonly text: string;
}

type InEach = Readonly<Record<PromptLanguage, PromptText>>;

export const PROMPT_TEXTS = {
  greeting: {
    en: { name: 'Please choose', text: 'Thank you for calling. Please press a key now.' },
    hi: { name: 'कृपया चुनें', text: 'कॉल करने के लिए धन्यवाद। कृपया अब कोई कुंजी दबाएँ।' },
  },
  invalid: {
    en: { name: 'Not one of the choices', text: 'Sorry, that is not one of the choices.' },
    hi: { name: 'यह विकल्प नहीं है', text: 'क्षमा करें, यह विकल्प उपलब्ध नहीं है।' },
  },
  again: {
    en: { name: 'Are you still there?', text: 'Are you still there? Please press a key.' },
    hi: { name: 'क्या आप वहाँ हैं?', text: 'क्या आप अभी भी वहाँ हैं? कृपया कोई कुंजी दबाएँ।' },
  },
  connecting: {
    en: { name: 'One moment, we connect you', text: 'One moment, we connect you.' },
    hi: { name: 'एक क्षण, हम जोड़ रहे हैं', text: 'कृपया एक क्षण रुकें, हम आपकी कॉल जोड़ रहे हैं।' },
  },
  closed: {
    en: {
      name: 'We are closed',
      text: 'Thank you for calling. We are closed at the moment. Please leave a message.',
    },
    hi: {
      name: 'अभी बंद है',
      text: 'कॉल करने के लिए धन्यवाद। इस समय हमारा कार्यालय बंद है। कृपया अपना संदेश छोड़ें।',
    },
  },
  sales: {
    en: {
      name: 'Sales, support, billing',
      text: 'Thank you for calling. For sales, press one. For support, press two. For billing, press three.',
    },
    hi: {
      name: 'बिक्री, सहायता, बिल',
      text: 'कॉल करने के लिए धन्यवाद। बिक्री के लिए एक दबाएँ। सहायता के लिए दो दबाएँ। बिल के लिए तीन दबाएँ।',
    },
  },
  reception: {
    en: {
      name: 'Reception or a message',
      text: 'To speak with us, press one. To leave a message, press two.',
    },
    hi: {
      name: 'स्वागत कक्ष या संदेश',
      text: 'हमसे बात करने के लिए एक दबाएँ। संदेश छोड़ने के लिए दो दबाएँ।',
    },
  },
  clinic: {
    en: {
      name: 'Clinic: choices',
      text: 'Thank you for calling the clinic. For appointments, press one. For prescriptions, press two. In an emergency, press nine.',
    },
    hi: {
      name: 'क्लिनिक: विकल्प',
      text: 'क्लिनिक में कॉल करने के लिए धन्यवाद। अपॉइंटमेंट के लिए एक दबाएँ। दवा के पर्चे के लिए दो दबाएँ। आपात स्थिति में नौ दबाएँ।',
    },
  },
  shop: {
    en: {
      name: 'Shop: choices',
      text: 'Thank you for calling. For orders, press one. For deliveries and returns, press two. For our opening hours, press three.',
    },
    hi: {
      name: 'दुकान: विकल्प',
      text: 'कॉल करने के लिए धन्यवाद। ऑर्डर के लिए एक दबाएँ। डिलीवरी और वापसी के लिए दो दबाएँ। हमारे खुलने का समय जानने के लिए तीन दबाएँ।',
    },
  },
  'shop-hours': {
    en: {
      name: 'Opening hours',
      text: 'We are open from Monday to Friday, from nine to five. Good bye.',
    },
    hi: {
      name: 'खुलने का समय',
      text: 'हम सोमवार से शुक्रवार, सुबह नौ बजे से शाम पाँच बजे तक खुले हैं। धन्यवाद।',
    },
  },
  'after-hours': {
    en: {
      name: 'After hours',
      text: 'We are closed at the moment. To leave a message, press one. If it is urgent, press two.',
    },
    hi: {
      name: 'बंद होने के बाद',
      text: 'इस समय हमारा कार्यालय बंद है। संदेश छोड़ने के लिए एक दबाएँ। यदि ज़रूरी हो, तो दो दबाएँ।',
    },
  },
} as const satisfies Readonly<Record<string, InEach>>;

export type MenuPrompt = keyof typeof PROMPT_TEXTS;

/** Said in both languages, one after the other. */
export const LANGUAGE_CHOICE = {
  name: 'English / हिन्दी',
  text: { en: 'For English, press one.', hi: 'हिन्दी के लिए दो दबाएँ।' },
} as const;
