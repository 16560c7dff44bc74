// The built-in prompts in Hindi, by name; those in English are in src/domain/built-in-prompts.ts.
const NUMBERS = ['दो', 'तीन', 'चार', 'पाँच', 'छह', 'सात', 'आठ', 'नौ', 'दस'];
const MINUTES = { 15: 'पंद्रह', 20: 'बीस', 30: 'तीस' };
const DIGITS = ['शून्य', 'एक', ...NUMBERS.slice(0, 8)];

export const HINDI_PROMPTS = {
  apology: 'क्षमा करें, आपकी कॉल नहीं जुड़ सकी।',
  'voicemail-greeting': 'कृपया टोन के बाद अपना संदेश छोड़ें।',
  'message-saved': 'धन्यवाद। आपका संदेश सहेज लिया गया है।',
  'star-code-failed': 'यह नहीं हो सका।',
  'agent-paused': 'आप विराम पर हैं।',
  'agent-resumed': 'आप उपलब्ध हैं।',
  'signed-in': 'आप साइन इन हैं।',
  'signed-out': 'आप साइन आउट हैं।',
  activated: 'चालू किया गया।',
  deactivated: 'बंद किया गया।',
  'room-pin': 'कृपया कॉन्फ़्रेंस का पिन डालें, फिर हैश दबाएँ।',
  'room-pin-wrong': 'यह पिन सही नहीं है। कृपया पिन डालें, फिर हैश दबाएँ।',
  'room-name': 'टोन के बाद अपना नाम बोलें, फिर हैश दबाएँ।',
  'callback-offer': 'आप कतार में अपनी जगह रखकर वापस कॉल पा सकते हैं। वापस कॉल के लिए दबाएँ',
  'callback-number': 'हम आपको इस नंबर पर वापस कॉल करेंगे।',
  'callback-confirm': 'यदि यह सही है, तो एक दबाएँ। दूसरे नंबर के लिए दो दबाएँ। प्रतीक्षा जारी रखने के लिए स्टार दबाएँ।',
  'digits-confirm': 'यदि यह सही है, तो एक दबाएँ। फिर से डालने के लिए दो दबाएँ।',
  'callback-entry': 'कृपया वह नंबर डालें जिस पर वापस कॉल करें, फिर हैश दबाएँ।',
  'callback-saved': 'धन्यवाद। कतार में आपकी जगह बनी रहेगी, और हम आपको वापस कॉल करेंगे। नमस्ते।',
  'callback-refused': 'उस नंबर पर वापस कॉल नहीं हो सकती। कृपया प्रतीक्षा करें।',
  'key-star': 'स्टार',
  'key-hash': 'हैश',
  'position-1': 'कतार में अगली बारी आपकी है।',
  ...Object.fromEntries(
    NUMBERS.map((number, index) => [`position-${index + 2}`, `कतार में आपका नंबर ${number} है।`]),
  ),
  'position-many': 'आपसे पहले दस से ज़्यादा लोग प्रतीक्षा में हैं।',
  'wait-1': 'अनुमानित प्रतीक्षा लगभग एक मिनट है।',
  ...Object.fromEntries(
    [...NUMBERS.map((number, index) => [index + 2, number]), ...Object.entries(MINUTES)].map(
      ([minutes, number]) => [`wait-${minutes}`, `अनुमानित प्रतीक्षा लगभग ${number} मिनट है।`],
    ),
  ),
  'wait-many': 'अनुमानित प्रतीक्षा आधे घंटे से ज़्यादा है।',
  ...Object.fromEntries(DIGITS.map((word, digit) => [`digit-${digit}`, word])),
};
